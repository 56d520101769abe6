/** The overview of the terminal UI. */
export const tuiOverviewText = {
  'tui.overview.requests': { en: 'requests/min', zh: '每分钟请求' },
  'tui.overview.tokens': { en: 'tokens/min', zh: '每分钟 token' },
  'tui.overview.channels': { en: 'channels', zh: '渠道' },
  'tui.overview.states': {
    en: '{on} on, {auto} auto-off, {off} off',
    zh: '启用 {on}，自动禁用 {auto}，禁用 {off}',
  },
  'tui.overview.spend': { en: 'spend today', zh: '今日消费' },
  'tui.overview.errors': { en: 'errors', zh: '错误率' },
  'tui.overview.errorShare': { en: '{share} % of {calls} calls', zh: '{share} %（共 {calls} 次）' },
  'tui.overview.noServer': { en: 'known while a server runs here', zh: '本机运行服务时可见' },
  'tui.overview.latest': { en: 'Latest calls', zh: '最近调用' },
  'tui.overview.noCalls': {
    en: 'no call yet; the first one shows up here',
    zh: '尚无调用，第一次调用后将显示在此',
  },
  'tui.overview.time': { en: 'TIME', zh: '时间' },
  'tui.overview.user': { en: 'USER', zh: '用户' },
  'tui.overview.model': { en: 'MODEL', zh: '模型' },
  'tui.overview.channel': { en: 'CHANNEL', zh: '渠道' },
  'tui.overview.took': { en: 'TOOK', zh: '耗时' },
  'tui.overview.cost': { en: 'COST', zh: '费用' },
};
