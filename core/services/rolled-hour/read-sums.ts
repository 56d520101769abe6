import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { givenBack } from './given-back.ts';
import { addUp, type CallParts, noParts, partNames, rolledParts, roundedParts, rowParts } from './parts.ts';
import { type ContinuedHour, type LogRange, selectHalves, selectRanges, splitRange } from './split-range.ts';

interface ReportRange extends LogRange {
  /** Undefined = all users. */
  user: number | undefined;
}

// SQL throughout: grouped sums, over rolled hours and over what is not rolled up.

export interface UsageTotals extends CallParts {
  /** The model, the id of the user, or the full hour. */
  key: string | number;
  calls: number;
  tokens: number;
  quota: number;
}

/**
 * What each model, user or hour used. With `isSplit` also what the calls consisted of, as far as the log goes back or was rolled up: a
 * proven hour has the same sums in both tables, so only one of them is grouped.
 */
export async function usageBy(
  database: Database,
  by: 'model' | 'user' | 'hour',
  { isSplit, ...range }: ReportRange & { isSplit: boolean },
): Promise<UsageTotals[]> {
  const { rolled, rows, continued } = isSplit
    ? await splitRange(database, { ...range, knowsCleared: true })
    : { rolled: [], rows: [range], continued: [] };
  const logs = await database.logHome();
  const whose = range.user === undefined ? '' : ' AND user_id = :user';
  const key = { model: 'model_name', user: 'user_id', hour: 'created_at' }[by];
  const rowKey = by === 'hour' ? 'created_at - created_at % 3600' : key;
  const replacements = { user: range.user };
  const [ofRolled, ofHours, ofCleared, ofRows] = await Promise.all([
    selectHalves<Omit<UsageTotals, 'tokens'>>(
      database,
      rolled,
      (
        times,
      ) => `SELECT ${key} AS key, CAST(sum(known_calls) AS BIGINT) AS calls, ${sumOfQuota('known_quota')} AS quota,
        ${rolledParts} FROM usage_parts WHERE ${times}${whose} GROUP BY ${key}`,
      replacements,
    ),
    selectRanges<Omit<UsageTotals, keyof CallParts>>(
      database,
      [...rows, ...continued],
      (times) => `SELECT ${key} AS key, CAST(sum(count) AS BIGINT) AS calls, CAST(sum(token_used) AS BIGINT) AS tokens,
        ${sumOfQuota()} AS quota FROM usage_data WHERE ${times}${whose} GROUP BY ${key}`,
      replacements,
    ),
    selectRanges<CallParts & Pick<UsageTotals, 'key'>>(
      database,
      continued,
      (times) => `SELECT ${key} AS key, ${rolledParts} FROM usage_parts WHERE ${times}${whose} GROUP BY ${key}`,
      replacements,
    ),
    selectRows<CallParts & Pick<UsageTotals, 'key'>>(
      logs,
      { rows: isSplit ? rows : [], continued },
      (times) => `SELECT ${rowKey} AS key, ${rowParts(logs.engine)} FROM logs WHERE ${times}${whose} AND type = 2
        GROUP BY ${rowKey}`,
      replacements,
    ),
  ]);
  const all: UsageTotals[] = [
    ...ofRolled.map(({ key: one, calls, quota, ...parts }) => {
      const tokens = parts.prompt_tokens + parts.completion_tokens;
      return { key: one, calls, tokens, quota, ...parts };
    }),
    ...ofHours.map((sum) => ({ ...sum, ...noParts })),
    ...[...ofCleared, ...ofRows].map(({ key: one, ...parts }) => ({
      key: one,
      calls: 0,
      tokens: 0,
      quota: 0,
      ...parts,
    })),
  ];
  const totals = addUp(all, ({ key: value }) => String(value), ['calls', 'tokens', 'quota', ...partNames]);
  // Rows of the log that were never counted are told by no report.
  return totals.filter(({ calls, tokens, quota }) => calls > 0 || tokens > 0 || quota !== 0);
}

/** Rows of the log, of hours that were added up before only those that came since. */
async function selectRows<Row extends object>(
  logs: Database,
  { rows, continued }: { rows: LogRange[]; continued: ContinuedHour[] },
  sqlOf: (times: string) => string,
  replacements: Record<string, unknown>,
): Promise<Row[]> {
  const parts = await Promise.all([
    selectRanges<Row>(logs, rows, sqlOf, replacements),
    ...continued.map((hour) =>
      selectRanges<Row>(logs, [hour], (times) => sqlOf(`${times} AND id > :after`), {
        ...replacements,
        after: hour.lastId,
      }),
    ),
  ]);
  return parts.flat();
}

export interface ChannelSums extends CallParts {
  id: number;
  calls: number;
  quota: number;
}

/** What each channel served, less what went back for it, the largest spending first. Of one user, only the rows of the log know it. */
export async function channelSums(database: Database, range: ReportRange): Promise<ChannelSums[]> {
  const { user } = range;
  const { rolled, rows, continued } =
    user === undefined
      ? await splitRange(database, { ...range, knowsCleared: true })
      : { rolled: [], rows: [range], continued: [] };
  const logs = await database.logHome();
  const summed = [...rolled, ...continued];
  const back = givenBack(database, logs, { rolled: summed, rows, user });
  const sums = await Promise.all([
    selectRanges<ChannelSums>(
      database,
      summed,
      (times) => `SELECT channel_id AS id, CAST(sum(calls) AS BIGINT) AS calls, ${sumOfQuota()} AS quota,
        ${rolledParts} FROM channel_hours WHERE ${times} GROUP BY channel_id`,
    ),
    selectRows<ChannelSums>(
      logs,
      { rows, continued },
      (times) => `SELECT channel_id AS id, count(*) AS calls, ${sumOfQuota()} AS quota, ${rowParts(logs.engine)}
        FROM logs WHERE ${times}${user === undefined ? '' : ' AND user_id = :user'} AND type = 2 GROUP BY channel_id`,
      { user },
    ),
    back.then((all) => all.map(({ id, quota }) => ({ ...noParts, id, calls: 0, quota: -quota }))),
  ]);
  return addUp(sums.flat(), ({ id }) => String(id), ['calls', 'quota', ...partNames])
    .map(roundedParts)
    .sort((a, b) => b.quota - a.quota || a.id - b.id);
}
