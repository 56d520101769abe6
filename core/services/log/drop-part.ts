import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { type LogPart, logPartsSql, partsFrom, shortLockMs, withShortLock } from '../../database/log-part.ts';
import { lockName } from '../../database/named-lock.ts';
import type { LogHome } from '../log-store/home.ts';
import { clearBatch } from './clear.ts';
import type { KeptSum } from './kept-sum.ts';
import { type Pacing, removeInBatches } from './pace.ts';

/** Rows that are added up at a time; each statement has a time limit. */
const rowsAtOnce = 250_000;

/** Deletes all rows older than a moment: whole months at once where the log has them, the others in batches. */
export async function removeBefore(home: LogHome, before: number, { signal, onProgress }: Pacing): Promise<number> {
  const dropped = await dropParts(home, before, { signal, onProgress });
  const deleted = await removeInBatches((limit) => clearBatch(home, before, limit), {
    signal,
    onProgress: onProgress && ((count) => onProgress(dropped + count)),
  });
  return dropped + deleted;
}

/**
 * Drops the months of the log that are wholly older than a moment: however many rows they have, the log is locked for milliseconds.
 * What the rows had counted is kept, as `clearBatch` does. Returns how many rows went. A month that someone
 * reads all the time, such as a backup, stays; its rows can still be deleted.
 */
async function dropParts(home: LogHome, before: number, pacing: Pacing): Promise<number> {
  if (home.logs.engine === 'sqlite') return 0;
  let deleted = 0;
  for (const part of await pastParts(home.logs, before)) {
    if (pacing.signal?.aborted) break;
    deleted += await dropPart(home, part, pacing.signal);
    pacing.onProgress?.(deleted);
  }
  return deleted;
}

/** The part of everything older is one of them only while it has rows: it stays, so that whatever is old finds its place. */
async function pastParts(database: Database, before: number): Promise<LogPart[]> {
  const parts = partsFrom(await database.select<{ name: string; bound: string }>(logPartsSql));
  const past = parts.filter(({ until }) => until !== undefined && until <= before);
  const [first, ...months] = past;
  if (!first || first.from !== undefined) return past;
  return (await hasRows(database, first.name)) ? past : months;
}

async function hasRows(database: Database, name: string, transaction?: Transaction): Promise<boolean> {
  return (await database.select(`SELECT 1 FROM ${name} LIMIT 1`, {}, transaction)).length > 0;
}

async function isThere(database: Database, name: string, transaction: Transaction): Promise<boolean> {
  const [row] = await database.select<{ there: boolean }>(
    'SELECT to_regclass(:name) IS NOT NULL AS there',
    { name },
    transaction,
  );
  return row?.there ?? false;
}

function dropPart({ logs, change }: LogHome, part: LogPart, signal: AbortSignal | undefined): Promise<number> {
  const before = part.until ?? 0;
  return change(
    async (transaction, keep) => {
      const run = (sql: string) => logs.sequelize.query(sql, { transaction });
      // Two that have added up the same month would keep each other from dropping it.
      await lockName(logs, 'drop-log-part', transaction);
      if (!(await isThere(logs, part.name, transaction))) return 0;
      // Rows can be read meanwhile. One that is written now is of a call that ended months ago; it waits.
      await run(`LOCK TABLE ${part.name} IN SHARE MODE`);
      const { rows, sums } = await addUp(logs, part.name, transaction, signal);
      if (signal?.aborted) return 0;
      const isDropped = await withShortLock(
        () =>
          // A savepoint: the rows that a try has locked are free again when it has to give up.
          logs.sequelize.transaction({ transaction }, async (tried) => {
            await logs.sequelize.query(`SET LOCAL lock_timeout = ${shortLockMs}`, { transaction: tried });
            await keep({ sums, before }, tried);
            await logs.sequelize.query(`DROP TABLE ${part.name}`, { transaction: tried });
            await closeGap(logs, part, tried);
          }),
        signal,
      );
      return isDropped ? rows : 0;
    },
    { before },
  );
}

/** What is older than the months has a place again, up to the first of them. */
async function closeGap(database: Database, { name, until }: LogPart, transaction: Transaction): Promise<void> {
  const run = (sql: string) => database.sequelize.query(sql, { transaction });
  if (name !== 'logs_before') {
    // Filled again meanwhile: then what belongs to the dropped month goes with what fits nowhere, until the next time.
    if (await hasRows(database, 'logs_before', transaction)) return;
    await run('DROP TABLE logs_before');
  }
  await run(`SELECT logs_add_before(${until})`);
}

interface AddedUp {
  rows: number;
  sums: KeptSum[];
}

/** What consumption rows counted, by subject; a piece at a time, and stopped between two. */
async function addUp(
  database: Database,
  name: string,
  transaction: Transaction,
  signal: AbortSignal | undefined,
): Promise<AddedUp> {
  const totals = new Map<string, KeptSum>();
  let rows = 0;
  const [edge] = await database.select<{ first: number | null; last: number | null }>(
    `SELECT min(id) AS first, max(id) AS last FROM ${name}`,
    {},
    transaction,
  );
  for (let from = edge?.first ?? 1; from <= (edge?.last ?? 0) && !signal?.aborted; from += rowsAtOnce) {
    const piece = await database.select<Omit<KeptSum, 'subject'> & { subject: KeptSum['subject'] | ''; rows: number }>(
      `SELECT CASE WHEN grouping(user_id) = 0 THEN 'user' WHEN grouping(token_id) = 0 THEN 'token'
          WHEN grouping(channel_id) = 0 THEN 'channel' ELSE '' END AS subject,
        coalesce(user_id, token_id, channel_id, 0) AS id, coalesce(sum(quota) FILTER (WHERE type = 2), 0)::bigint AS quota,
        count(*) AS rows
       FROM ${name} WHERE id >= :from AND id < :to
       GROUP BY GROUPING SETS ((user_id), (token_id), (channel_id), ())`,
      { from, to: from + rowsAtOnce },
      transaction,
    );
    for (const { subject, id, quota, rows: count } of piece) {
      // The line over all of them counts the rows.
      if (subject === '') rows += count;
      else if (id > 0 && quota !== 0) {
        const key = `${subject} ${id}`;
        totals.set(key, { subject, id, quota: quota + (totals.get(key)?.quota ?? 0) });
      }
    }
  }
  const order = (a: KeptSum, b: KeptSum) => (a.subject === b.subject ? a.id - b.id : a.subject < b.subject ? -1 : 1);
  return { rows, sums: [...totals.values()].sort(order) };
}
