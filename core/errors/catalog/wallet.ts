import type { CatalogEntry } from './entry.ts';

export const walletErrors = {
  'redemption.missing': { status: 400, en: 'enter a redemption code', zh: '请输入兑换码！' },
  'redemption.unknown': {
    status: 404,
    en: 'this redemption code is not valid; check it for typing errors',
    zh: '无效的兑换码，请检查是否输入有误',
  },
  'redemption.used': {
    status: 409,
    en: 'this redemption code has been used and cannot change any more',
    zh: '该兑换码已被使用，不能再更改',
  },
  'redemption.own': {
    status: 403,
    en: 'you made this redemption code, so another account must redeem it',
    zh: '该兑换码由你创建，只能由其他账户兑换',
  },
  'redemption.disabled': {
    status: 409,
    en: 'this redemption code is disabled; ask whoever gave it to you',
    zh: '该兑换码已被禁用，请联系发放者',
  },
  'redemption.expired': {
    status: 409,
    en: 'this redemption code was not used in time; ask whoever gave it to you for another one',
    zh: '该兑换码已过期，请联系发放者',
  },
  'redemption.expiryPast': {
    status: 400,
    en: 'a redemption code must end in the future; 0 is never',
    zh: '兑换码的过期时间必须晚于当前时间，0 表示永不过期',
  },
  'payment.input': {
    status: 400,
    en: 'the amount must be a whole number from 1 up and the pay method zfb or wx',
    zh: '参数错误：充值数量须为正整数，支付方式须为 zfb 或 wx',
  },
  'payment.noAddress': {
    status: 400,
    en: 'Payments cannot be received yet. An administrator must set ServerAddress or CustomCallbackAddress in Settings.',
    zh: '暂时无法收款：请管理员在设置中填写服务器地址（ServerAddress）或回调地址（CustomCallbackAddress）',
  },
  'payment.belowMinimum': {
    status: 400,
    en: 'the amount must not be less than {least}',
    zh: '充值数量不能小于 {least}',
  },
  'payment.tooCheap': {
    status: 400,
    en: 'this amount costs less than 0.01; choose a larger one',
    zh: '充值金额过低，请增加充值数量',
  },
  'payment.tooMuch': {
    status: 400,
    en: 'this amount is too large for one payment; choose a smaller one',
    zh: '充值数量过大，请减少充值数量',
  },
  'payment.notConfigured': {
    status: 400,
    en: 'online top-up is not switched on by the administrator',
    zh: '管理员未开启在线充值！',
  },
  'reward.belowMinimum': {
    status: 400,
    en: 'the minimum transfer amount is {least}',
    zh: '划转额度最低为 {least}',
  },
  'reward.insufficient': {
    status: 409,
    en: 'the earnings from invitations are less than this amount',
    zh: '邀请额度不足',
  },
} as const satisfies Record<string, CatalogEntry>;
