import type { CatalogEntry } from './entry.ts';

/** Too much at a time: of one address, one account, one token, or of everybody. */
export const limitErrors = {
  'address.tooManyCalls': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'Too many requests from your address; try again in {seconds} s.',
    zh: '请求过于频繁，请 {seconds} 秒后再试。',
  },
  'limit.userCalls': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'This account may send {most} requests in {minutes} min; try again in {seconds} s.',
    zh: '该账户每 {minutes} 分钟最多 {most} 次请求，请 {seconds} 秒后再试。',
  },
  'limit.tokenCalls': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'The token "{name}" may send {most} requests in {minutes} min; try again in {seconds} s.',
    zh: '令牌“{name}”每 {minutes} 分钟最多 {most} 次请求，请 {seconds} 秒后再试。',
  },
  'limit.userRunning': {
    status: 429,
    wire: 'concurrency_limit_exceeded',
    en: 'This account may have {most} requests running at a time; send it again when one of them has ended.',
    zh: '该账户最多同时进行 {most} 个请求，请等其中一个结束后再试。',
  },
  'limit.tokenRunning': {
    status: 429,
    wire: 'concurrency_limit_exceeded',
    en: 'The token "{name}" may have {most} requests running at a time; send it again when one of them has ended.',
    zh: '令牌“{name}”最多同时进行 {most} 个请求，请等其中一个结束后再试。',
  },
  'limit.unpaidMedia': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'This account had {most} pictures or files fetched for requests that failed. Send them as base64, or retry in {seconds} s.',
    zh: '该账户失败的请求已抓取 {most} 个图片或文件。请改用 base64 发送，或在 {seconds} 秒后重试。',
  },
  'relay.overloaded': {
    status: 503,
    wire: 'server_overloaded',
    en: 'The server has more to do than it can; send the request again in {seconds} s.',
    zh: '服务器负载过高，请 {seconds} 秒后重新发送请求。',
  },
} as const satisfies Record<string, CatalogEntry>;
