import { formatQuota, grouped } from '../../../../core/billing/quota.ts';
import { AppError } from '../../../../core/errors/app-error.ts';
import { isRequestId } from '../../../../core/lib/request-id.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { type Log, logListSchema } from '../../../../core/schemas/log.ts';
import { logsIn } from '../../../../core/services/log/text.ts';
import { logFilterFrom } from '../../../flag/log-filter.ts';
import { quotaFormat } from '../../../print/quota-format.ts';
import type { ListRequest } from '../../components/list-screen.tsx';
import type { Environment } from '../../environment.ts';
import type { ListPage } from '../../hooks/use-list.ts';
import { typeNumber } from './type-text.ts';

export const logFilters = ['type', 'model', 'user', 'channel', 'token', 'group', 'since', 'until'] as const;

/** Whose or what requests a list is of; 0 and '' stand for all. */
export interface LogScope {
  /** What was opened to come here, outermost first. */
  trail: readonly string[];
  userId?: number;
  channelId?: number;
  tokenName?: string;
  modelName?: string;
}

/** A page of the log, its texts in the language of the reader; of the rows behind `before_id` where there is one. */
export async function readLogs(
  environment: Environment,
  request: ListRequest,
  scope: LogScope,
  before_id = 0,
): Promise<ListPage<Log>> {
  const { app, speak } = environment;
  const { page, page_size, keyword, values } = request;
  if (keyword !== '') {
    if (Object.keys(values).length > 0)
      throw new AppError('input.invalid', { reason: speak('tui.log.wordsOrFilters') });
    const found = (await search(environment, keyword)).filter((log) => isIn(scope, log));
    const items = shownLogs(environment, found.slice((page - 1) * page_size, page * page_size));
    return { items, page, page_size, total: found.length };
  }
  const { type, user, ...words } = values;
  const number = type === undefined ? undefined : typeNumber(type, environment);
  const filter = await logFilterFrom(app, { ...words, type: number, username: user });
  const found = await app.services.logs.list(
    systemActor,
    logListSchema.parse({ ...filter, ...filterOf(scope), page, page_size, before_id }),
  );
  return { ...found, items: shownLogs(environment, found.items) };
}

/** In the language and the currency of the reader. */
export function shownLogs({ app, language }: Environment, logs: Log[]): Log[] {
  return logsIn(language, logs, moneyOf(app));
}

const moneyOf = (app: Environment['app']) => (quota: number) =>
  grouped(formatQuota(quota, quotaFormat(app.services.options)));

const filterOf = ({ userId, channelId, tokenName, modelName }: LogScope) => ({
  ...(userId && { user_id: userId }),
  ...(channelId && { channel: channelId }),
  ...(tokenName && { token_name: tokenName }),
  ...(modelName && { model_name: modelName }),
});

function isIn({ userId, channelId, tokenName, modelName }: LogScope, log: Log): boolean {
  return (
    (!userId || log.user_id === userId) &&
    (!channelId || log.channel === channelId) &&
    (!tokenName || log.token_name === tokenName) &&
    (!modelName || log.model_name === modelName)
  );
}

async function search({ app }: Environment, keyword: string): Promise<Log[]> {
  const { logs } = app.services;
  if (!isRequestId(keyword)) return logs.search(systemActor, keyword, moneyOf(app));
  try {
    return [await logs.get(systemActor, keyword)];
  } catch (error) {
    if (error instanceof AppError && error.code === 'object.notFound') return [];
    throw error;
  }
}
