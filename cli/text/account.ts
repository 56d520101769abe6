/** Users, tokens and codes, what they used, and a call made for one of them. */
export const accountText = {
  'help.logStat': {
    en: 'what was spent, and calls and tokens of the last minute',
    zh: '已消耗额度，以及最近一分钟的调用数与 token 数',
  },
  'help.logFollow': { en: 'show log rows as they come, until Ctrl-C', zh: '持续显示新日志，按 Ctrl-C 结束' },
  'flag.last': { en: 'rows to show first (10)', zh: '先显示最近的行数（10）' },
  'help.usage': { en: 'show: spending by model, user, channel or day', zh: 'show：按模型、用户、渠道或日期统计消耗' },
  'help.usageShow': { en: 'what was spent in a range of time', zh: '显示一段时间内的消耗' },
  'flag.by': { en: 'one line for each of these (model)', zh: '统计方式（model）' },
  'flag.usageUser': { en: 'only what this user spent', zh: '只统计该用户' },
  'flag.usageSince': {
    en: 'from the hour of this time on: 1h, 7d, yyyy-MM-dd or with HH:mm:ss (30d)',
    zh: '起始时间（按整点计）：1h、7d、yyyy-MM-dd 或带 HH:mm:ss（30d）',
  },
  'help.chat': { en: 'ask one question through the running server', zh: '通过运行中的服务提一个问题' },
  'argument.prompt': { en: 'the question; - reads it from standard input', zh: '问题；- 表示从标准输入读取' },
  'flag.chatModel': { en: 'model; the first the token may use otherwise', zh: '模型；默认取令牌可用的第一个' },
  'flag.chatToken': {
    en: 'id or name of the token that pays; the newest of root otherwise',
    zh: '付费的令牌，编号或名称；默认取 root 最新的令牌',
  },
  'flag.system': { en: 'instructions that go before the question', zh: '问题之前的系统提示' },
  'flag.chatUrl': {
    en: 'address of the server; that of this installation otherwise',
    zh: '服务地址；默认为本安装的服务',
  },
  'chat.emptyPrompt': { en: 'the question is empty', zh: '问题为空' },
  'chat.report': {
    en: '{model} by channel {channel} · first token {ms} ms · {prompt} + {completion} tokens · {cost} · request {id}',
    zh: '{model}，渠道 {channel} · 首 token {ms} 毫秒 · {prompt} + {completion} token · {cost} · 请求 {id}',
  },
  'chat.unlogged': {
    en: '{model} · first token {ms} ms · request {id}; the call stands in no log yet',
    zh: '{model} · 首 token {ms} 毫秒 · 请求 {id}；日志中尚无此调用',
  },
  'usage.totals': {
    en: '{quota} spent in {calls} calls with {tokens} tokens, {since} to {until}',
    zh: '{since} 至 {until}：共消耗 {quota}，{calls} 次调用，{tokens} 个 token',
  },
};
