import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import type { LogHome } from '../log-store/home.ts';
import { type CountedRow, sumsOf } from './kept-sum.ts';

/**
 * Deletes the oldest rows of the log, at most `limit`, and keeps the books right: what the deleted rows had counted is kept
 * as a sum per user, token and channel. Returns how many rows went; 0 = none are left.
 */
export function clearBatch({ logs, change }: LogHome, before: number, limit = 1000): Promise<number> {
  return change(
    async (transaction, keep) => {
      // SQL: what was deleted is known only by RETURNING.
      // The rows that come back are the rows that went: a second process clearing at the same time counts none of them again.
      const rows = await logs.select<CountedRow & Pick<LogRow, 'id'>>(
        `${deleteOldest(logs)} RETURNING id, type, user_id, token_id, channel_id, quota`,
        { before, limit },
        transaction,
      );
      if (rows.length > 0) await keep({ sums: sumsOf(rows), before }, transaction);
      return rows.length;
    },
    { before },
  );
}

/** SQL that deletes the `:limit` oldest rows before `:before`; on PostgreSQL the time says in which months they are. */
export function deleteOldest({ engine }: Pick<Database, 'engine'>, condition = ''): string {
  const where = `${condition}created_at < :before`;
  const [key, scope] = engine === 'postgres' ? ['id, created_at', 'created_at < :before AND '] : ['id', ''];
  return `DELETE FROM logs WHERE ${scope}(${key}) IN (SELECT ${key} FROM logs WHERE ${where} ORDER BY created_at LIMIT :limit)`;
}
