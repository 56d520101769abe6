/** Between which the two figures lie that order channels; a weight is at least 0. */
export const minPriority = -999;
export const maxPriority = 1_000_000_000;
export const maxWeight = 1_000_000;
