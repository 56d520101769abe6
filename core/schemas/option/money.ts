import { serverTools, serviceTiers } from '../surcharge.ts';
import { longPromptMap, numberMap, priceMap, textMap } from './json.ts';
import { decimal, flag, secret, text, whole } from './kind.ts';
import { baseAddress } from './link.ts';

const maxQuota = Number.MAX_SAFE_INTEGER;

/** Quota, prices and payment. The price maps hold the operator's own entries; built-in prices fill the rest. */
export const moneyOptions = {
  QuotaForNewUser: whole(0, 0, maxQuota, ['quota', 'quota of a new user', '新用户初始额度']),
  QuotaForInviter: whole(0, 0, maxQuota, ['quota', 'quota for an invitation', '邀请新用户奖励额度']),
  QuotaForInvitee: whole(0, 0, maxQuota, ['quota', 'quota for using an invitation', '使用邀请码奖励额度']),
  QuotaRemindThreshold: whole(1000, 0, maxQuota, ['monitoring', 'mail below this balance', '额度提醒阈值']),
  PreConsumedQuota: whole(500, 0, 10_000_000, [
    'quota',
    'tokens held in advance when a call names no limit',
    '请求未设上限时预扣的 token 数',
  ]),
  QuotaHardStop: flag(true, ['quota', 'end a stream whose balance is used up', '余额用尽时终止流式响应']),

  ModelRatio: numberMap({}, [
    'price',
    'model ratios; 1 = 2 USD per million tokens',
    '模型倍率，1 = 每百万 token 2 美元',
  ]),
  ModelPrice: numberMap({}, ['price', 'fixed prices per call in USD', '模型固定价格（每次，美元）']),
  CompletionRatio: numberMap({}, ['price', 'completion ratios', '补全倍率']),
  CacheRatio: numberMap({}, ['price', 'ratios of cached prompt tokens', '缓存倍率']),
  CreateCacheRatio: numberMap({}, ['price', 'ratios of prompt tokens written to a cache', '缓存写入倍率']),
  CreateCacheHourRatio: numberMap({}, [
    'price',
    'ratios of prompt tokens cached for an hour; without an entry 1.6 times CreateCacheRatio',
    '1 小时缓存写入倍率，未设置时为 CreateCacheRatio 的 1.6 倍',
  ]),
  LongPromptRatio: longPromptMap(['price', 'factors for long prompts per model', '长输入计价系数（按模型）']),
  ToolPrice: priceMap(serverTools, [
    'price',
    'US dollars per thousand uses of a tool the upstream runs; "tool" or "tool:model", a model may end in *',
    '上游内置工具每千次价格（美元）；键为“工具”或“工具:模型”，模型可以 * 结尾',
  ]),
  ServiceTierRatio: priceMap(serviceTiers, [
    'price',
    'factors of service tiers on the price of tokens; "tier" or "tier:model", a model may end in *',
    '服务等级的 token 价格系数；键为“等级”或“等级:模型”，模型可以 * 结尾',
  ]),
  GroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }, ['group', 'groups and their ratios', '分组倍率']),
  UserUsableGroups: textMap({ default: '默认分组', vip: 'vip分组' }, [
    'group',
    'groups every user may choose, with a description',
    '用户可选分组',
  ]),

  TopupGroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }, [
    'payment',
    'price factor of an online top-up per group',
    '充值分组倍率',
  ]),
  Price: decimal(7.3, 0, 1_000_000, ['payment', 'money per US dollar of quota', '充值价格（每美元）']),
  MinTopUp: whole(1, 1, 1_000_000_000, ['payment', 'smallest top-up in units', '最低充值数量']),
  PayAddress: baseAddress('', ['payment', 'address of the Epay service', '支付地址']),
  EpayId: text('', ['payment', 'Epay merchant id', '易支付商户 ID']),
  EpayKey: secret(['payment', 'Epay merchant key', '易支付商户密钥']),
  CustomCallbackAddress: baseAddress('', [
    'payment',
    'address the payment service calls back; empty: ServerAddress',
    '回调地址，留空则使用服务器地址',
  ]),
};
