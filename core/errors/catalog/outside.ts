import type { CatalogEntry } from './entry.ts';

/** Sign-ins that another service vouches for. */
export const outsideErrors = {
  'oauth.state': {
    status: 403,
    en: 'this sign-in took longer than 10 minutes, was used before or began in another browser; start it again',
    zh: '登录状态无效：已超时、已使用或来自其他浏览器，请重新发起登录',
  },
  'outside.off': {
    status: 403,
    en: 'signing in with {provider} is switched off by the administrator',
    zh: '管理员未开启通过 {provider} 登录',
  },
  'outside.refused': {
    status: 400,
    en: '{provider} did not confirm the sign-in; start it again, and tell the administrator if it keeps failing',
    zh: '{provider} 未能确认登录，请重新发起；如持续失败请联系管理员',
  },
  'outside.declined': {
    status: 400,
    en: '{provider} ended the sign-in: {reason}',
    zh: '{provider} 终止了登录：{reason}',
  },
  'outside.code': {
    status: 400,
    en: 'the {provider} code is wrong or has expired; ask for a new one',
    zh: '验证码错误或已过期，请重新获取',
  },
  'outside.telegramData': {
    status: 400,
    en: 'this Telegram sign-in is not valid or older than 5 minutes; start it again',
    zh: 'Telegram 登录数据无效或已超过 5 分钟，请重新登录',
  },
  'outside.notWelcome': {
    status: 403,
    en: 'this {provider} account is not active or is silenced, so it cannot be used here',
    zh: '该 {provider} 账户未激活或已被禁言，无法用于登录',
  },
  'outside.trustLevel': {
    status: 403,
    en: 'signing in needs trust level {level} at Linux DO; this account has {own}',
    zh: '登录需要 Linux DO 信任等级 {level}，当前账户等级为 {own}',
  },
  'outside.closed': {
    status: 403,
    en: 'the account behind this sign-in is disabled or was deleted; contact the administrator',
    zh: '该账号已被封禁或注销，请联系管理员',
  },
  'outside.unbound': {
    status: 404,
    en: 'no account is bound to this {provider} account; sign in another way and bind it in the settings',
    zh: '该 {provider} 账户未绑定用户，请先用其他方式登录并在设置中绑定',
  },
} as const satisfies Record<string, CatalogEntry>;
