import { channelTypes } from '../schemas/channel-type-list.ts';

/**
 * Chinese for what our own code fills into a message: what is wrong with an input, the name of a kind of object, the form an option
 * takes. Messages of zod itself come from its Chinese locale, texts of others stay as they are.
 */
const sentences: Record<string, string> = {
  user: '用户',
  channel: '渠道',
  token: '令牌',
  'redemption code': '兑换码',
  session: '会话',
  log: '日志',
  keys: '键',
  values: '值',
  group: '分组',

  'no control or invisible characters': '不能包含控制字符或不可见字符',
  'letters of one alphabet only, as others look the same': '不能混用多种外形相近的字母（例如拉丁字母与西里尔字母）',
  'no control characters': '不能包含控制字符',
  'no @': '不能包含 @',
  'no NUL character': '不能包含空字符',
  'unix seconds, or -1 for never': '应为 Unix 秒，-1 表示永不过期',
  'no such channel type': '渠道类型不存在',
  'a number from 0 on, such as 0.5 or $2.5': '应为不小于 0 的数字，例如 0.5 或 $2.5',
  'a name has no comma': '名称不能包含逗号',
  'no such field': '没有此字段',
  'enabled or disabled': '应为 enabled 或 disabled',
  'a list of channels': '应为渠道列表',
  'an object with a list of channels, such a list, or one channel': '应为包含渠道列表的对象、渠道列表或单个渠道',
  'an object of keys and values': '应为键值对象',
  'not 0': '不能为 0',
  'a positive whole number': '应为正整数',
  'username and password cannot be empty': '用户名和密码不能为空',
  'please enter username and password': '请输入用户名和密码',
  'the two passwords differ': '两次输入的密码不一致',
  'an e-mail address such as name@example.com': '应为有效的邮箱地址，例如 name@example.com',
  'an address with https:// or http://': '应为以 https:// 或 http:// 开头的地址',
  'the webhook needs an address': '请填写 Webhook 地址',
  'a token needs a user': '请指定令牌所属用户',
  'a token has its own group: leave one of the two out': '令牌自带分组，两者只能填写其一',
  'group must be a text': 'group 应为文本',
  'no code': '未返回授权码',

  'it is not valid UTF-8': '不是有效的 UTF-8',
  'it is not a text message': '不是文本消息',
  'it could not be parsed': '无法解析',
  'a text holds a character that cannot be stored': '文本中含有无法保存的字符',

  'APPID|APISecret|APIKey or APIPassword': 'APPID|APISecret|APIKey 或 APIPassword',
  'APIKey|SecretKey or bce-v3/ALTAK-...': 'APIKey|SecretKey 或 bce-v3/ALTAK-...',
  'AccessKeyId|SecretAccessKey|Region, AccessKeyId|SecretAccessKey|Region|SessionToken or ApiKey|Region':
    'AccessKeyId|SecretAccessKey|Region、AccessKeyId|SecretAccessKey|Region|SessionToken 或 ApiKey|Region',

  'not a JSON object': '不是 JSON 对象',
  'an object of model names: {"gpt-3.5-turbo":"gpt-3.5-turbo-0125"}':
    '应为模型名称的 JSON 对象，例如 {"gpt-3.5-turbo":"gpt-3.5-turbo-0125"}',
  'an object of error statuses from 100 to 599, without 2xx: {"429":"503"}':
    '应为错误状态码（100 至 599，不含 2xx）的 JSON 对象，例如 {"429":"503"}',
  'proxy is an address with http, https or socks5': 'proxy 应为以 http、https 或 socks5 开头的地址',
  'user_agent is a text of at most 256 plain characters': 'user_agent 是最多 256 个普通字符的文本',
  'inference_profile is a name such as global, or "" for none':
    'inference_profile 应为名称（例如 global），"" 表示不使用',
  'options is an object such as {"num_ctx":8192}': 'options 应为 JSON 对象，例如 {"num_ctx":8192}',
  'keep_alive is a time such as "10m", or seconds': 'keep_alive 应为时长（例如 "10m"）或秒数',
  'anthropic_betas is a list of names': 'anthropic_betas 应为名称列表',

  '{"above": tokens, "prompt": factor, "completion": factor}':
    '{"above": token 数, "prompt": 倍数, "completion": 倍数}',

  'a text': '文本',
  'an object of header names with lists of values': '请求头名称到值列表的对象',
  'an address such as https://example.com': '形如 https://example.com 的地址',
  'a link with https:// or http://': '以 https:// 或 http:// 开头的链接',
  'a link with https:// or http://, or a path such as /logo.png':
    '以 https:// 或 http:// 开头的链接，或形如 /logo.png 的路径',
  'a link with a scheme that opens a site or an app': '可打开网站或应用的链接',

  malformed: '格式错误',
  scheme: '协议不允许',
  credentials: '不能包含用户名或密码',
  fragment: '不能包含 #',
  spelling: '写法不规范',
  port: '端口不允许',
  metadata: '云主机元数据地址',
  'special-address': '特殊地址',
  'private-address': '内网地址',
  'own-endpoint': '本系统自身的地址',
  'unreadable proxy address': '代理地址无法识别',
  'the upstream cannot be reached': '无法连接上游',
  'the host name of the upstream cannot be resolved': '无法解析上游域名',
  'no secure connection to the upstream': '无法与上游建立安全连接',
  'the upstream did not answer in time': '上游未在规定时间内响应',
  'the upstream stopped sending': '上游停止发送数据',
  'the call took too long': '调用超时',
  'the upstream closed the connection': '上游关闭了连接',
  'the upstream sent something that is not a valid HTTP answer': '上游返回的不是有效的 HTTP 响应',
  'the answer of the upstream is too large': '上游响应过大',
  'the call was given up': '调用已中止',
  'the address of the upstream may not be called': '不允许访问该上游地址',
  'the upstream sent no body': '上游没有返回内容',
  'the call cannot be written as an HTTP request': '该调用无法写成 HTTP 请求',

  'a whole number': '整数',
  task: '任务',
  drawing: '绘图任务',
  'not a description of a copy': '不是备份的说明文件',

  'Sec-WebSocket-Key is no 16 bytes in base64': 'Sec-WebSocket-Key 不是 base64 编码的 16 字节',
  'Sec-WebSocket-Version must be 13': 'Sec-WebSocket-Version 必须为 13',
  'Sec-WebSocket-Protocol is no list of different names': 'Sec-WebSocket-Protocol 不是由不同名称组成的列表',
};

/** What a type's own field is called. */
const fieldLabels = new Map(channelTypes.flatMap(({ other }) => (other ? [[other.label.en, other.label.zh]] : [])));

const patterns: [RegExp, string][] = [
  [/^at most (\d+) bytes$/, '不能超过 $1 字节'],
  [/^at most (\d+) characters$/, '不能超过 $1 个字符'],
  [/^at least (\d+) characters$/, '不能少于 $1 个字符'],
  [/^at most (\d+) addresses$/, '不能超过 $1 个地址'],
  [/^names of at most (\d+) characters$/, '名称不能超过 $1 个字符'],
  [/^(.+) is not an IP address or CIDR range$/, '$1 不是 IP 地址或 CIDR 网段'],
  [/^(\w+) is true or false$/, '$1 应为 true 或 false'],
  [/^(.+) cannot be overridden$/, '不能覆盖 $1'],
  [/^a number from (\d+) to (\d+)$/, '$1 到 $2 的数字'],
  [/^a whole number from (\d+) to (\d+)$/, '$1 到 $2 的整数'],
  [/^"name" or "name:model", with one of the names (.+)$/s, '“名称”或“名称:模型”，名称为以下之一：$1'],
  [/^"(.+)" stands twice$/s, '“$1”重复出现'],
  [/^"(.+)" is a known key in other letters$/s, '“$1”与已知字段名仅大小写不同'],
  [/^quota "(.*)": write for example .+$/s, '额度“$1”无法识别，可写 500000、500k、1.5m 或 $$1'],
  [/^quota "(.*)": quota is a whole number of units$/s, '额度“$1”应为整数'],
  [/^quota "(.*)": the largest quota is (\d+)$/s, '额度“$1”过大，最大为 $2'],
  [/^(.+) is the version known here$/s, '此处支持的版本为 $1'],
  [/^its SHA-256 is not the one in (.+)$/s, '其 SHA-256 与 $1 中记录的不一致'],
  [/^answered in ([\d.]+) s, the limit is ([\d.]+) s$/, '响应用时 $1 秒，超过上限 $2 秒'],
  [/^it is nested more than (\d+) levels deep$/, '嵌套超过 $1 层'],
];

/** A text around another one: the field it is about, the map it is the value of. */
const around = /^([\w.]+: |\{"name": )(.+?)(\}?)$/s;

/** Also where the text begins with a capital and ends with a full stop. */
export function sentenceZh(text: string): string {
  const plain = text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
  const translated = detailZh(plain);
  return translated === plain ? detailZh(text) : translated;
}

/** The English text itself when there is no Chinese for it. */
export function detailZh(text: string): string {
  const sentence = Object.hasOwn(sentences, text) ? sentences[text] : fieldLabels.get(text);
  if (sentence !== undefined) return sentence;
  const match = patterns.find(([pattern]) => pattern.test(text));
  if (match) return text.replace(match[0], match[1]);
  const [, before, inner, behind] = around.exec(text) ?? [];
  return inner === undefined ? text : `${before}${detailZh(inner)}${behind}`;
}
