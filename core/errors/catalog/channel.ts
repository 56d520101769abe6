import type { CatalogEntry } from './entry.ts';

export const channelErrors = {
  'channel.baseUrlNeeded': {
    status: 400,
    en: 'channels of type {type} need a base URL',
    zh: '类型为 {type} 的渠道必须填写 base_url',
  },
  'channel.typeNotServed': {
    status: 400,
    en: 'this version cannot serve channels of type {type}; choose another type',
    zh: '此版本不支持类型为 {type} 的渠道，请选择其他类型',
  },
  'channel.keyForm': {
    status: 400,
    en: 'the key of a channel of type {type} must look like {form}',
    zh: '类型为 {type} 的渠道，密钥格式应为 {form}',
  },
  'channel.otherNeeded': {
    status: 400,
    en: 'a channel of type {type} needs this in the field other: {what}',
    zh: '类型为 {type} 的渠道须在 other 字段填写：{what}',
  },
  'channel.fieldWrong': {
    status: 400,
    en: 'the field {field} of a channel of type {type} must be {form}',
    zh: '类型为 {type} 的渠道，{field} 字段应为 {form}',
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
  'channel.palmRetired': {
    status: 400,
    en: 'the PaLM API was shut down on 2024-08-15, so {model} has no answer: choose type 24 (Google Gemini), or map {model} to a Gemini model',
    zh: 'PaLM API 已于 2024-08-15 关停，{model} 已不可用：请改用类型 24（Google Gemini），或将 {model} 映射到 Gemini 模型',
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
    en: 'the key of a Vertex AI channel is a service account in JSON, or an API key of Google Cloud',
    zh: 'Vertex AI 渠道的密钥须为服务账号 JSON 或 Google Cloud API 密钥',
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
  'channel.tagUnknown': {
    status: 404,
    en: 'no channel has the tag "{tag}"',
    zh: '没有渠道使用标签“{tag}”',
  },
  'channel.tagMapping': {
    status: 400,
    en: 'the model mapping must be a JSON object of model names',
    zh: '模型映射必须是合法的 JSON 格式！',
  },
  'channel.tagPriority': {
    status: 400,
    en: 'the priority must be a whole number from {least} to {most}',
    zh: '优先级必须是整数！',
  },
  'channel.tagWeight': {
    status: 400,
    en: 'the weight must be a whole number from {least} to {most}',
    zh: '权重必须是非负整数！',
  },
  'channel.testRunning': {
    status: 409,
    en: 'the channels are being tested already; wait until that is done',
    zh: '渠道测试正在运行中，请等待完成',
  },
  'channel.testDisabled': {
    status: 409,
    en: 'the channel was disabled by hand; enable it before testing it',
    zh: '渠道已被手动禁用，请先启用再测试',
  },
  'channel.balanceRunning': {
    status: 409,
    en: 'the balances are being read already; wait until that is done',
    zh: '余额更新正在运行中，请等待完成',
  },
  'channel.noBalance': {
    status: 400,
    en: 'channels of type {type} have no balance that could be read',
    zh: '类型为 {type} 的渠道不支持查询余额',
  },
  'channel.balanceRefused': {
    status: 400,
    en: 'the provider refused to tell the balance ({status}): {reason}',
    zh: '供应商拒绝返回余额（{status}）：{reason}',
  },
  'channel.modelsUnread': {
    status: 500,
    en: 'the models could not be read: {reason}',
    zh: '获取模型列表失败：{reason}',
  },
  'channel.testFailed': {
    status: 502,
    en: 'channel {id} ({name}): {model} failed after {seconds} s: {reason}',
    zh: '渠道 {id}（{name}）：{model} 在 {seconds} 秒后失败：{reason}',
  },
} as const satisfies Record<string, CatalogEntry>;
