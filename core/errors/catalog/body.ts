import type { CatalogEntry } from './entry.ts';

export const bodyErrors = {
  'body.empty': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request has no body; send the parameters in it.',
    zh: '请求体为空，请在请求体中提供参数。',
  },
  'body.notJson': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body is not a valid JSON object: {reason}.',
    zh: '请求体不是有效的 JSON 对象：{reason}。',
  },
  'body.channel': {
    status: 400,
    wire: 'invalid_request',
    en: 'The models cannot be read: {reason}.',
    zh: '无法获取模型列表：{reason}',
  },
  'body.invalid': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body is not what this call takes: {reason}.',
    zh: '请求体不符合要求：{reason}。',
  },
  'body.duplicateKey': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body has "{key}" more than once; send it once.',
    zh: '请求体中“{key}”重复出现，请只提供一次。',
  },
  'body.forbiddenKey': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body may not have "{key}"; leave it out, or spell it in lower case if a documented parameter is meant.',
    zh: '请求体中不允许出现“{key}”，请删除；若指文档中的参数，请使用小写。',
  },
  'body.tooDeep': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body is nested more than {limit} levels deep; send a flatter one.',
    zh: '请求体嵌套超过 {limit} 层，请减少层数。',
  },
  'body.tooMany': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body has more than {limit} {what}; send fewer.',
    zh: '请求体中的 {what} 超过 {limit} 个，请减少数量。',
  },
  'body.valueTooLarge': {
    status: 400,
    wire: 'invalid_request',
    en: '"{key}" is longer than {limit} bytes; send a shorter value.',
    zh: '“{key}”超过 {limit} 字节，请缩短。',
  },
  'body.tooLarge': {
    status: 413,
    wire: 'request_too_large',
    en: 'The request body is larger than {limit}; send less at a time.',
    zh: '请求体超过 {limit}，请减小请求。',
  },
  'body.ratio': {
    status: 413,
    wire: 'request_too_large',
    en: 'The request body grows to more than {limit} times its compressed size; send it uncompressed.',
    zh: '请求体解压后超过压缩大小的 {limit} 倍，请以未压缩形式发送。',
  },
  'body.contentType': {
    status: 415,
    wire: 'unsupported_media_type',
    en: 'The Content-Type of this request must be {expected}.',
    zh: '该请求的 Content-Type 必须是 {expected}。',
  },
  'body.encoding': {
    status: 415,
    wire: 'unsupported_media_type',
    en: 'The Content-Encoding "{encoding}" is not understood; send one of gzip, br, deflate, or none.',
    zh: '不支持的 Content-Encoding“{encoding}”，请使用 gzip、br、deflate 之一，或不压缩。',
  },
  'body.decode': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body cannot be decompressed; check that it matches its Content-Encoding.',
    zh: '请求体无法解压，请检查其是否与 Content-Encoding 一致。',
  },
  'body.incomplete': {
    status: 400,
    wire: 'invalid_request',
    en: 'The connection ended after {received} bytes, before the whole request body arrived; send it again.',
    zh: '请求体未完整到达（已收到 {received} 字节）连接即中断，请重新发送。',
  },
  'body.timeout': {
    status: 408,
    wire: 'request_timeout',
    en: 'The request body did not arrive in time ({received} bytes came); send it again, and check its Content-Length.',
    zh: '请求体未在规定时间内到达（已收到 {received} 字节），请重新发送并检查 Content-Length。',
  },
  'body.spoolFailed': {
    status: 503,
    wire: 'temporarily_unavailable',
    en: 'Large request bodies cannot be taken at the moment; try again later, or send less than 1 MiB.',
    zh: '暂时无法接收较大的请求体，请稍后再试，或将请求控制在 1 MiB 以内。',
  },
  'body.multipart': {
    status: 400,
    wire: 'invalid_request',
    en: 'The form cannot be read: {reason}.',
    zh: '表单无法解析：{reason}。',
  },
} as const satisfies Record<string, CatalogEntry>;
