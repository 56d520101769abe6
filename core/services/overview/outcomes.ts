import type { Database } from '../../database/connect.ts';
import { cutOutcomes, type FailedOutcome } from '../../schemas/log.ts';
import type { OverviewOutcomes } from '../../schemas/overview.ts';
import type { UsageDataSpan } from '../../schemas/usage-data.ts';
import { slotsOf } from '../usage/slots.ts';
import { conditionsOf, type UsageScope } from '../usage/usage-source.ts';
import { boundsOf } from '../usage/usage-sums.ts';
import { countIn, isError, maxCounting } from './failures.ts';

/** Turned away by this installation itself; whatever else went wrong failed. */
const refusedOutcomes: readonly FailedOutcome[] = ['refused', 'limited', 'shed'];

interface Wanted {
  now: number;
  /** Paid requests by hour or day, of which some were cut. */
  paid: { created_at: number; count: number }[];
  scope: UsageScope;
}

interface Slot {
  slot: number;
  count: number;
}

/** How the requests of each hour or day ended, in their order; slots without a request are left out. */
export async function readOutcomes(
  database: Database,
  span: UsageDataSpan,
  { now, paid, scope }: Wanted,
): Promise<OverviewOutcomes[]> {
  const { start, end } = boundsOf(span, now);
  const { sql: slot, startOf } = slotsOf(span, { start, end });
  const where = ['created_at >= :start', 'created_at <= :end', ...conditionsOf(scope)].join(' AND ');
  const replacements = { ...scope, start, end, cut: cutOutcomes };
  // SQL: grouped counts of rows that one index must find. Cut responses are few: the index of the contents knows them.
  const logs = await database.logHome();
  const content = `substr(content, 1, 64)${logs.engine === 'postgres' ? ' COLLATE "C"' : ''}`;
  const isRefused = refusedOutcomes.map((outcome) => `other LIKE '%${outcomeMark(outcome)}%'`).join(' OR ');
  const [cut, errors, more] = await Promise.all([
    logs.select<Slot>(
      `SELECT ${slot} AS slot, count(*) AS count FROM logs
        WHERE ${where} AND type = 2 AND content <> '' AND ${content} IN (:cut) GROUP BY slot`,
      replacements,
    ),
    logs.select<Slot & { refused: number }>(
      `SELECT ${slot} AS slot, count(*) AS count, count(CASE WHEN ${isRefused} THEN 1 END) AS refused FROM logs
        WHERE ${where} AND ${isError} AND request_id IS NOT NULL GROUP BY slot`,
      replacements,
    ),
    logs.select<{ slot: number; other: string }>(
      `SELECT ${slot} AS slot, other FROM logs WHERE ${where} AND ${isError} AND request_id IS NULL LIMIT ${maxCounting}`,
      replacements,
    ),
  ]);
  const slots = new Map<number, OverviewOutcomes>();
  const add = (created_at: number, part: Partial<Omit<OverviewOutcomes, 'created_at'>>) => {
    const { ok, cut, refused, failed } = slots.get(created_at) ?? nothing;
    const { ok: moreOk = 0, cut: moreCut = 0, refused: moreRefused = 0, failed: moreFailed = 0 } = part;
    const sums = { ok: ok + moreOk, cut: cut + moreCut, refused: refused + moreRefused, failed: failed + moreFailed };
    slots.set(created_at, { created_at, ...sums });
  };
  for (const { created_at, count } of paid) add(created_at, { ok: count });
  // A row that the hourly sums do not know yet makes no slot negative.
  for (const { slot: at, count } of cut) {
    add(startOf(at), { ok: -Math.min(count, slots.get(startOf(at))?.ok ?? 0), cut: count });
  }
  for (const { slot: at, count, refused } of errors) add(startOf(at), { refused, failed: count - refused });
  // Only clients that call far too often have these.
  for (const { slot: at, other } of more) add(startOf(at), { refused: countIn(other) });
  return [...slots.values()].sort((a, b) => a.created_at - b.created_at);
}

/** As the writer of the rows has it. */
const outcomeMark = (outcome: FailedOutcome) => `"outcome":"${outcome}"`;
const nothing = { ok: 0, cut: 0, refused: 0, failed: 0 };
