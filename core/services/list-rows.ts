import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import type { Paging } from '../schemas/paging.ts';

/** A list query of constant SQL parts; everything a person typed goes into `replacements`. */
export interface ListQuery {
  table: string;
  conditions: string[];
  replacements: Record<string, unknown>;
  order: string;
}

/** One page and the number of all rows. */
export async function listRows<T extends object>(
  database: Database,
  { table, conditions, replacements, order }: ListQuery,
  { page, page_size }: Paging,
): Promise<{ rows: T[]; total: number }> {
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const [counted] = await database.select<{ total: number }>(
    `SELECT count(*) AS total FROM ${table} ${where}`,
    replacements,
  );
  const rows = await database.select<T>(
    `SELECT * FROM ${table} ${where} ORDER BY ${order} LIMIT :page_size OFFSET :offset`,
    { ...replacements, page_size, offset: (page - 1) * page_size },
  );
  return { rows, total: counted?.total ?? 0 };
}

/** SQL of an order a schema let through: the name of a column, perhaps with `-` before it. */
export function orderBy(sort: string): string {
  const column = sort.replace(/^-/, '');
  // The schema's list is the guard; this is for the day somebody calls it with another.
  if (!/^[a-z_]+$/.test(column)) throw new TypeError(`${column} is no column`);
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  return column === 'id' ? `id ${direction}` : `"${column}" ${direction}, id DESC`;
}

/** Several rows are changed all or none: throws what `missing` makes of the first id that is not among them. */
export function requireAll(
  ids: readonly number[],
  rows: readonly { id: number }[],
  missing: (id: number) => Error,
): void {
  const there = new Set(rows.map(({ id }) => id));
  const gone = ids.find((id) => !there.has(id));
  if (gone !== undefined) throw missing(gone);
}

/** One after the other; an error says which of them it is about. */
export async function forEachRow<T extends { id: number }>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  work: (row: T) => Promise<void>,
): Promise<void> {
  for (const row of rows) {
    try {
      await work(row);
    } catch (error) {
      if (!(error instanceof AppError) || rows.length === 1) throw error;
      const about = `${row.id} (${nameOf(row)})`;
      throw new AppError(error.code, error.details, { cause: error, about });
    }
  }
}
