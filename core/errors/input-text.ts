/** Chinese for the messages our own schemas give; the messages of zod itself come from its Chinese locale. */
const sentences: Record<string, string> = {
  'no control or invisible characters': '不能包含控制字符或不可见字符',
  'no control characters': '不能包含控制字符',
  'no @': '不能包含 @',
  'no NUL character': '不能包含空字符',
  'unix seconds, or -1 for never': '应为 Unix 秒，-1 表示永不过期',
  'no such channel type': '渠道类型不存在',
  'not 0': '不能为 0',
  'a positive whole number': '应为正整数',
  'username and password cannot be empty': '用户名和密码不能为空',
  'please enter username and password': '请输入用户名和密码',
  'the two passwords differ': '两次输入的密码不一致',
  'an e-mail address such as name@example.com': '应为有效的邮箱地址，例如 name@example.com',
  'an address with https:// or http://': '应为以 https:// 或 http:// 开头的地址',
  'the webhook needs an address': '请填写 Webhook 地址',
};

const patterns: [RegExp, string][] = [
  [/^at most (\d+) bytes$/, '不能超过 $1 字节'],
  [/^at most (\d+) characters$/, '不能超过 $1 个字符'],
  [/^at least (\d+) characters$/, '不能少于 $1 个字符'],
  [/^at most (\d+) addresses$/, '不能超过 $1 个地址'],
  [/^names of at most (\d+) characters$/, '名称不能超过 $1 个字符'],
  [/^(.+) is not an IP address or CIDR range$/, '$1 不是 IP 地址或 CIDR 网段'],
];

/** The English text itself when there is no Chinese for it. */
export function inputTextZh(text: string): string {
  const sentence = sentences[text];
  if (sentence !== undefined) return sentence;
  const match = patterns.find(([pattern]) => pattern.test(text));
  return match ? text.replace(match[0], match[1]) : text;
}
