import type { CatalogEntry } from './entry.ts';

/** Why a channel does not serve a call, or not first; `tollgate explain` says it. */
export const explainErrors = {
  'explain.disabled': {
    status: 409,
    en: 'it is disabled',
    zh: '已被禁用',
  },
  'explain.disabledBy': {
    status: 409,
    en: '{name} disabled it at {since}',
    zh: '{name} 于 {since} 将其禁用',
  },
  'explain.autoDisabled': {
    status: 409,
    en: 'it went off by itself at {since}: {reason}',
    zh: '于 {since} 自动禁用：{reason}',
  },
  'explain.modelNotListed': {
    status: 409,
    en: 'it does not list the model',
    zh: '未列出该模型',
  },
  'explain.modelNear': {
    status: 409,
    en: 'it does not list the model, but {near}',
    zh: '未列出该模型，但有 {near}',
  },
  'explain.promptTooLong': {
    status: 409,
    en: 'the prompt is about {tokens} tokens, and its max_input_tokens is {limit}',
    zh: '提示词约 {tokens} 个 token，超过其最大输入 token 数 {limit}',
  },
  'explain.otherGroup': {
    status: 409,
    en: 'it serves {groups}, not the group {group}',
    zh: '只服务分组 {groups}，不含分组 {group}',
  },
  'explain.otherChannel': {
    status: 409,
    en: 'the call goes to channel {id} and nowhere else',
    zh: '该调用只能发往渠道 {id}',
  },
  'explain.keyUnreadable': {
    status: 409,
    en: 'its stored key cannot be read; set it again with: tollgate channel update {id} --key-stdin',
    zh: '无法读取其密钥，请重新设置：tollgate channel update {id} --key-stdin',
  },
  'explain.abilityMissing': {
    status: 409,
    en: 'its entry for this group and model is missing; repair it with: tollgate channel fix',
    zh: '缺少该分组与模型的能力记录，请修复：tollgate channel fix',
  },
  'explain.lowerPriority': {
    status: 409,
    en: 'its priority {priority} is below {highest}',
    zh: '优先级 {priority} 低于 {highest}',
  },
  'explain.beyondRetries': {
    status: 409,
    en: 'RetryTimes is {retries}: its turn does not come',
    zh: 'RetryTimes 为 {retries}，轮不到它',
  },
  'explain.circuitOpen': {
    status: 409,
    en: 'it failed several times and rests for {seconds} s more',
    zh: '连续失败，暂停使用，还剩 {seconds} 秒',
  },
} as const satisfies Record<string, CatalogEntry>;
