import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { hourOf, secondsPerHour } from '../../lib/clock.ts';
import type { TopToken } from '../../schemas/overview.ts';
import type { LogRange } from '../rolled-hour/split-range.ts';
import { lessRefunded, type RefundedRow, refundedRows } from '../usage/refunded-rows.ts';
import { isHourly, sourceDatabase, sourceOf, type UsageScope } from '../usage/usage-source.ts';
import type { Spans } from './spans.ts';

// SQL throughout: grouped sums.

/** More would be a table. */
const maxShown = 5;

interface Ranked {
  key: string | number;
  name: string;
  requests: number;
  quota: number;
}

type Compared = Ranked & { previous_quota: number };

/** The models that cost most in a span, and what each cost in the span before. */
export async function readTopModels(database: Database, spans: Spans, scope: UsageScope = {}) {
  const ranked = await rank(database, spans, { key: 'model_name', name: 'model_name', scope });
  return ranked.map(({ key: _, ...model }) => model);
}

/** The users who spent most. A name may have changed within the span: the latest in the alphabet stands for all. */
export async function readTopUsers(database: Database, spans: Spans, scope: UsageScope = {}) {
  const ranked = await rank(database, spans, { key: 'user_id', name: 'max(username)', scope });
  return ranked.map(({ key, ...user }) => ({ id: Number(key), ...user }));
}

async function rank(
  database: Database,
  { span, previous }: Spans,
  { key, name, scope }: { key: 'model_name' | 'user_id'; name: string; scope: UsageScope },
): Promise<Compared[]> {
  const { table, where: conditions, count, replacements } = sourceOf(scope);
  const isRough = isHourly(scope);
  const where = ['created_at >= :start', 'created_at <= :end', ...conditions].join(' AND ');
  const source = await sourceDatabase(database, table);
  // Hourly sums are less by what went back.
  const refundedIn = (range: LogRange) => (isRough ? [] : refundedRows(database, range, scope));
  const rowKey = (row: RefundedRow) => String(row[key]);
  const refunded = await refundedIn(span);
  const all = await source.select<Ranked>(
    // PostgreSQL returns sums of decimals as text.
    `SELECT ${key} AS key, ${name} AS name, CAST(sum(${count}) AS BIGINT) AS requests, ${sumOfQuota()} AS quota
      FROM ${table} WHERE ${where} GROUP BY ${key} ORDER BY ${sumOfQuota()} DESC, ${key}
      LIMIT ${candidatesWith(refunded.map(rowKey))}`,
    { ...replacements, start: isRough ? hourOf(span.start) : span.start, end: span.end },
  );
  const sumKey = (sum: Pick<Ranked, 'key'>) => String(sum.key);
  const ranked = largest(lessRefunded(all, { refunded, rowKey, sumKey }));
  if (ranked.length === 0) return [];
  const before = await source.select<{ key: string | number; quota: number }>(
    `SELECT ${key} AS key, ${sumOfQuota()} AS quota
      FROM ${table} WHERE ${where} AND ${key} IN (:keys) GROUP BY ${key}`,
    {
      ...replacements,
      start: isRough ? hourOf(previous.start) : previous.start,
      // The hour in which the next span begins belongs to that.
      end: isRough ? Math.min(previous.end, hourOf(span.start) - 1) : previous.end,
      keys: ranked.map((row) => row.key),
    },
  );
  const kept = lessRefunded(before, { refunded: await refundedIn(previous), rowKey, sumKey });
  const known = new Map(kept.map((row) => [row.key, row.quota]));
  return ranked.map((row) => ({ ...row, previous_quota: known.get(row.key) ?? 0 }));
}

/** Among so many are those that are the largest once what went back is taken off. */
const candidatesWith = (refundedKeys: string[]): number => maxShown + new Set(refundedKeys).size;

/** Sums that are equal stay in their order. */
const largest = <Sum extends { quota: number }>(sums: Sum[]): Sum[] =>
  sums.sort((a, b) => b.quota - a.quota).slice(0, maxShown);

/** The tokens of one user that cost most since a moment; only the rows of the log tell tokens apart. */
export async function readOwnTokens(database: Database, userId: number, since: number): Promise<TopToken[]> {
  const logs = await database.logHome();
  const refunded = await refundedRows(database, { start: since, end: Number.MAX_SAFE_INTEGER }, { userId });
  const rowKey = ({ token_id }: RefundedRow) => String(token_id);
  const all = await logs.select<TopToken>(
    `SELECT token_id AS id, max(token_name) AS name, max(user_id) AS user_id, max(username) AS username,
        count(*) AS requests, ${sumOfQuota()} AS quota, NULL AS previous_quota
      FROM logs WHERE user_id = :userId AND created_at >= :since AND type = 2 AND token_id > 0
      GROUP BY token_id ORDER BY ${sumOfQuota()} DESC, token_id LIMIT ${candidatesWith(refunded.map(rowKey))}`,
    { userId, since },
  );
  return largest(lessRefunded(all, { refunded, rowKey, sumKey: ({ id }) => String(id) }));
}

/** What a channel served for a token. */
export interface ChannelUse {
  channel_id: number;
  token_id: number;
  token_name: string;
  user_id: number;
  username: string;
  requests: number;
  quota: number;
  last_used: number;
}

/** Read once for channels and tokens: a day of a busy installation is a long list. */
export async function readServed(database: Database, since: number, channelIds?: number[]): Promise<ChannelUse[]> {
  if (channelIds?.length === 0) return [];
  const logs = await database.logHome();
  const sums = await logs.select<ChannelUse>(
    `SELECT channel_id, token_id, max(token_name) AS token_name, max(user_id) AS user_id, max(username) AS username,
        count(*) AS requests, ${sumOfQuota()} AS quota, max(created_at) AS last_used
      FROM logs WHERE created_at >= :since AND type = 2${channelIds ? ' AND channel_id IN (:channelIds)' : ''}
      GROUP BY channel_id, token_id`,
    { since, channelIds },
  );
  const key = ({ channel_id, token_id }: Pick<ChannelUse, 'channel_id' | 'token_id'>) => `${channel_id} ${token_id}`;
  const refunded = await refundedRows(database, { start: since, end: Number.MAX_SAFE_INTEGER });
  return lessRefunded(sums, { refunded, rowKey: key, sumKey: key });
}

/** The tokens behind most of what was served. */
export function topTokens(served: ChannelUse[]): TopToken[] {
  const tokens = new Map<number, TopToken>();
  for (const { token_id: id, token_name: name, user_id, username, requests, quota } of served) {
    if (id <= 0) continue;
    const known = tokens.get(id) ?? { id, name, user_id, username, requests: 0, quota: 0, previous_quota: null };
    tokens.set(id, { ...known, requests: known.requests + requests, quota: known.quota + quota });
  }
  return [...tokens.values()].sort((a, b) => b.quota - a.quota || a.id - b.id).slice(0, maxShown);
}

const shownHours = 24;

/** Paid requests in each of the last 24 hours by channel, the current hour last. */
export async function readChannelHours(database: Database, now: number): Promise<Map<number, number[]>> {
  const first = hourOf(now) - (shownHours - 1) * secondsPerHour;
  const logs = await database.logHome();
  const rows = await logs.select<{ channel_id: number; hour: number; requests: number }>(
    `SELECT channel_id, (created_at - :first) / ${secondsPerHour} AS hour, count(*) AS requests FROM logs
      WHERE created_at >= :first AND type = 2 GROUP BY channel_id, hour`,
    { first },
  );
  const channels = new Map<number, number[]>();
  for (const { channel_id, hour, requests } of rows) {
    const hours = channels.get(channel_id) ?? Array.from({ length: shownHours }, () => 0);
    hours[Math.min(Number(hour), shownHours - 1)] = requests;
    channels.set(channel_id, hours);
  }
  return channels;
}
