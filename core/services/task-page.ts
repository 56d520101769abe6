import type { Database } from '../database/connect.ts';
import { usernameKey } from '../schemas/user.ts';

interface TaskPageQuery {
  table: 'drawings' | 'tasks';
  columns: string;
  /** From 1. */
  page: number;
  pageSize: number;
  /** Only this user's; empty and absent mean everybody's. */
  username: string | undefined;
  /** Columns and what they must be; 0, empty and absent mean anything. */
  equal: Record<string, string | number | undefined>;
  /** In the unit of the table's `submit_time`; 0 = open. */
  submittedBetween: [start: number, end: number];
}

/** Counting past rows costs as much as reading them; older ones are found by time. */
const deepestRow = 100_000;

/** One page of drawings or tasks, newest first, each with the name of its owner. */
export async function readTaskPage<T extends { user_id: number }>(
  database: Database,
  query: TaskPageQuery,
): Promise<(T & { username: string })[]> {
  const { table, columns, page, pageSize, equal, username } = query;
  const [start, end] = query.submittedBetween;
  const offset = (page - 1) * pageSize;
  if (offset > deepestRow) return [];
  const owner = username ? await ownerNamed(database, username) : undefined;
  if (owner === 0) return [];
  const used = Object.entries(owner ? { ...equal, user_id: owner } : equal).filter(([, value]) => Boolean(value));
  const conditions = [
    ...used.map(([name]) => `${name} = :${name}`),
    ...(start > 0 ? ['submit_time >= :start'] : []),
    ...(end > 0 ? ['submit_time <= :end'] : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const rows = await database.select<T>(
    `SELECT ${columns} FROM ${table} ${where} ORDER BY id DESC LIMIT ${pageSize} OFFSET :offset`,
    { ...Object.fromEntries(used), start, end, offset },
  );
  const names = await namesOf(database, rows);
  return rows.map((row) => ({ ...row, username: names.get(row.user_id) ?? '' }));
}

/** 0 when nobody is called that. */
async function ownerNamed(database: Database, username: string): Promise<number> {
  const where = { username_key: usernameKey(username) };
  return (await database.users.findOne({ attributes: ['id'], where, raw: true }))?.id ?? 0;
}

async function namesOf(database: Database, rows: { user_id: number }[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))];
  if (ids.length === 0) return new Map();
  const users = await database.users.findAll({ attributes: ['id', 'username'], where: { id: ids }, raw: true });
  return new Map(users.map(({ id, username }) => [id, username]));
}
