import type { CatalogEntry } from './entry.ts';

export const optionErrors = {
  'option.unknown': {
    status: 400,
    en: 'there is no option {key}',
    zh: '没有选项 {key}',
    hint: {
      en: 'see the list with: tollgate option list',
      zh: '查看列表：tollgate option list',
    },
  },
  'option.needsOther': {
    status: 400,
    en: 'set {needed} before switching {key} on',
    zh: '请先设置 {needed}，再启用 {key}',
  },
  'option.stale': {
    status: 409,
    en: '{keys} was changed by {names} after you opened it; nothing was saved. Read it again, then save your change',
    zh: '{keys} 在你打开之后已被 {names} 修改，本次未保存。请重新读取后再保存你的修改',
  },
  'option.addressFirst': {
    status: 400,
    en: 'Set {needed} before {key}: the payment service reports payments to this address.',
    zh: '请先填写服务器地址（{needed}），再保存 {key}：支付服务会向该地址通知付款结果',
  },
  'option.addressInUse': {
    status: 400,
    en: '{key} was not cleared: payments are reported to this address. Clear {user} first.',
    zh: '{key} 未清空：支付服务会向该地址通知付款结果，请先清空 {user}',
  },
  'option.secretNeeded': {
    status: 400,
    en: '{secret} stays with its destination: send it again together with {key}, or confirm to keep it',
    zh: '{secret} 只属于原目标：请与 {key} 一起重新填写，或确认保留',
  },
  'option.secretCleared': {
    status: 200,
    en: '{secret} was deleted together with its destination: enter it again when you save a new one',
    zh: '{secret} 已随其目标地址一起删除：设置新地址时请重新填写',
  },
  'option.notBoolean': {
    status: 400,
    en: '{key} was not changed: it takes true or false',
    zh: '{key} 未更改：只能为 true 或 false',
  },
  'option.notNumber': {
    status: 400,
    en: '{key} was not changed: it takes a number from {least} to {most}',
    zh: '{key} 未更改：须为 {least} 到 {most} 的数字',
  },
  'option.notChoice': {
    status: 400,
    en: '{key} was not changed: it takes one of {allowed}',
    zh: '{key} 未更改：只能为 {allowed} 之一',
  },
  'option.notJson': {
    status: 400,
    en: '{key} was not changed: the value is not JSON of the form {form}',
    zh: '{key} 未更改：不是合法的 JSON 字符串，应为 {form}',
  },
  'option.badEntry': {
    status: 400,
    en: '{key} was not changed: the entry {entry} is not {form}',
    zh: '{key} 未更改：条目 {entry} 无效，应为 {form}',
  },
  'option.badLink': {
    status: 400,
    en: '{key} was not changed: it takes {form}',
    zh: '{key} 未更改：地址无效，应为 {form}',
  },
  'option.tooLong': {
    status: 400,
    en: '{key} was not changed: it takes at most {most} characters',
    zh: '{key} 未更改：最多 {most} 个字符',
  },
} as const satisfies Record<string, CatalogEntry>;
