import type { CatalogEntry } from './entry.ts';

/** Sessions over a WebSocket. */
export const realtimeErrors = {
  'realtime.upgradeNeeded': {
    status: 426,
    wire: 'upgrade_required',
    en: 'This address takes WebSocket connections only; open it with wss:// or ws:// and the model in the query (?model=).',
    zh: '该地址仅接受 WebSocket 连接，请使用 wss:// 或 ws:// 打开，并在查询参数中给出模型（?model=）。',
  },
  'realtime.badHandshake': {
    status: 400,
    wire: 'invalid_request',
    en: 'The WebSocket handshake is not valid: {reason}.',
    zh: 'WebSocket 握手无效：{reason}。',
  },
  'realtime.badEvent': {
    status: 400,
    wire: 'invalid_event',
    en: 'The event was not passed on, because it is not one JSON object that can be read in one way only: {reason}.',
    zh: '该事件未转发，因为它不是一个含义唯一的 JSON 对象：{reason}。',
  },
  'realtime.modelFixed': {
    status: 400,
    wire: 'model_cannot_change',
    en: 'This session runs on the model {model} and cannot change to {other}; open another session for it.',
    zh: '当前会话使用模型 {model}，不能改为 {other}，请另建会话。',
  },
  'realtime.tooManyMessages': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'The session ends because it sent more than {most} messages per second; open a new one and send less often.',
    zh: '会话每秒发送的消息超过 {most} 条，现已结束，请降低发送频率后重新建立。',
  },
  'realtime.tooManyRefusals': {
    status: 429,
    wire: 'rate_limit_exceeded',
    en: 'The session ends because too many of its events were refused; see the error events before this one, and open a new session.',
    zh: '会话中被拒绝的事件过多，现已结束，请根据此前的错误事件修正后重新建立。',
  },
  'realtime.tooManyAnswers': {
    status: 408,
    wire: 'session_expired',
    en: 'The session ends because it has had {most} answers; open a new one.',
    zh: '会话已达 {most} 次回答的上限，现已结束，请重新建立。',
  },
  'realtime.quotaUsedUp': {
    status: 403,
    wire: 'insufficient_user_quota',
    en: 'The session ends because the quota is used up. Top up, or raise the quota of the token, and open a new one.',
    zh: '额度已用尽，会话现已结束，请充值或提高令牌额度后重新建立。',
  },
  'realtime.idle': {
    status: 408,
    wire: 'session_idle',
    en: 'The session ends because nothing was said for {minutes} min; open a new one.',
    zh: '会话已 {minutes} 分钟无活动，现已结束，请重新建立。',
  },
  'realtime.tooLong': {
    status: 408,
    wire: 'session_expired',
    en: 'The session ends because it has lasted {minutes} min; open a new one.',
    zh: '会话已达 {minutes} 分钟上限，现已结束，请重新建立。',
  },
} as const satisfies Record<string, CatalogEntry>;
