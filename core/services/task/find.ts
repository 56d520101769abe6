import { literal, Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TaskRow } from '../../database/models/task.ts';
import { AppError } from '../../errors/app-error.ts';
import { isStorable } from '../../lib/storable-text.ts';
import { maxTaskId } from '../../providers/task/adapter.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { coded } from '../../text/coded.ts';
import { requireRole } from '../actor.ts';
import type { OpenTask } from './store.ts';

/** The two lists that paid jobs are shown in. */
export type TaskNoun = 'task' | 'drawing';

/** A job that its reader may see, running or over. */
export type FoundTask = OpenTask & Pick<TaskRow, 'user_id' | 'quota' | 'request_id'>;

/**
 * A job by its row id or by what its vendor calls it, of which the newest is meant: an administrator's is any, a user's is an own
 * one. Throws object.notFound, for another's job as for one that never was.
 */
export async function findTask(database: Database, actor: Actor, noun: TaskNoun, word: string): Promise<FoundTask> {
  requireRole(actor, role.user);
  const unknown = new AppError('object.notFound', { what: coded(`noun.${noun}`), id: word.slice(0, 64), noun });
  if (word === '' || word.length > maxTaskId || !isStorable(word)) throw unknown;
  const isAny = actor.role >= role.admin;
  const id = /^[1-9]\d{0,14}$/.test(word) ? Number(word) : 0;
  const task = await database.tasks.findOne({
    where: {
      [Op.or]: [{ id }, { task_id: word }],
      platform: noun === 'drawing' ? 'mj' : { [Op.ne]: 'mj' },
      ...(!isAny && { user_id: actor.id }),
    },
    order: [
      [literal(`CASE WHEN id = ${id} THEN 0 ELSE 1 END`), 'ASC'],
      ['id', 'DESC'],
    ],
    raw: true,
  });
  if (!task) throw unknown;
  return task;
}
