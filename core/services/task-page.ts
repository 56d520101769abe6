import type { Database } from '../database/connect.ts';

interface TaskPageQuery {
  table: 'drawings' | 'tasks';
  columns: string;
  /** From 1. */
  page: number;
  /** Columns and what they must be; 0, empty and absent mean anything. */
  equal: Record<string, string | number | undefined>;
  /** In the unit of the table's `submit_time`; 0 = open. */
  submittedBetween: [start: number, end: number];
}

const pageSize = 10;
/** Counting past rows costs as much as reading them; older ones are found by time. */
const deepestRow = 100_000;

/** One page of drawings or tasks, newest first. */
export async function readTaskPage<T extends object>(database: Database, query: TaskPageQuery): Promise<T[]> {
  const { table, columns, page, equal } = query;
  const [start, end] = query.submittedBetween;
  const offset = (page - 1) * pageSize;
  if (offset > deepestRow) return [];
  const used = Object.entries(equal).filter(([, value]) => Boolean(value));
  const conditions = [
    ...used.map(([name]) => `${name} = :${name}`),
    ...(start > 0 ? ['submit_time >= :start'] : []),
    ...(end > 0 ? ['submit_time <= :end'] : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return database.select<T>(
    `SELECT ${columns} FROM ${table} ${where} ORDER BY id DESC LIMIT ${pageSize} OFFSET :offset`,
    { ...Object.fromEntries(used), start, end, offset },
  );
}
