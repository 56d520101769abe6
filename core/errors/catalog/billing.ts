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
    en: 'This call needs about {needed}, but the balance is {left}. Add credit in Wallet, or set a smaller max_tokens.',
    zh: '余额不足：本次调用约需 {needed}，余额为 {left}。请在“钱包”中充值，或减小 max_tokens。',
  },
  'quota.tokenInsufficient': {
    status: 403,
    wire: 'pre_consume_token_quota_failed',
    en: 'This call needs about {needed}, but the token "{name}" has {left} left. Raise the quota of the token, or set a smaller max_tokens.',
    zh: '令牌“{name}”额度不足：本次调用约需 {needed}，令牌剩余 {left}。请提高令牌额度，或减小 max_tokens。',
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
