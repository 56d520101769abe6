/** The name under which models are summed that would be too many to draw. */
export const otherModels = 'other';
