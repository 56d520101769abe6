import type { App } from '../../core/app.ts';
import { createExplain, type Explain } from '../../core/relay/explain/explain.ts';
import { createSensitiveWords } from '../../core/relay/limit/sensitive-words.ts';
import { relayLimits, relayOptions, sensitiveWordList } from '../../core/relay/relay-settings.ts';
import { createCallerService } from '../../core/services/caller.ts';
import { ChannelSpeeds } from '../../core/services/health/speeds.ts';
import { createLimitBook } from '../../core/services/limit/book.ts';
import { createRouting } from '../../core/services/routing.ts';
import { quotaFormat } from '../print/quota-format.ts';

/** The steps of the relay, in a process that serves no calls. */
export async function openExplain({
  config,
  database,
  feed,
  secretBox,
  services,
  now: nowSeconds,
}: App): Promise<Explain> {
  const { options, groups, pricing, modelSettings, storedResponses, audit, health } = services;
  // A key that cannot be read is part of the response.
  const routing = await createRouting({ database, feed, secretBox, onError: () => undefined });
  const limitBook = createLimitBook({ database, timeZone: () => options.get('LimitTimeZone'), now: nowSeconds });
  await limitBook.load();
  const format = () => quotaFormat(options);
  return createExplain({
    limitBook,
    database,
    routing,
    groups,
    pricing,
    storedResponses,
    audit,
    channelHealth: health,
    speeds: new ChannelSpeeds({ database }),
    nowSeconds,
    callers: createCallerService({ database, feed, secretBox, groups, format, nowSeconds }),
    options: relayOptions(options, modelSettings),
    limits: relayLimits(config),
    sensitiveWords: createSensitiveWords(() => sensitiveWordList(options)),
    quotaFormat: format,
  });
}
