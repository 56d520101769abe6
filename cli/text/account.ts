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
  'usage.totals': {
    en: '{quota} spent in {calls} calls with {tokens} tokens, {since} to {until}',
    zh: '{since} 至 {until}：共消耗 {quota}，{calls} 次调用，{tokens} 个 token',
  },
};
