import type { Drawing } from '../../../../core/schemas/drawing.ts';

/** What the vendor calls it, or our own number while it has no name. */
export const drawingName = ({ mj_id, id }: Pick<Drawing, 'mj_id' | 'id'>) => mj_id || `#${id}`;

/** Its times in whole seconds; drawings count in milliseconds. */
export function secondsOf({ submit_time: begun, finish_time: done }: Pick<Drawing, 'submit_time' | 'finish_time'>) {
  return { begun: Math.round(begun / 1000), done: Math.round(done / 1000) };
}
