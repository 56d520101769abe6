import type { CatalogEntry } from './entry.ts';

export const billingErrors = {
  'price.overflow': {
    status: 400,
    wire: 'price_overflow',
    en: 'The price of this call is not a whole number of quota from 0 to 9007199254740991.',
    zh: '本次调用的价格超出 0 到 9007199254740991 的整数额度范围。',
  },
  'price.invalidRatio': {
    status: 400,
    en: '{option}: {entry} is {value}, allowed: a number from 0 to 1000000',
    zh: '{option}：{entry} 的值为 {value}，允许 0 到 1000000 之间的数字',
  },
  'price.oneKind': {
    status: 400,
    en: 'the price of {model}: give ratios, or dollars per million tokens, or dollars per call',
    zh: '{model} 的价格：请只使用倍率、每百万 token 美元价、每次美元价三者之一',
  },
  'price.inputFirst': {
    status: 400,
    en: '{model} has no input price above 0 that the others could be a multiple of; give it too',
    zh: '{model} 没有大于 0 的输入价格，无法换算其他价格，请同时给出输入价格',
  },
  'quota.userInsufficient': {
    status: 403,
    wire: 'insufficient_user_quota',
    en: 'The balance is not enough for this call: it needs {needed}, {left} is left. Top up, or set a smaller max_tokens.',
    zh: '余额不足：本次调用需要 {needed}，剩余 {left}，请充值或减小 max_tokens。',
  },
  'quota.tokenInsufficient': {
    status: 403,
    wire: 'pre_consume_token_quota_failed',
    en: 'The token "{name}" has not enough quota for this call: it needs {needed}, {left} is left. Ask its owner to raise it, or set a smaller max_tokens.',
    zh: '令牌“{name}”额度不足：本次调用需要 {needed}，剩余 {left}，请提高令牌额度或减小 max_tokens。',
  },
  'ledger.busy': {
    status: 503,
    wire: 'server_busy',
    en: 'The server is busy. Send the request again in a moment.',
    zh: '服务器繁忙，请稍后重试。',
  },
  'ledger.unavailable': {
    status: 503,
    wire: 'database_unavailable',
    en: 'The ledger cannot be reached right now, so no call can be billed. Send the request again in a moment.',
    zh: '账本暂时不可用，无法计费，请稍后重试。',
  },
} as const satisfies Record<string, CatalogEntry>;
