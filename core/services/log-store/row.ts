import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { storableText } from '../../lib/storable-text.ts';
import { logType } from '../../schemas/log-type.ts';

// SQL throughout: a batch is one statement with one parameter, whatever the rows hold.

const columns = [
  ...(['id', 'request_id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_id', 'token_name'] as const),
  ...(['model_name', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time', 'is_stream', 'channel_id'] as const),
  ...(['group', 'other'] as const),
];
const names = columns.map((name) => `"${name}"`).join(', ');

// Sequelize hands back what an INSERT returns only where the statement begins with another word.
const insert = {
  sqlite: `WITH given AS (SELECT value FROM json_each($1)) INSERT INTO logs (${names})
    SELECT ${columns.map((name) => `value ->> '${name}'`).join(', ')} FROM given WHERE true ON CONFLICT DO NOTHING RETURNING id`,
  postgres: `INSERT INTO logs (${names}) SELECT ${names} FROM json_populate_recordset(NULL::logs, $1)
    ON CONFLICT DO NOTHING RETURNING id`,
};

/** The rows behind an id, by their ids. */
export const rowsAfter = (from: Database, id: number, limit: number, transaction?: Transaction): Promise<LogRow[]> =>
  from.select<LogRow>('SELECT * FROM logs WHERE id > :id ORDER BY id LIMIT :limit', { id, limit }, transaction);

/**
 * Writes rows of the other database under their ids; those that are there are left alone. Returns the ones that are there afterwards,
 * and the id of one that is not, because another row has its place.
 */
export async function putRows(
  to: Database,
  rows: LogRow[],
  transaction: Transaction,
): Promise<{ there: LogRow[]; refused: number | undefined }> {
  if (rows.length === 0) return { there: [], refused: undefined };
  const bind = [JSON.stringify(rows.map((row) => storable(row, to)))];
  const written = (await to.sequelize.query(insert[to.engine], { bind, type: 'SELECT', transaction })) as {
    id: number;
  }[];
  if (written.length === rows.length) return { there: rows, refused: undefined };
  const fresh = new Set(written.map(({ id }) => id));
  const rest = rows.filter(({ id }) => !fresh.has(id));
  const known = await knownRows(to, rest, transaction);
  const refused = rest.filter((row) => !known.has(row.id));
  return { there: rows.filter((row) => !refused.includes(row)), refused: refused[0]?.id };
}

/** Ids of rows that are there already. Of a failed call a second row says nothing more. */
async function knownRows(to: Database, rows: LogRow[], transaction: Transaction): Promise<Set<number>> {
  const ids = rows.map(({ id }) => id);
  const requests = rows.flatMap(({ type, request_id }) => (type === logType.error && request_id ? [request_id] : []));
  const found = await to.select<Pick<LogRow, 'id' | 'request_id' | 'created_at' | 'user_id' | 'type' | 'quota'>>(
    `SELECT id, request_id, created_at, user_id, type, quota FROM logs
      WHERE id IN (:ids)${requests.length > 0 ? ' OR request_id IN (:requests)' : ''}`,
    { ids, requests },
    transaction,
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  const byRequest = new Set(found.map(({ request_id }) => request_id));
  const isSame = (row: LogRow) => {
    const other = byId.get(row.id);
    return other && (['created_at', 'user_id', 'type', 'quota'] as const).every((name) => row[name] === other[name]);
  };
  const isSaid = (row: LogRow) => row.type === logType.error && row.request_id && byRequest.has(row.request_id);
  return new Set(rows.filter((row) => isSame(row) || isSaid(row)).map(({ id }) => id));
}

/** SQLite keeps texts that PostgreSQL refuses, and gives back 0 and 1 for a flag. */
function storable(row: LogRow, to: Database): Record<string, unknown> {
  const values = columns.map((name) => [name, name === 'is_stream' ? Boolean(row[name]) : row[name]] as const);
  if (to.engine === 'sqlite') return Object.fromEntries(values);
  return Object.fromEntries(
    values.map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  );
}

/** Refused only after the rows beside it have found their place. */
export function requireNoneRefused(id: number | undefined): void {
  if (id !== undefined) throw new AppError('logStore.rowDiffers', { id });
}
