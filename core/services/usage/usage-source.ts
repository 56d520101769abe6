import type { Database } from '../../database/connect.ts';
import type { LogSelection } from '../log/filter.ts';

/** Whose requests are meant; several conditions hold together, none means all. */
export interface UsageScope {
  userId?: number | undefined;
  /** With the user the token belongs to: rows of the log are found by user. */
  tokenId?: number | undefined;
  channelId?: number | undefined;
  model?: string | undefined;
}

/** Where the sums of a scope are read from, as parts of a statement. */
export interface SumSource {
  table: 'usage_data' | 'logs';
  /** Conditions besides the times. */
  where: string[];
  replacements: Record<string, unknown>;
  /** What is summed as requests and as tokens. */
  count: string;
  tokens: string;
}

/** Hourly sums where they know what is asked, else the rows of the log. */
export function sourceOf(scope: UsageScope): SumSource {
  const where = conditionsOf(scope);
  const replacements = { ...scope };
  return isHourly(scope)
    ? { table: 'usage_data', where, replacements, count: 'count', tokens: 'token_used' }
    : {
        table: 'logs',
        where: [...where, 'type = 2'],
        replacements,
        count: '1',
        tokens: 'prompt_tokens + completion_tokens',
      };
}

/** The database that has a table. */
export const sourceDatabase = async (database: Database, table: SumSource['table']): Promise<Database> =>
  table === 'logs' ? database.logHome() : database;

/** Hourly sums tell users and models apart, and nothing else. */
export const isHourly = ({ tokenId, channelId }: UsageScope): boolean =>
  tokenId === undefined && channelId === undefined;

/** Conditions on the columns of the log. */
export function conditionsOf({ userId, tokenId, channelId, model }: UsageScope): string[] {
  return [
    ...(userId === undefined ? [] : ['user_id = :userId']),
    ...(tokenId === undefined ? [] : ['token_id = :tokenId']),
    ...(channelId === undefined ? [] : ['channel_id = :channelId']),
    ...(model === undefined ? [] : ['model_name = :model']),
  ];
}

/** The scope as the log's own sums take it. */
export function selectionOf(scope: UsageScope): LogSelection {
  const { userId, tokenId, channelId, model } = scope;
  return {
    keys: [
      ...(userId === undefined ? [] : [{ column: 'user_id' as const, test: '= :userId' }]),
      ...(channelId === undefined ? [] : [{ column: 'channel_id' as const, test: '= :channelId' }]),
      ...(model === undefined ? [] : [{ column: 'model_name' as const, test: '= :model' }]),
    ],
    times: [],
    // No index knows the numbers of tokens; the rows of their user are few.
    rest: tokenId === undefined ? [] : ['token_id = :tokenId'],
    replacements: { ...scope },
    isEmpty: false,
  };
}
