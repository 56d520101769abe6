import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { isStorable } from '../../lib/storable-text.ts';
import { maxTaskId } from '../../providers/task/adapter.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import type { OpenTask } from './store.ts';

/** The two lists that paid jobs are shown in. */
export type TaskNoun = 'task' | 'drawing';

/** A job that its reader may see, running or over. */
export interface FoundTask extends OpenTask {
  user_id: number;
  quota: number;
  /** Of the call that bought it; null for one of another installation. */
  request_id: string | null;
}

/**
 * A job by its row id or by what its vendor calls it, of which the newest is meant: an administrator's is any, a user's is an own
 * one. Throws object.notFound, for another's job as for one that never was.
 */
export async function findTask(database: Database, actor: Actor, noun: TaskNoun, word: string): Promise<FoundTask> {
  requireRole(actor, role.user);
  const unknown = new AppError('object.notFound', { what: noun, id: word.slice(0, 64), noun });
  if (word === '' || word.length > maxTaskId || !isStorable(word)) throw unknown;
  const isAny = actor.role >= role.admin;
  const [task] = await database.select<FoundTask>(
    `SELECT id, user_id, quota, request_id, platform, task_id, channel_id, submit_time, status, progress, polls,
       updated_at FROM tasks
     WHERE (id = :id OR task_id = :word) AND platform ${noun === 'drawing' ? '=' : '<>'} 'mj'
       ${isAny ? '' : 'AND user_id = :userId'}
     ORDER BY CASE WHEN id = :id THEN 0 ELSE 1 END, id DESC LIMIT 1`,
    { id: /^[1-9]\d{0,14}$/.test(word) ? Number(word) : 0, word, userId: actor.id },
  );
  if (!task) throw unknown;
  return task;
}
