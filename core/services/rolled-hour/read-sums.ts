import type { Database } from '../../database/connect.ts';
import { givenBack } from './given-back.ts';
import { addUp, type CallParts, noParts, partNames, rolledParts, roundedParts, rowParts } from './parts.ts';
import { type LogRange, selectRanges, splitRange } from './split-range.ts';

interface ReportRange extends LogRange {
  /** Undefined = all users. */
  user: number | undefined;
}

// SQL throughout: grouped sums, over rolled hours and over what is not rolled up.

/** What the calls of a model, user or hour consisted of, as far as the log goes back or was rolled up. */
export async function partsBy(
  database: Database,
  by: 'model' | 'user' | 'hour',
  range: ReportRange,
): Promise<(CallParts & { key: string | number })[]> {
  const { rolled, rows } = await splitRange(database, range);
  const logs = await database.logHome();
  const whose = range.user === undefined ? '' : ' AND user_id = :user';
  const key = { model: 'model_name', user: 'user_id', hour: 'created_at' }[by];
  const rowKey = by === 'hour' ? 'created_at - created_at % 3600' : key;
  const sums = await Promise.all([
    selectRanges<CallParts & { key: string | number }>(
      database,
      rolled,
      (times) => `SELECT ${key} AS key, ${rolledParts} FROM usage_parts WHERE ${times}${whose} GROUP BY ${key}`,
      { user: range.user },
    ),
    selectRanges<CallParts & { key: string | number }>(
      logs,
      rows,
      (times) => `SELECT ${rowKey} AS key, ${rowParts(logs.engine)} FROM logs WHERE ${times}${whose} AND type = 2
        GROUP BY ${rowKey}`,
      { user: range.user },
    ),
  ]);
  return addUp(sums.flat(), ({ key: value }) => String(value), partNames);
}

export interface ChannelSums extends CallParts {
  id: number;
  calls: number;
  quota: number;
}

/** What each channel served, less what went back for it, the largest spending first. Of one user, only the rows of the log know it. */
export async function channelSums(database: Database, range: ReportRange): Promise<ChannelSums[]> {
  const { user } = range;
  const { rolled, rows } = user === undefined ? await splitRange(database, range) : { rolled: [], rows: [range] };
  const logs = await database.logHome();
  const back = givenBack(database, logs, { rolled, rows, user });
  const sums = await Promise.all([
    selectRanges<ChannelSums>(
      database,
      rolled,
      (times) => `SELECT channel_id AS id, CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(quota) AS BIGINT) AS quota,
        ${rolledParts} FROM channel_hours WHERE ${times} GROUP BY channel_id`,
    ),
    selectRanges<ChannelSums>(
      logs,
      rows,
      (
        times,
      ) => `SELECT channel_id AS id, count(*) AS calls, CAST(sum(quota) AS BIGINT) AS quota, ${rowParts(logs.engine)}
        FROM logs WHERE ${times}${user === undefined ? '' : ' AND user_id = :user'} AND type = 2 GROUP BY channel_id`,
      { user },
    ),
    back.then((all) => all.map(({ id, quota }) => ({ ...noParts, id, calls: 0, quota: -quota }))),
  ]);
  return addUp(sums.flat(), ({ id }) => String(id), ['calls', 'quota', ...partNames])
    .map(roundedParts)
    .sort((a, b) => b.quota - a.quota || a.id - b.id);
}
