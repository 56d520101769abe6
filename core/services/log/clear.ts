import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { sumSubjects } from '../../database/lock-order.ts';
import type { LogRow } from '../../database/models/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { markCleared, markHourlySums } from '../ledger/ledger-mark.ts';

type Deleted = Pick<LogRow, 'type' | 'user_id' | 'token_id' | 'channel_id' | 'quota'>;

/**
 * Deletes the oldest rows of the log, at most `limit`, and keeps the books right: what the deleted rows had counted is kept
 * as a sum per user, token and channel in the same transaction. Returns how many rows went; 0 = none are left.
 */
export async function clearBatch(database: Database, before: number, limit = 1000): Promise<number> {
  return database.transaction(async (transaction) => {
    // SQL: what was deleted is known only by RETURNING.
    // The rows that come back are the rows that went: a second process clearing at the same time counts none of them again.
    const rows = await database.select<Deleted>(
      `${deleteOldest(database)} RETURNING type, user_id, token_id, channel_id, quota`,
      { before, limit },
      transaction,
    );
    if (rows.length === 0) return 0;
    await keepSums(database, rows, transaction);
    await markCleared(database, before, transaction);
    await markHourlySums(database, { clearedBefore: before }, transaction);
    return rows.length;
  });
}

/** SQL that deletes the `:limit` oldest rows before `:before`; on PostgreSQL the time says in which months they are. */
export function deleteOldest({ engine }: Pick<Database, 'engine'>, condition = ''): string {
  const where = `${condition}created_at < :before`;
  const [key, scope] = engine === 'postgres' ? ['id, created_at', 'created_at < :before AND '] : ['id', ''];
  return `DELETE FROM logs WHERE ${scope}(${key}) IN (SELECT ${key} FROM logs WHERE ${where} ORDER BY created_at LIMIT :limit)`;
}

/** What consumption rows counted, per user, token and channel, kept without the rows. */
export async function keepSums(database: Database, rows: Deleted[], transaction: Transaction): Promise<void> {
  const consumed = rows.filter(({ type, quota }) => type === logType.consume && quota !== 0);
  const sums = sumSubjects.flatMap((subject) => sumBy(subject, consumed, (row) => row[`${subject}_id`]));
  await addKeptSums(database, sums, transaction);
}

/** What rows that are gone had counted. */
export interface KeptSum {
  subject: (typeof sumSubjects)[number];
  id: number;
  quota: number;
}

const sumsPerStatement = 500;

/** In the order of core/database/lock-order.ts. */
export async function addKeptSums(database: Database, sums: KeptSum[], transaction: Transaction): Promise<void> {
  for (let at = 0; at < sums.length; at += sumsPerStatement) {
    const values = sums
      .slice(at, at + sumsPerStatement)
      .map(({ subject, id, quota }) => `('${subject}', ${id}, ${quota})`);
    // SQL: an upsert that adds, in a table of the ledger.
    await database.sequelize.query(
      `INSERT INTO unlogged_sums (subject, subject_id, quota) VALUES ${values.join(', ')}
        ON CONFLICT (subject, subject_id) DO UPDATE SET quota = unlogged_sums.quota + excluded.quota`,
      { transaction },
    );
  }
}

function sumBy(subject: (typeof sumSubjects)[number], rows: Deleted[], idOf: (row: Deleted) => number): KeptSum[] {
  const sums = new Map<number, number>();
  for (const row of rows) {
    // 0: the playground has no token, a failed call no channel.
    if (idOf(row) > 0) sums.set(idOf(row), (sums.get(idOf(row)) ?? 0) + row.quota);
  }
  return [...sums].sort(([a], [b]) => a - b).map(([id, quota]) => ({ subject, id, quota }));
}
