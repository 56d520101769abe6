import type { CatalogEntry } from './entry.ts';

export const installationErrors = {
  'internal.error': {
    status: 500,
    wire: 'internal_error',
    en: 'Internal error. The server log has the details under this request id.',
    zh: '服务器内部错误，请凭请求编号联系管理员。',
  },
  'input.invalid': {
    status: 400,
    wire: 'invalid_request',
    en: 'Invalid input: {reason}',
    zh: '输入无效：{reason}',
  },
  'installation.noAddress': {
    status: 503,
    en: 'This installation does not know its public address. An administrator must set ServerAddress in Settings.',
    zh: '系统尚未配置公网地址，请管理员在设置中填写服务器地址（ServerAddress）',
    hint: {
      en: 'set it with: tollgate option set ServerAddress https://gateway.example.com',
      zh: '设置方法：tollgate option set ServerAddress https://gateway.example.com',
    },
  },
  'object.notFound': {
    status: 404,
    en: '{what} {id} not found',
    zh: '未找到{what} {id}',
    hint: {
      en: 'see the list with: tollgate {noun} list',
      zh: '查看列表：tollgate {noun} list',
    },
  },
  'object.nameTaken': {
    status: 409,
    en: 'a {what} named "{name}" already exists',
    zh: '{what}“{name}”已存在',
  },
  'route.notFound': {
    status: 404,
    wire: 'not_found',
    en: 'There is no {method} {path}.',
    zh: '接口不存在：{method} {path}',
  },
  'route.tooManyHeaders': {
    status: 431,
    wire: 'invalid_request',
    en: 'The request has more than {limit} headers; send fewer.',
    zh: '请求头超过 {limit} 个，请减少数量。',
  },
  'route.lineTooLong': {
    status: 414,
    en: 'The address of this request is too long: at most 8 KiB, 4 KiB of them behind the question mark.',
    zh: '请求地址过长：最多 8 KiB，其中查询部分最多 4 KiB。',
  },
  'query.repeated': {
    status: 400,
    en: 'The query has "{name}" more than once; send it once.',
    zh: '查询参数“{name}”重复，请只传一次。',
  },
  'query.nul': {
    status: 400,
    en: 'The address of this request holds a NUL character (%00), which nothing can be searched by; leave it out.',
    zh: '请求地址中含有空字符（%00），请去掉后重试。',
  },
  'route.notOffered': {
    status: 501,
    wire: 'api_not_implemented',
    en: 'API not implemented',
    zh: '该接口未实现',
  },
  'config.invalid': {
    status: 500,
    en: '{name} is "{value}", allowed: {allowed}',
    zh: '{name} 的值“{value}”无效，允许：{allowed}',
  },
  'config.workersNeedPostgres': {
    status: 500,
    en: 'several workers need PostgreSQL: SQLite has one writer',
    zh: '多个工作进程需要 PostgreSQL：SQLite 只允许一个写入者',
    hint: {
      en: 'set SQL_DSN=postgres://..., or leave --workers out',
      zh: '请设置 SQL_DSN=postgres://...，或去掉 --workers',
    },
  },
  'config.databaseKind': {
    status: 500,
    en: 'SQL_DSN must begin with postgres://; MySQL is not supported',
    zh: 'SQL_DSN 必须以 postgres:// 开头；不支持 MySQL',
    hint: {
      en: 'leave SQL_DSN out to use SQLite',
      zh: '不设置 SQL_DSN 即使用 SQLite',
    },
  },
  'database.unreachable': {
    status: 503,
    wire: 'database_unavailable',
    en: 'The database cannot be reached: {reason}',
    zh: '无法连接数据库：{reason}',
  },
  'database.compareRefused': {
    status: 500,
    en: 'the schema could not be compared with what the migrations make: {reason}',
    zh: '无法核对数据库结构与迁移结果：{reason}',
  },
  'database.away': {
    status: 503,
    wire: 'database_unavailable',
    en: 'The database cannot be reached right now. Send the request again in a moment.',
    zh: '数据库暂时不可用，请稍后重试。',
  },
  'database.tooNew': {
    status: 500,
    en: 'the database was written by a newer version ({version}); install that version or a later one',
    zh: '数据库由更新的版本（{version}）写入，请安装该版本或更高版本',
  },
  'database.schemaOld': {
    status: 409,
    en: 'the database has the schema of an older version, {count} migrations wait; nothing was changed',
    zh: '数据库结构属于较旧的版本，还有 {count} 个迁移未执行；未作任何更改',
    hint: {
      en: 'stop the servers of the older version, then run: tollgate db migrate (tollgate serve does it too)',
      zh: '请停止旧版本的服务，然后执行：tollgate db migrate（tollgate serve 也会自动执行）',
    },
  },
  'database.copyIncomplete': {
    status: 500,
    en: 'the copy {file} made before the migration is not whole: table {table} has {rows} rows; nothing was changed',
    zh: '迁移前的备份 {file} 不完整：表 {table} 应有 {rows} 行；未作任何更改',
    hint: { en: 'make room on the disk and start again', zh: '请清理磁盘空间后重试' },
  },
  'database.gone': {
    status: 500,
    en: 'there is no database at {file}, but there was one: {traces}. No empty one was made in its place',
    zh: '{file} 处没有数据库，但这里曾经有过：{traces}。未创建空数据库',
    hint: {
      en: 'put the file back, or a copy: tollgate db restore <copy>. To begin anew all the same: tollgate db migrate --new',
      zh: '请放回该文件，或恢复备份：tollgate db restore <备份>。确实要重新开始：tollgate db migrate --new',
    },
  },
  'database.rehearsalTooLong': {
    status: 400,
    en: 'the dry run took too long and was stopped, so that a running server is not kept waiting; nothing was changed',
    zh: '试运行耗时过长，为避免正在运行的服务器等待已停止；未作任何更改',
    hint: { en: 'name fewer things at a time', zh: '请减少单次处理的数量' },
  },
  'database.rehearsalOutbound': {
    status: 500,
    en: 'a dry run never calls out',
    zh: '试运行期间不会访问外部服务',
  },
  'database.damaged': {
    status: 500,
    en: 'the database file {file} is damaged: {reason}',
    zh: '数据库文件 {file} 已损坏：{reason}',
    hint: {
      en: 'put a copy of it back, or save what can be read: sqlite3 "{file}" .recover | sqlite3 "{file}.recovered"',
      zh: '请放回该文件的备份，或抢救可读内容：sqlite3 "{file}" .recover | sqlite3 "{file}.recovered"',
    },
  },
  'secret.unreadable': {
    status: 500,
    en: 'the stored secret {place} cannot be decrypted: it was written with another CRYPTO_SECRET or master.key',
    zh: '已保存的密钥 {place} 无法解密：写入时使用的是另一个 CRYPTO_SECRET 或 master.key',
    hint: {
      en: 'put the former secret behind the current one: CRYPTO_SECRET=current,former',
      zh: '把旧密钥放在当前密钥之后：CRYPTO_SECRET=当前,旧',
    },
  },
  'log.beforeInvalid': {
    status: 400,
    en: 'the time before which logs are deleted must lie in the past',
    zh: '日志清除时间必须是过去的时间',
  },
  'log.pageTooDeep': {
    status: 400,
    en: 'pages of the log end at row {most}: choose a shorter time range, or go on with before_id',
    zh: '日志分页最多到第 {most} 行：请缩短时间范围，或使用 before_id 继续',
  },
  'usageData.spanTooLong': {
    status: 400,
    en: 'at most 30 days can be shown at once',
    zh: '时间跨度不能超过 30 天',
  },
  'usageData.tooMany': {
    status: 400,
    en: 'more than {most} rows: choose a shorter time range or one user',
    zh: '数据超过 {most} 行：请缩短时间范围或指定用户',
  },
  'serve.defaultPassword': {
    status: 500,
    en: 'root still has the default password, so the server listens on loopback only, not on {host}',
    zh: 'root 仍在使用默认密码，服务只能监听本机地址，不能监听 {host}',
    hint: {
      en: 'set a password with: tollgate user reset-password root (or TOLLGATE_ROOT_PASSWORD on the first start)',
      zh: '请先设置密码：tollgate user reset-password root（或首次启动时设置 TOLLGATE_ROOT_PASSWORD）',
    },
  },
  'serve.portTaken': {
    status: 500,
    en: 'port {port} on {host} is in use',
    zh: '{host} 的端口 {port} 已被占用',
    hint: {
      en: 'choose another with: tollgate serve --port <number>',
      zh: '请换一个端口：tollgate serve --port <端口>',
    },
  },
  'setup.done': {
    status: 409,
    en: 'this installation is set up already; sign in instead',
    zh: '系统已完成初始化，请直接登录',
  },
  'setup.foreignHost': {
    status: 403,
    en: 'While root has the default password the console answers only as localhost, 127.0.0.1 or [::1]. Open it under one of these names on this machine and set a password, or run: tollgate user reset-password root',
    zh: 'root 仍在使用默认密码，控制台只能通过 localhost、127.0.0.1 或 [::1] 访问。请在本机用这些地址打开并设置密码，或运行：tollgate user reset-password root',
  },
  'setup.throughProxy': {
    status: 403,
    en: 'While root has the default password the console does not answer through a proxy (this call came with {header}). Open it on the machine itself, for example http://localhost:3000, and set a password, or run: tollgate user reset-password root',
    zh: 'root 仍在使用默认密码，控制台不接受经代理转发的请求（该请求带有 {header}）。请在本机直接打开（例如 http://localhost:3000）并设置密码，或运行：tollgate user reset-password root',
  },
  'setup.passwordsDiffer': { status: 400, en: 'the two passwords differ', zh: '两次输入的密码不一致' },
  'cli.usage': {
    status: 400,
    en: '{reason}',
    zh: '{reason}',
    hint: { en: 'see: {command} --help', zh: '查看用法：{command} --help' },
  },
  'cli.unknownCommand': {
    status: 400,
    en: 'there is no command "{name}"{near}',
    zh: '没有命令“{name}”{near}',
    hint: { en: 'see: {command} --help', zh: '查看用法：{command} --help' },
  },
  'cli.answerNeeded': {
    status: 400,
    en: '{what} is missing, and there is no terminal to ask on',
    zh: '缺少{what}，且没有终端可以询问',
    hint: { en: 'give it with {flag}', zh: '请使用 {flag} 提供' },
  },
  'cli.confirmNeeded': {
    status: 400,
    en: '{what}: this must be confirmed, and there is no terminal to ask on',
    zh: '{what}：此操作需要确认，且没有终端可以询问',
    hint: { en: 'confirm it with --yes', zh: '请用 --yes 确认' },
  },
  'cli.declined': { status: 400, en: 'not confirmed, nothing was changed', zh: '未确认，未作任何更改' },
  'cli.interrupted': { status: 400, en: 'interrupted', zh: '已中断' },
  'cli.waitTimeout': {
    status: 504,
    en: '{id} has not ended after {time}; it is {status}',
    zh: '{id} 在 {time} 内未结束，当前状态为 {status}',
    hint: {
      en: 'it goes on; wait again, or use a longer --timeout',
      zh: '任务仍在继续，可再次等待或使用更长的 --timeout',
    },
  },
  'cli.batchFailed': { status: 400, en: '{failed} of {total} failed', zh: '{total} 项中有 {failed} 项失败' },
  'cli.secretInWords': {
    status: 400,
    en: '{flag} with the secret behind it is refused: command lines are seen by others and kept in histories',
    zh: '不接受写在命令行中的 {flag}：命令行会被他人看到并留在历史记录中',
    hint: { en: 'use {instead}', zh: '请使用 {instead}' },
  },
  'cli.fileProblem': { status: 400, en: '{place}: {reason}', zh: '{place} 处有误：{reason}' },
  'cli.fileInvalid': {
    status: 400,
    en: '{file}: {count} thing(s) to put right; nothing was changed',
    zh: '{file}：有 {count} 处需要修正；未作任何更改',
  },
  'cli.environmentMissing': {
    status: 400,
    en: 'the environment variable {name} is not set',
    zh: '环境变量 {name} 未设置',
  },
  'cli.fileUnreadable': {
    status: 400,
    en: 'the file {path} cannot be read: {reason}',
    zh: '无法读取文件 {path}：{reason}',
  },
  'cli.outputLost': {
    status: 500,
    en: 'what was to be printed could not be written ({reason})',
    zh: '输出写入失败（{reason}）',
    hint: {
      en: 'the work itself was done; make room where the output goes, and list again',
      zh: '操作本身已完成；请在输出位置腾出空间后重新列出',
    },
  },
  'cli.noAccess': {
    status: 403,
    en: 'no access to {path} ({reason})',
    zh: '无法访问 {path}（{reason}）',
    hint: {
      en: 'choose another data directory with --data-dir or TOLLGATE_HOME',
      zh: '可用 --data-dir 或 TOLLGATE_HOME 指定其他数据目录',
    },
  },
  'cli.expiryForm': {
    status: 400,
    en: 'the expiry "{value}" is not understood: write never, 1h, 1d, 30d or yyyy-MM-dd HH:mm:ss',
    zh: '过期时间格式错误！“{value}”，可写 never、1h、1d、30d 或 yyyy-MM-dd HH:mm:ss',
  },
  'cli.timeForm': {
    status: 400,
    en: 'the time "{value}" is not understood: write yyyy-MM-dd, yyyy-MM-dd HH:mm:ss, or 1h, 7d for that long ago',
    zh: '时间“{value}”无法识别：可写 yyyy-MM-dd、yyyy-MM-dd HH:mm:ss，或用 1h、7d 表示多久以前',
  },
  'cli.ambiguousName': {
    status: 409,
    en: 'several {noun}s are named "{name}" ({ids}); use the id',
    zh: '有多个名为“{name}”的对象（{ids}），请使用编号',
  },
  'serve.addressUnknown': {
    status: 503,
    en: 'this machine cannot listen on {host} ({reason})',
    zh: '本机无法监听 {host}（{reason}）',
    hint: { en: 'choose another address with --host', zh: '请用 --host 选择其他地址' },
  },
  'serve.workerFailed': {
    status: 500,
    en: 'a worker ended with code {code} before it could listen',
    zh: '工作进程在开始监听前退出（代码 {code}）',
  },
  'metrics.refused': {
    status: 401,
    en: 'Figures are read with METRICS_TOKEN (Authorization: Bearer ...), or from the machine the server runs on and not through a proxy.',
    zh: '读取指标需要 METRICS_TOKEN（Authorization: Bearer ...），或在服务器本机直接访问（不经代理）。',
  },
  'metrics.incomplete': {
    status: 503,
    en: 'Not every worker has reported its figures in time; read them again.',
    zh: '部分工作进程未能及时上报指标，请稍后重试。',
  },
  'database.noBinding': {
    status: 500,
    en: "SQLite's native file is missing",
    zh: '缺少 SQLite 原生文件',
    hint: {
      en: 'install again with: npm install -g --allow-scripts=sqlite3 tollgate, or set SQL_DSN to PostgreSQL',
      zh: '请重新安装：npm install -g --allow-scripts=sqlite3 tollgate，或将 SQL_DSN 设为 PostgreSQL',
    },
  },
} as const satisfies Record<string, CatalogEntry>;
