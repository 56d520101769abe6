/** Longer texts: the first steps, the server's greeting, receipts, the doctor. */
export const screenText = {
  'init.welcome': {
    en: 'tollgate {version}    data: {directory}    (中文: --language zh)',
    zh: 'tollgate {version}    数据：{directory}    (English: --language en)',
  },
  'init.askRoot': { en: 'Root password (Enter keeps the default 123456):', zh: 'root 密码（回车使用默认 123456）：' },
  'init.askType': {
    en: 'First provider ({count} types, type to filter):',
    zh: '第一个供应商（{count} 种类型，输入以筛选）：',
  },
  'init.later': { en: 'later', zh: '稍后再设（later）' },
  'init.noProvider': { en: 'no provider has this name', zh: '没有这个名称的供应商' },
  'init.typeNeeded': {
    en: 'the flags of the first channel need --type <type>',
    zh: '设置第一个渠道的选项需要同时提供 --type <type>',
  },
  'init.askBaseUrl': { en: 'Address of the provider:', zh: '供应商地址：' },
  'init.askKey': { en: 'API key (hidden):', zh: 'API 密钥（不显示）：' },
  'init.keyWord': { en: 'the API key', zh: ' API 密钥' },
  'init.modelsWord': { en: 'the list of models', zh: '模型列表' },
  'init.askModels': { en: 'Models, separated by commas:', zh: '模型（逗号分隔）：' },
  'init.modelsRead': { en: '{count} models read from the provider', zh: '已从供应商读取 {count} 个模型' },
  'init.modelsUnread': {
    en: 'the models could not be read from the provider: {reason}',
    zh: '无法从供应商读取模型：{reason}',
  },
  'init.channelKept': { en: 'channel {id} is there already: {name}', zh: '渠道 {id} 已存在：{name}' },
  'init.channelLater': {
    en: 'no channel yet; add one with: tollgate channel create --type openai --name main --models gpt-4o-mini --key-stdin',
    zh: '尚无渠道，可用以下命令添加：tollgate channel create --type openai --name main --models gpt-4o-mini --key-stdin',
  },
  'init.tokenKept': { en: 'token "{name}" is there already ({key})', zh: '令牌“{name}”已存在（{key}）' },
  'init.tokenCreated': { en: 'token "{name}" created', zh: '已创建令牌“{name}”' },
  'init.tokenKey': { en: 'Key      {key}', zh: '密钥     {key}' },
  'init.serve': { en: 'Start    tollgate serve', zh: '启动     tollgate serve' },
  'init.askServe': { en: 'Start the server now?', zh: '现在启动服务器？' },
  'init.data': { en: 'Data     {directory}', zh: '数据     {directory}' },
  'init.tryIt': { en: 'Try it   {command}', zh: '试一试   {command}' },

  'serve.console': { en: 'Console  {url}      sign in as root', zh: '控制台   {url}      以 root 登录' },
  'serve.api': { en: 'API      {url}', zh: 'API      {url}' },
  'serve.data': { en: 'Data     {place}', zh: '数据     {place}' },
  'serve.defaultPassword': {
    en: 'The root password is still 123456. Change it: tollgate user reset-password root',
    zh: 'root 密码仍为默认的 123456，请修改：tollgate user reset-password root',
  },
  'serve.generatedPassword': {
    en: 'Password of root: {password}   (shown once; change it with: tollgate user reset-password root)',
    zh: 'root 的密码：{password}   （仅显示一次；修改命令：tollgate user reset-password root）',
  },
  'serve.next': { en: 'Next     {command}', zh: '下一步   {command}' },
  'serve.stopping': {
    en: 'stopping: calls under way may end, a second signal stops at once',
    zh: '正在停止：进行中的调用会继续完成，再次发送信号将立即停止',
  },
  'serve.stopped': { en: 'stopped', zh: '已停止' },
  'serve.workerLost': {
    en: 'a worker ended unexpectedly and is started again',
    zh: '一个工作进程意外退出，正在重新启动',
  },

  'demo.started': {
    en: 'A temporary installation with a made-up provider; nothing of yours is touched.',
    zh: '这是使用模拟供应商的临时安装，不会影响您的数据。',
  },
  'demo.question': { en: 'POST {url}  model {model}', zh: 'POST {url}  模型 {model}' },
  'demo.bill': { en: 'The bill, request {id}:', zh: '账单，请求 {id}：' },
  'demo.next': { en: 'Next     tollgate init', zh: '下一步   tollgate init' },

  'receipt.prompt': { en: 'prompt tokens', zh: '输入 token' },
  'receipt.cached': { en: 'cached prompt tokens', zh: '缓存命中 token' },
  'receipt.cacheWrite': { en: 'tokens written to the cache', zh: '写入缓存 token' },
  'receipt.cacheWriteHour': { en: 'tokens cached for an hour', zh: '写入 1 小时缓存 token' },
  'receipt.audioInput': { en: 'audio input tokens', zh: '音频输入 token' },
  'receipt.imageInput': { en: 'image input tokens', zh: '图像输入 token' },
  'receipt.completion': { en: 'completion tokens', zh: '输出 token' },
  'receipt.audioOutput': { en: 'audio output tokens', zh: '音频输出 token' },
  'receipt.imageOutput': { en: 'image output tokens', zh: '图像输出 token' },
  'receipt.web_search': { en: 'web searches', zh: '网页搜索次数' },
  'receipt.web_search_preview': { en: 'web searches (preview)', zh: '网页搜索次数（预览版）' },
  'receipt.file_search': { en: 'file searches', zh: '文件搜索次数' },
  'receipt.code_interpreter': { en: 'code interpreter containers', zh: '代码解释器容器数' },
  'receipt.image_low': { en: 'pictures drawn, low quality', zh: '生成图片（低质量）' },
  'receipt.image_low_wide': { en: 'large pictures drawn, low quality', zh: '生成大图（低质量）' },
  'receipt.image_medium': { en: 'pictures drawn, medium quality', zh: '生成图片（中等质量）' },
  'receipt.image_medium_wide': { en: 'large pictures drawn, medium quality', zh: '生成大图（中等质量）' },
  'receipt.image_high': { en: 'pictures drawn, high quality', zh: '生成图片（高质量）' },
  'receipt.image_high_wide': { en: 'large pictures drawn, high quality', zh: '生成大图（高质量）' },
  'receipt.google_search': { en: 'Google searches', zh: 'Google 搜索次数' },
  'receipt.google_search_answer': { en: 'answers grounded by Google Search', zh: 'Google 搜索增强回答数' },
  'receipt.google_maps': { en: 'answers grounded by Google Maps', zh: 'Google 地图增强回答数' },
  'receipt.call': { en: 'calls or pictures', zh: '次数或图片' },
  'receipt.rounding': { en: 'rounding', zh: '取整' },
  'receipt.total': { en: 'charged', zh: '实际扣费' },
  'receipt.differs': {
    en: 'the lines add up to {quota}, the log row says {charged}',
    zh: '逐行合计为 {quota}，日志记录为 {charged}',
  },
  'receipt.longPrompt': {
    en: 'Rates are those of prompts above {above} tokens: prompt x {prompt}, cached x {cached}, completion x {completion}.',
    zh: '以上按超过 {above} token 的长输入计价：输入 x {prompt}，缓存 x {cached}，输出 x {completion}。',
  },
  'receipt.tier': {
    en: 'Rates of tokens are those of the service tier {tier}: x {ratio}.',
    zh: '以上 token 单价为服务等级 {tier} 的价格：x {ratio}。',
  },
  'receipt.attempts': { en: 'Attempts', zh: '尝试记录' },
  'receipt.usage': { en: 'Usage from {source}', zh: '用量来源：{source}' },
  'receipt.none': { en: 'this row carries no bill', zh: '该日志没有账单' },

  'doctor.ok': { en: 'ok', zh: '正常' },
  'doctor.warn': { en: 'warn', zh: '注意' },
  'doctor.fail': { en: 'fail', zh: '失败' },
  'doctor.node': { en: 'Node.js {version}', zh: 'Node.js {version}' },
  'doctor.nodeOld': {
    en: 'Node.js {version} is too old; install 20.19 or later',
    zh: 'Node.js {version} 版本过低，请安装 20.19 或更高版本',
  },

  'doctor.data': { en: 'data directory {path}, mode {mode}', zh: '数据目录 {path}，权限 {mode}' },
  'doctor.dataOpen': {
    en: 'data directory {path} can be read by other users (mode {mode}); run: chmod 700 {path}',
    zh: '数据目录 {path} 可被其他用户读取（权限 {mode}），请执行：chmod 700 {path}',
  },
  'doctor.dataDenied': {
    en: 'data directory {path} cannot be written; choose another one with --data-dir or TOLLGATE_HOME',
    zh: '数据目录 {path} 无法写入，请用 --data-dir 或 TOLLGATE_HOME 指定其他目录',
  },

  'doctor.binding': { en: 'SQLite {version}', zh: 'SQLite {version}' },
  'doctor.bindingMissing': {
    en: "SQLite's native file is missing; install again with: npm install -g --allow-scripts=sqlite3 tollgate, or set SQL_DSN to PostgreSQL",
    zh: '缺少 SQLite 原生文件，请重新安装：npm install -g --allow-scripts=sqlite3 tollgate，或将 SQL_DSN 设为 PostgreSQL',
  },
  'doctor.database': { en: 'database {place}', zh: '数据库 {place}' },
  'doctor.databaseNone': {
    en: 'no database yet at {place}; tollgate init makes it',
    zh: '{place} 处尚无数据库，tollgate init 会创建',
  },
  'doctor.databaseDown': { en: 'database {place} cannot be used: {reason}', zh: '数据库 {place} 无法使用：{reason}' },
  'doctor.databaseDamaged': {
    en: 'database {place} is damaged: {reason}; restore a backup with: tollgate db restore <file>',
    zh: '数据库 {place} 已损坏：{reason}，请恢复备份：tollgate db restore <文件>',
  },
  'doctor.migrations': { en: 'schema up to date ({count} migrations)', zh: '数据库结构为最新（{count} 个迁移）' },
  'doctor.migrationsWait': {
    en: '{count} migrations wait; they run at the next start, or now with: tollgate db migrate',
    zh: '有 {count} 个迁移待执行，将在下次启动时执行，或立即执行：tollgate db migrate',
  },
  'doctor.masterKey': { en: 'secrets are readable with {source}', zh: '密钥可用 {source} 解密' },
  'doctor.masterKeyOpen': {
    en: 'master.key can be read by other users (mode {mode}); run: chmod 600 {path}',
    zh: 'master.key 可被其他用户读取（权限 {mode}），请执行：chmod 600 {path}',
  },
  'doctor.masterKeyWrong': {
    en: '{count} stored secrets cannot be read: they were written with another key; put the former one behind the current one: CRYPTO_SECRET=current,former',
    zh: '有 {count} 个已保存的密钥无法解密：写入时使用了其他主密钥，请设置 CRYPTO_SECRET=当前,旧',
  },
  'doctor.clock': { en: 'clock {time}', zh: '时钟 {time}' },
  'doctor.clockBehind': {
    en: 'the clock says {time}, but the newest log row is from {newest}; set the clock',
    zh: '系统时钟为 {time}，但最新日志时间为 {newest}，请校准时钟',
  },
  'doctor.clockApart': {
    en: 'this clock and that of the database differ by {seconds} s; synchronise them',
    zh: '本机与数据库时钟相差 {seconds} 秒，请同步时钟',
  },
  'doctor.disk': { en: '{free} free on the disk', zh: '磁盘剩余 {free}' },
  'doctor.diskLow': {
    en: 'only {free} free on the disk; make room before it is full, for example with: tollgate log clear --before 90d',
    zh: '磁盘仅剩 {free}，请尽快清理，例如：tollgate log clear --before 90d',
  },
  'doctor.portFree': { en: 'port {port} is free', zh: '端口 {port} 可用' },
  'doctor.portOwn': { en: 'a Tollgate server answers on port {port}', zh: '端口 {port} 上有 Tollgate 服务器在运行' },
  'doctor.portTaken': {
    en: 'another program uses port {port}; choose another one with --port',
    zh: '端口 {port} 被其他程序占用，请用 --port 选择其他端口',
  },
  'doctor.rootPassword': { en: 'the root password is not the default', zh: 'root 密码已修改' },
  'doctor.rootPasswordDefault': {
    en: 'the root password is the default 123456; change it: tollgate user reset-password root',
    zh: 'root 密码为默认的 123456，请修改：tollgate user reset-password root',
  },
  'doctor.channels': { en: '{count} channels enabled', zh: '已启用 {count} 个渠道' },
  'doctor.channelsNone': {
    en: 'no channel is enabled; add one with: tollgate channel create',
    zh: '没有启用的渠道，请添加：tollgate channel create',
  },
  'doctor.channelsNoKey': {
    en: 'channels without a key: {names}; set it with: tollgate channel update <id> --key-stdin',
    zh: '以下渠道没有密钥：{names}，请设置：tollgate channel update <编号> --key-stdin',
  },
  'doctor.prices': { en: 'every model of an enabled channel has a price', zh: '已启用渠道的所有模型均已定价' },
  'doctor.pricesMissing': {
    en: 'models without a price: {names}; calls of them are refused until ModelRatio or ModelPrice has an entry',
    zh: '以下模型未定价：{names}；在 ModelRatio 或 ModelPrice 中设置之前，调用会被拒绝',
  },
  'doctor.redis': { en: 'Redis answers', zh: 'Redis 有应答' },
  'doctor.redisDown': {
    en: 'Redis does not answer ({reason}); limits are kept per process until it does: start it, or correct REDIS_CONN_STRING',
    zh: 'Redis 无应答（{reason}），在恢复前各进程单独限流：请启动它，或改正 REDIS_CONN_STRING',
  },
};
