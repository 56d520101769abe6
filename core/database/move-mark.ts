import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import type { Database } from './connect.ts';
import { openPostgresClient, sessionUrl } from './postgres-client.ts';
import { openSqlite } from './sqlite-connection.ts';

/** Names of the rows in `move_marks`. */
export const moveMark = {
  /** In the old database: the place that has its rows now. */
  movedTo: 'moved_to',
  /** In the new one, until it has everything: the place they come from. */
  movingFrom: 'moving_from',
  /** How far each table is. */
  table: (name: string) => `table ${name}`,
} as const;

const connectMs = 10_000;

export interface MoveMark {
  name: string;
  value: string;
  /** Unix seconds. */
  at: number;
}

/** Throws where a move has taken the rows away, or has not brought all of them yet: nothing may be billed there. */
export async function requireNotMoved(database: Pick<Database, 'select'>): Promise<void> {
  const objection = await objectionOf((sql) => database.select<MoveMark>(sql));
  if (objection) throw objection;
}

/**
 * Why nothing may be written to a database that is not open. Undefined when it may be: also where there is no database yet, or one of a
 * version that knew no moves.
 */
export async function moveObjection(place: Config['database']): Promise<AppError | undefined> {
  if (place.engine === 'sqlite') {
    if (!existsSync(place.file)) return undefined;
    const connection = await openSqlite(place.file, { readOnly: true });
    const isThere = "SELECT name FROM sqlite_master WHERE name = 'move_marks'";
    try {
      if ((await connection.all(isThere)).length === 0) return undefined;
      return await objectionOf((sql) => connection.all<MoveMark>(sql));
    } finally {
      await connection.close();
    }
  }
  const client = await openPostgresClient(sessionUrl(place), connectMs);
  try {
    const { rows } = await client.query("SELECT 1 WHERE to_regclass('move_marks') IS NOT NULL");
    if (rows.length === 0) return undefined;
    return await objectionOf(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

async function objectionOf(select: (sql: string) => Promise<MoveMark[]>): Promise<AppError | undefined> {
  // SQL: the table has no model, because nothing else reads it.
  const marks = await select(
    `SELECT name, value, at FROM move_marks WHERE name IN ('${moveMark.movedTo}', '${moveMark.movingFrom}')`,
  );
  const [moved] = marks.filter(({ name }) => name === moveMark.movedTo);
  if (moved) return movedError(moved);
  const [half] = marks;
  return half && new AppError('database.halfMoved', { place: half.value });
}

export const movedError = ({ value, at }: MoveMark): AppError =>
  new AppError('database.moved', { place: value, date: dayOf(Number(at)) });

export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
