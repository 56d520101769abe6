import { AppError } from '../errors/app-error.ts';
import type { Database } from './connect.ts';

/** Names of the rows in `move_marks`. */
export const moveMark = {
  /** In the old database: the place that has its rows now. */
  movedTo: 'moved_to',
  /** In the new one, until it has everything: the place they come from. */
  movingFrom: 'moving_from',
  /** How far each table is. */
  table: (name: string) => `table ${name}`,
} as const;

interface MoveMark {
  name: string;
  value: string;
  /** Unix seconds. */
  at: number;
}

/** Throws where a move has taken the rows away, or has not brought all of them yet: nothing may be billed there. */
export async function requireNotMoved(database: Pick<Database, 'select'>): Promise<void> {
  // SQL: the table has no model, because nothing else reads it.
  const marks = await database.select<MoveMark>('SELECT name, value, at FROM move_marks WHERE name IN (:names)', {
    names: [moveMark.movedTo, moveMark.movingFrom],
  });
  const [moved] = marks.filter(({ name }) => name === moveMark.movedTo);
  if (moved) throw new AppError('database.moved', { place: moved.value, date: dayOf(moved.at) });
  const [half] = marks;
  if (half) throw new AppError('database.halfMoved', { place: half.value });
}

export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
