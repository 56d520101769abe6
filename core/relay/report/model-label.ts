import type { Routing } from '../../services/routing.ts';

/** Labels are kept for as long as the process lives; models beyond these are counted together. */
const maxModels = 500;
/** Stands for unknown models, so that no caller writes a label. */
export const otherModel = 'other';

/** The name of a model in metrics. */
export function createModelLabel(routing: Pick<Routing, 'models'>): (model: string, group: string) => string {
  const known = new Set<string>();
  return (model, group) => {
    if (known.has(model)) return model;
    if (model === '' || known.size >= maxModels || !routing.models(group).includes(model)) return otherModel;
    known.add(model);
    return model;
  };
}
