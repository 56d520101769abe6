import { col, type Order, type OrderItem, type WhereOptions, where } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { TableModel } from '../database/models/column.ts';
import { AppError } from '../errors/app-error.ts';
import { textMatches } from '../lib/text-match.ts';
import type { Paging } from '../schemas/paging.ts';

export interface ListQuery {
  where: WhereOptions;
  order: Order;
}

/** One page and the number of all rows. */
export async function listRows<Row extends object>(
  model: TableModel<Row>,
  { where: conditions, order }: ListQuery,
  { page, page_size }: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const total = await model.count({ where: conditions });
  const rows = await model.findAll({
    where: conditions,
    order,
    limit: page_size,
    offset: (page - 1) * page_size,
    raw: true,
  });
  return { rows, total };
}

/** The order a schema let through: the name of a column, perhaps with `-` before it. */
export function orderBy(sort: string): Order {
  const column = sort.replace(/^-/, '');
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const byColumn: OrderItem = [column, direction];
  return column === 'id' ? [byColumn] : [byColumn, ['id', 'DESC']];
}

/** The text of a column fits a pattern of `textMatches`. */
export const matches = ({ engine }: Pick<Database, 'engine'>, column: string, pattern: string) =>
  where(col(column), textMatches[engine].operator, pattern);

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
