import { serverTools, serviceTiers } from '../surcharge.ts';
import { longPromptMap, numberMap, priceMap, textMap } from './json.ts';
import { decimal, flag, secret, text, whole } from './kind.ts';
import { baseAddress } from './link.ts';

const maxQuota = Number.MAX_SAFE_INTEGER;

/** Quota, prices and payment. The price maps hold the operator's own entries; built-in prices fill the rest. */
export const moneyOptions = {
  QuotaForNewUser: whole(0, 0, maxQuota, 'quota'),
  QuotaForInviter: whole(0, 0, maxQuota, 'quota'),
  QuotaForInvitee: whole(0, 0, maxQuota, 'quota'),
  QuotaRemindThreshold: whole(1000, 0, maxQuota, 'monitoring'),
  PreConsumedQuota: whole(500, 0, 10_000_000, 'quota'),
  QuotaHardStop: flag(true, 'quota'),

  ModelRatio: numberMap({}, 'price'),
  ModelPrice: numberMap({}, 'price'),
  CompletionRatio: numberMap({}, 'price'),
  CacheRatio: numberMap({}, 'price'),
  CreateCacheRatio: numberMap({}, 'price'),
  CreateCacheHourRatio: numberMap({}, 'price'),
  LongPromptRatio: longPromptMap('price'),
  ToolPrice: priceMap(serverTools, 'price'),
  ServiceTierRatio: priceMap(serviceTiers, 'price'),
  GroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }, 'group'),
  UserUsableGroups: textMap({ default: '默认分组', vip: 'vip分组' }, 'group'),

  TopupGroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }, 'payment'),
  Price: decimal(7.3, 0, 1_000_000, 'payment'),
  MinTopUp: whole(1, 1, 1_000_000_000, 'payment'),
  PayAddress: baseAddress('', 'payment'),
  EpayId: text('', 'payment'),
  EpayKey: secret('payment'),
  CustomCallbackAddress: baseAddress('', 'payment'),
};
