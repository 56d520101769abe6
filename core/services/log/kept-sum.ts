import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { sumSubjects } from '../../database/lock-order.ts';
import type { LogRow } from '../../database/models/log.ts';
import { logType } from '../../schemas/log-type.ts';

export type CountedRow = Pick<LogRow, 'type' | 'user_id' | 'token_id' | 'channel_id' | 'quota'>;

/** What consumption rows counted, per user, token and channel, kept without the rows. */
export async function keepSums(database: Database, rows: CountedRow[], transaction: Transaction): Promise<void> {
  await addKeptSums(database, sumsOf(rows), transaction);
}

/** In the order of core/database/lock-order.ts. */
export function sumsOf(rows: CountedRow[]): KeptSum[] {
  const consumed = rows.filter(({ type, quota }) => type === logType.consume && quota !== 0);
  return sumSubjects.flatMap((subject) => sumBy(subject, consumed, (row) => row[`${subject}_id`]));
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

function sumBy(
  subject: (typeof sumSubjects)[number],
  rows: CountedRow[],
  idOf: (row: CountedRow) => number,
): KeptSum[] {
  const sums = new Map<number, number>();
  for (const row of rows) {
    // 0: the playground has no token, a failed call no channel.
    if (idOf(row) > 0) sums.set(idOf(row), (sums.get(idOf(row)) ?? 0) + row.quota);
  }
  return [...sums].sort(([a], [b]) => a - b).map(([id, quota]) => ({ subject, id, quota }));
}
