import type { CatalogEntry } from './entry.ts';

export const channelErrors = {
  'channel.baseUrlNeeded': {
    status: 400,
    en: 'channels of type {type} need a base URL',
    zh: '类型为 {type} 的渠道必须填写 base_url',
  },
  'channel.keyNeeded': {
    status: 400,
    en: 'the key stays with its destination: send the key again when type, host of the base URL or proxy changes',
    zh: '密钥只属于原目标：更改类型、base_url 的主机或代理时须重新填写密钥',
    hint: {
      en: 'root may keep the stored key by confirming it explicitly',
      zh: '超级管理员可以明确确认保留原密钥',
    },
  },
  'channel.regionNeeded': {
    status: 400,
    en: 'a Vertex AI channel needs a region, or a JSON map of regions with the key default',
    zh: 'Vertex AI 渠道需要填写区域，或包含 default 的区域 JSON',
  },
  'channel.keyMissing': {
    status: 400,
    en: 'a channel needs a key',
    zh: '渠道密钥不能为空',
  },
  'channel.keyTooMany': {
    status: 400,
    en: 'at most 1000 keys at once',
    zh: '一次最多 1000 个密钥',
  },
  'channel.keyNotAccount': {
    status: 400,
    en: 'the key of a Vertex AI channel is a service account in JSON',
    zh: 'Vertex AI 渠道的密钥须为服务账号 JSON',
  },
  'channel.keyControl': {
    status: 400,
    en: 'a key holds no line breaks or control characters',
    zh: '密钥不能包含换行或控制字符',
  },
  'channel.nameAmbiguous': {
    status: 409,
    en: 'several channels are named "{name}"; use the id',
    zh: '有多个渠道名为“{name}”，请使用 ID',
  },
  'channel.untestable': {
    status: 400,
    en: 'channels of type {type} cannot be tested: a test would buy something',
    zh: '类型为 {type} 的渠道无法测试：测试会产生实际费用',
  },
  'channel.noModelList': {
    status: 400,
    en: '{type} gives no list of its models',
    zh: '{type} 未提供模型列表',
  },
  'channel.modelsRefused': {
    status: 400,
    en: 'the provider refused to list its models ({status}): {reason}',
    zh: '供应商拒绝列出模型（{status}）：{reason}',
  },
  'channel.testFailed': {
    status: 502,
    en: 'channel {id} ({name}): {model} failed after {seconds} s: {reason}',
    zh: '渠道 {id}（{name}）：{model} 在 {seconds} 秒后失败：{reason}',
  },
} as const satisfies Record<string, CatalogEntry>;
