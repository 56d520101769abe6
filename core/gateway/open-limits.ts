import { warn } from '../app/installation.ts';
import type { App } from '../app.ts';
import type { Database } from '../database/connect.ts';
import { followChanges } from '../database/follow-changes.ts';
import { explainBudgetRefusal } from '../relay/limit/budget-refusal.ts';
import { createCallLimits } from '../relay/limit/call-limit.ts';
import { isOfCalls, limitsAnything } from '../relay/limit/call-rule.ts';
import { explainRefusal } from '../relay/meter/refusal.ts';
import { callLimitSettings, quotaFormat } from '../relay/relay-settings.ts';
import type { RelayDependencies } from '../relay/run.ts';
import { createLimitBook } from '../services/limit/book.ts';
import { createCountExchange } from '../services/limit/count-exchange.ts';
import type { RateLimiter } from '../services/rate-limit/rate-limit.ts';

interface LimitsDependencies {
  app: App;
  lookUps: Database;
  rateLimiter: RateLimiter;
  /** Between two exchanges of counts, in place of the shipped time. */
  everyMs: number | undefined;
}

const sharedByTableMs = 1000;
/** With Redis, or with a single process, the exchanged counts are only for display. */
const shownMs = 5000;

/** The limits of calls, as they are at this moment: settings, stored limits, and what other processes count. */
export async function openLimits({ app, lookUps, rateLimiter, everyMs }: LimitsDependencies) {
  const { config, feed, logger, services, now } = app;
  const { options } = services;
  const format = () => quotaFormat(options);
  const book = createLimitBook({ database: lookUps, timeZone: () => options.get('LimitTimeZone'), now });
  const { settled } = await followChanges(feed, {
    subjects: ['limits'],
    read: book.load,
    onError: warn(logger, 'limits could not be read'),
  });
  const callLimits = createCallLimits(rateLimiter, book, callLimitSettings(options));
  const stopFollowing = options.onChange(() => callLimits.change(callLimitSettings(options)));
  const isShared = config.database.engine === 'postgres' && config.redisUrl === undefined;
  const counts = createCountExchange({
    database: lookUps,
    limiter: rateLimiter,
    isWanted: () => !book.isEmpty() || limitsAnything(callLimitSettings(options)),
    isOfCalls,
    everyMs: everyMs ?? (isShared ? sharedByTableMs : shownMs),
    onError: warn(logger, 'the counts of limits could not be exchanged'),
    now,
  });

  const refusal: RelayDependencies['refusal'] = ({ caller }, { by, needed, model, budgets }) =>
    by === 'budget'
      ? explainBudgetRefusal(
          { owner: caller, model, budgets, needed },
          { database: lookUps, book, format, nowSeconds: now },
        )
      : explainRefusal({ caller }, by, needed, { database: lookUps, format, nowSeconds: now });

  return {
    book,
    callLimits,
    refusal,
    exchange: counts.exchange,
    /** Resolves once the last change that was heard of is in force. */
    settled,
    async close() {
      stopFollowing();
      await counts.close();
    },
  };
}
