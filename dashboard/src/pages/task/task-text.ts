import type { Task } from '../../../../core/schemas/task.ts';

/** What the vendor calls it, or our own number while it has no name. */
export const taskName = ({ task_id, id }: Pick<Task, 'task_id' | 'id'>) => task_id || `#${id}`;

export const inputOf = ({ properties: { input } }: Pick<Task, 'properties'>) =>
  typeof input === 'string' ? input : '';

/** Which words and which picture the result has: what there is to hear comes before what there is to read. */
export function madeKind({ made }: Pick<Task, 'made'>): 'music' | 'video' | 'lyrics' | undefined {
  if (made.some(({ audio }) => audio !== '')) return 'music';
  if (made.some(({ video }) => video !== '')) return 'video';
  return made.some(({ text }) => text !== '') ? 'lyrics' : undefined;
}
