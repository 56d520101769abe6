import { rescueLevels } from '../rescue-level.ts';
import { routingStrategies } from '../routing-strategy.ts';
import { serverTools, serviceTiers } from '../surcharge.ts';
import { onCard } from './card.ts';
import { choiceMap, longPromptMap, numberMap, priceMap, textMap } from './json.ts';
import { decimal, flag, whole } from './kind.ts';
import { priceSource } from './link.ts';

/** Groups and prices: the tab `ratio`. The price maps hold the operator's own entries; built-in prices fill the rest. */
export const priceOptions = {
  ...onCard('group', {
    GroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }),
    UserUsableGroups: textMap({ default: '默认分组', vip: 'vip分组' }),
    GroupRoutingStrategy: choiceMap(routingStrategies),
    GroupStreamRescue: choiceMap(rescueLevels),
  }),
  ...onCard('price', {
    ModelPrice: numberMap(),
    ModelRatio: numberMap(),
    CompletionRatio: numberMap(),
    CacheRatio: numberMap(),
  }),
  ...onCard('cache', { CreateCacheRatio: numberMap(), CreateCacheHourRatio: numberMap() }),
  ...onCard('long-prompt', { LongPromptRatio: longPromptMap() }),
  ...onCard('price-sync', {
    PriceSyncHours: whole(0, 0, 8760, { unit: 'hours' }),
    PriceSyncSource: priceSource(),
    PriceSyncMaxPercent: decimal(20, 0, 1000, { unit: 'percent' }),
    PriceSyncNewPrices: flag(true),
    PriceSyncOwnPrices: flag(false),
  }),
  ...onCard('surcharge', { ToolPrice: priceMap(serverTools), ServiceTierRatio: priceMap(serviceTiers) }),
};
