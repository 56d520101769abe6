import type { CatalogEntry } from './entry.ts';

/** A call the command line makes through a running server. */
export const chatErrors = {
  'chat.noServer': {
    status: 503,
    en: 'no server answers at {url} ({cause})',
    zh: '{url} 没有服务响应（{cause}）',
    hint: {
      en: 'start it with: tollgate serve; or name another address with --url',
      zh: '请先启动：tollgate serve，或用 --url 指定其他地址',
    },
  },
  'chat.otherServer': {
    status: 502,
    en: 'what answers at {url} is no Tollgate server (status {status})',
    zh: '{url} 上的服务不是 Tollgate（状态码 {status}）',
    hint: { en: 'name the address of the server with --url', zh: '请用 --url 指定服务地址' },
  },
  'chat.refused': { status: 500, en: '{message}', zh: '{message}' },
  'chat.cutOff': {
    status: 502,
    en: 'the answer broke off before its end',
    zh: '回答在结束前中断',
    hint: { en: 'see what happened with: tollgate log list', zh: '查看原因：tollgate log list' },
  },
  'chat.noToken': {
    status: 404,
    en: 'root has no token that is enabled',
    zh: 'root 没有可用的令牌',
    hint: {
      en: 'create one with: tollgate token create --name default; or name one with --token',
      zh: '请创建：tollgate token create --name default，或用 --token 指定',
    },
  },
  'chat.noModel': {
    status: 404,
    en: 'no model is served to the token "{token}"',
    zh: '令牌“{token}”没有可用的模型',
    hint: {
      en: 'see the channels with: tollgate channel list; or name a model with --model',
      zh: '查看渠道：tollgate channel list，或用 --model 指定模型',
    },
  },
} as const satisfies Record<string, CatalogEntry>;
