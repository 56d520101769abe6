import type { LocalText } from '../support/local-text.ts';

interface Meaning extends LocalText {
  /** The default in words, where it depends on the machine. */
  fallback?: LocalText;
}

/** What each environment variable means. */
export const meanings: Record<string, Meaning> = {
  TOLLGATE_HOME: {
    en: 'Data folder. The flag `--data-dir` overrides it.',
    zh: '数据目录；选项 `--data-dir` 优先。',
    fallback: {
      en: '`$XDG_DATA_HOME/tollgate` or `~/.local/share/tollgate` (Linux), `~/Library/Application Support/tollgate` (macOS), `%APPDATA%\\tollgate` (Windows)',
      zh: '`$XDG_DATA_HOME/tollgate` 或 `~/.local/share/tollgate`（Linux）、`~/Library/Application Support/tollgate`（macOS）、`%APPDATA%\\tollgate`（Windows）',
    },
  },
  SQL_DSN: {
    en: '`postgres://user:password@host/database`. Empty: SQLite.',
    zh: '`postgres://user:password@host/database`；为空时使用 SQLite。',
  },
  SQL_DIRECT_DSN: {
    en: 'Address of PostgreSQL itself, if `SQL_DSN` leads to a connection pooler such as PgBouncer. See [Connection pooler](deploy.md#connection-pooler).',
    zh: '`SQL_DSN` 指向 PgBouncer 等连接池时，PostgreSQL 本身的地址。参见[连接池](deploy.zh.md#连接池)。',
  },
  SQLITE_PATH: {
    en: 'SQLite file. A relative path is relative to the data folder.',
    zh: 'SQLite 文件；相对路径以数据目录为准。',
    fallback: { en: '`tollgate.db`', zh: '`tollgate.db`' },
  },
  SQL_READ_DSN: {
    en: 'A streaming replica of the PostgreSQL database, in the form of `SQL_DSN`: log lists, searches, sums, CSV files and charts are read there. See [Growing](grow.md#a-read-replica).',
    zh: 'PostgreSQL 数据库的流复制副本，格式同 `SQL_DSN`：日志列表、搜索、汇总、CSV 和图表从这里读取。见[扩展规模](grow.zh.md#只读副本)。',
  },
  SQL_READ_MAX_LAG: {
    en: 'How many seconds the replica may be behind. Beyond that, everything is read from the primary until the replica has caught up.',
    zh: '副本允许落后的秒数；超过后全部改从主库读取，直到副本追上。',
  },
  LOG_SQL_DSN: {
    en: 'A database for the rows of the log alone: `postgres://user:password@host/database`, or beside a SQLite database `sqlite:logs.db`. Empty: the main database. See [Growing](grow.md#a-log-database).',
    zh: '单独存放日志行的数据库：`postgres://user:password@host/database`；主库为 SQLite 时也可以是 `sqlite:logs.db`。为空时使用主库。见[扩展规模](grow.zh.md#日志库)。',
  },
  HOST: {
    en: 'Address to listen on. While root has the default password, only loopback is accepted.',
    zh: '监听地址；root 仍使用默认密码时只接受本机回环地址。',
  },
  PORT: {
    en: 'Port to listen on. 0 picks a free port.',
    zh: '监听端口；0 表示任选空闲端口。',
  },
  CRYPTO_SECRET: {
    en: 'Secret that encrypts stored secrets. With several, separated by commas, the first encrypts and all decrypt. Every process on the same database needs the same value. Use 16 or more random characters; a start warns if it can be guessed.',
    zh: '用于加密已保存密钥的密钥；可用逗号分隔多个，第一个用于加密，全部可解密。使用同一数据库的所有进程必须相同。请使用 16 个以上的随机字符；容易被猜中时，启动会给出警告。',
    fallback: {
      en: 'the file `master.key` in the data folder, created at the first start',
      zh: '数据目录中的 `master.key` 文件，首次启动时创建',
    },
  },
  TOLLGATE_ROOT_PASSWORD: {
    en: 'Password of `root`, used when the account is created: 8 to 128 characters.',
    zh: '`root` 的密码，创建该账户时使用：8 至 128 个字符。',
    fallback: { en: '`123456`', zh: '`123456`' },
  },
  GENERATE_ROOT_PASSWORD: {
    en: 'While root has the default password, `serve` sets a random one and prints it once. On in the container image.',
    zh: 'root 仍使用默认密码时，`serve` 会设置一个随机密码并显示一次。容器镜像默认启用。',
  },
  INITIAL_ROOT_TOKEN: {
    en: 'Token for root, created if no token has this key yet: 16 to 128 letters and digits, with or without `sk-`.',
    zh: '为 root 创建的令牌（尚无此密钥的令牌时）：16 至 128 个字母和数字，可带或不带 `sk-`。',
  },
  INITIAL_ROOT_ACCESS_TOKEN: {
    en: 'System access token of root, set while root has none: up to 256 letters, digits and signs, without spaces. Below 16, a start warns.',
    zh: 'root 的系统访问令牌，root 尚无该令牌时设置：最多 256 位字母、数字或符号，不含空格。少于 16 位时启动会发出警告。',
  },
  INITIAL_CHANNEL: {
    en: 'First channel as JSON (`type`, `key`, `models`, and any other field of a channel), created while there is no channel.',
    zh: '第一个渠道，JSON 格式（`type`、`key`、`models` 及渠道的其他字段），没有任何渠道时创建。',
  },
  GENERATE_DEFAULT_TOKEN: {
    en: 'Give each user who registers with a password a first, unlimited token.',
    zh: '为用密码注册的用户创建第一个不限额度的令牌。',
  },
  TRUSTED_PROXIES: {
    en: 'Addresses or networks of your reverse proxies, separated by commas. Only their `X-Forwarded-For` is trusted.',
    zh: '反向代理的地址或网段，用逗号分隔；只信任它们的 `X-Forwarded-For`。',
  },
  UPSTREAM_PRIVATE: {
    en: 'Private hosts that admins may use as upstream addresses: names, addresses or networks, separated by commas. The command line acts as root and may use any host.',
    zh: '管理员可用作上游地址的内网主机：主机名、地址或网段，用逗号分隔。命令行以 root 身份运行，可使用任何主机。',
  },
  METRICS_TOKEN: {
    en: 'Token for `/metrics`, sent as `Authorization: Bearer ...`. Without it, only requests from this machine that did not pass through a proxy are allowed.',
    zh: '访问 `/metrics` 的令牌，以 `Authorization: Bearer ...` 发送；未设置时，只允许本机且未经代理的请求。',
  },
  RELAY_TIMEOUT: {
    en: 'Maximum duration of a call in seconds. 0 means no limit.',
    zh: '一次调用的最长时间（秒）；0 表示不限制。',
  },
  STREAMING_TIMEOUT: {
    en: 'Maximum silence of an upstream during a response, in seconds. A response without content for five times as long ends too, even if it sends signs of life.',
    zh: '上游在应答过程中的最长静默时间（秒）；超过五倍时间没有内容的应答也会结束，即使仍有心跳。',
  },
  DRAIN_TIMEOUT: {
    en: 'How long running calls may continue after SIGTERM, in seconds.',
    zh: '收到 SIGTERM 后，进行中的调用还可继续的时间（秒）。',
  },
  RELAY_BODY_LIMIT: {
    en: 'Maximum JSON body of a relay call: bytes, or a number with KiB, MiB or GiB. Forms may be twice as large.',
    zh: '转发调用的 JSON 请求体上限：字节数，或带 KiB、MiB、GiB 的数字；表单可达两倍。',
    fallback: { en: '`32MiB`', zh: '`32MiB`' },
  },
  RELAY_CALL_LIMIT: {
    en: 'Maximum concurrent relay calls per process. Further calls get 503.',
    zh: '每个进程的最大并发转发调用数；超出的调用返回 503。',
  },
  LOOP_DELAY_LIMIT: {
    en: 'Event loop delay in milliseconds above which new relay calls get 503: twice in a row, or once at four times the value. 0 turns this off.',
    zh: '事件循环延迟上限（毫秒）：连续两次超过，或一次超过四倍时，新的转发调用返回 503；0 表示关闭。',
  },
  REDIS_CONN_STRING: {
    en: '`redis://user:password@host:6379/0`, or `rediss://` for TLS: all processes with the same value share rate limits. Calls never wait for Redis. Without it, each process has its own limits.',
    zh: '`redis://user:password@host:6379/0`，TLS 使用 `rediss://`：设置相同的所有进程共享限流计数。调用从不等待 Redis；未设置时各进程单独计数。',
  },
  GLOBAL_API_RATE_LIMIT_ENABLE: {
    en: 'Limit console calls per address.',
    zh: '按地址限制控制台调用。',
  },
  GLOBAL_API_RATE_LIMIT: {
    en: 'Console calls per address (IPv6: per /64) in a window for signed-out callers. Signed-in users have 20 times as many, across all their addresses.',
    zh: '未登录时每个地址（IPv6 按 /64）在一个窗口内的控制台调用次数；已登录用户为 20 倍，不论来自哪个地址。',
  },
  GLOBAL_API_RATE_LIMIT_DURATION: {
    en: 'Length of that window in seconds.',
    zh: '该窗口的长度（秒）。',
  },
  GLOBAL_WEB_RATE_LIMIT_ENABLE: {
    en: 'Limit dashboard page loads per address.',
    zh: '按地址限制控制台页面的加载次数。',
  },
  GLOBAL_WEB_RATE_LIMIT: {
    en: 'Page loads per address (IPv6: per /64) in a window. Signed-in users have 20 times as many. Static files do not count.',
    zh: '每个地址（IPv6 按 /64）在一个窗口内的页面加载次数；已登录用户为 20 倍，静态文件不计。',
  },
  GLOBAL_WEB_RATE_LIMIT_DURATION: {
    en: 'Length of that window in seconds.',
    zh: '该窗口的长度（秒）。',
  },
  FRONTEND_BASE_URL: {
    en: 'On a slave: the address that browsers are redirected to for dashboard pages.',
    zh: '从节点：浏览器访问控制台页面时跳转到的地址。',
  },
  POLLING_INTERVAL: {
    en: 'Pause between two channels during a test of all channels or an update of all balances, in seconds.',
    zh: '测试全部渠道或更新全部余额时，两个渠道之间的间隔（秒）。',
  },
  CHANNEL_TEST_FREQUENCY: {
    en: 'Minutes between tests of all channels. 0 means never.',
    zh: '测试全部渠道的间隔（分钟）；0 表示不测试。',
  },
  CHANNEL_UPDATE_FREQUENCY: {
    en: 'Minutes between updates of all channel balances. 0 means never.',
    zh: '更新全部渠道余额的间隔（分钟）；0 表示不更新。',
  },
  NOTIFY_LIMIT_COUNT: {
    en: 'Maximum notifications of one kind per user in a window, by e-mail or webhook.',
    zh: '一个窗口内每个用户同一类通知（邮件或 webhook）的最大次数。',
  },
  NOTIFICATION_LIMIT_DURATION_MINUTE: {
    en: 'Length of that window in minutes.',
    zh: '该窗口的长度（分钟）。',
  },
  NODE_TYPE: {
    en: '`master` or `slave`. A slave runs no jobs. With several masters, each job runs on one at a time, so slaves are optional.',
    zh: '`master` 或 `slave`。从节点不执行定时任务；有多个主节点时，每项任务同时只在一个节点上执行，因此从节点并非必需。',
  },
  FORCE_STREAM_OPTION: {
    en: 'Ask upstreams for the usage of a stream even if the client did not.',
    zh: '即使客户端没有要求，也向上游请求流式应答的用量。',
  },
  RELAY_PROXY: {
    en: 'Proxy for upstream calls of channels without their own proxy: `http://`, `https://` or `socks5://`.',
    zh: '未单独设置代理的渠道访问上游时使用的代理：`http://`、`https://` 或 `socks5://`。',
  },
  LOG_LEVEL: {
    en: '`debug`, `info`, `warn`, `error` or `silent`.',
    zh: '`debug`、`info`、`warn`、`error` 或 `silent`。',
  },
  LOG_FORMAT: {
    en: '`json` or `pretty`.',
    zh: '`json` 或 `pretty`。',
    fallback: { en: '`pretty` on a terminal, otherwise `json`', zh: '在终端上为 `pretty`，否则为 `json`' },
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    en: 'OpenTelemetry collector for traces and metrics, such as `http://localhost:4318`; `/v1/traces` and `/v1/metrics` are appended. Without an endpoint nothing is sent. See [OpenTelemetry](observe.md).',
    zh: '接收追踪和指标的 OpenTelemetry 采集器，例如 `http://localhost:4318`；会自动加上 `/v1/traces` 和 `/v1/metrics`。未设置地址时不发送任何数据。见 [OpenTelemetry](observe.zh.md)。',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    en: 'Full address for traces, used as it is.',
    zh: '追踪的完整地址，原样使用。',
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    en: 'Full address for metrics, used as it is.',
    zh: '指标的完整地址，原样使用。',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    en: '`http/protobuf` or `http/json`. gRPC is not supported. Also `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL` and `OTEL_EXPORTER_OTLP_METRICS_PROTOCOL` for one of the two; the same applies to headers, compression and timeout.',
    zh: '`http/protobuf` 或 `http/json`；不支持 gRPC。可用 `OTEL_EXPORTER_OTLP_TRACES_PROTOCOL` 和 `OTEL_EXPORTER_OTLP_METRICS_PROTOCOL` 分别设置；请求头、压缩和超时同理。',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { en: 'The same for traces.', zh: '仅用于追踪。' },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: { en: 'The same for metrics.', zh: '仅用于指标。' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    en: 'Headers for the collector: `name=value,name=value`, with special characters in values percent-encoded. Never shown.',
    zh: '发给采集器的请求头：`name=value,name=value`，值中的特殊字符需百分号编码。从不显示。',
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { en: 'The same for traces.', zh: '仅用于追踪。' },
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: { en: 'The same for metrics.', zh: '仅用于指标。' },
  OTEL_EXPORTER_OTLP_COMPRESSION: { en: '`gzip` or `none`.', zh: '`gzip` 或 `none`。' },
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: { en: 'The same for traces.', zh: '仅用于追踪。' },
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: { en: 'The same for metrics.', zh: '仅用于指标。' },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    en: 'Timeout of one request to the collector, in milliseconds.',
    zh: '一次发往采集器的请求的超时（毫秒）。',
  },
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: { en: 'The same for traces.', zh: '仅用于追踪。' },
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: { en: 'The same for metrics.', zh: '仅用于指标。' },
  OTEL_SERVICE_NAME: {
    en: 'Name of this service in traces and metrics (`service.name`).',
    zh: '本服务在追踪和指标中的名称（`service.name`）。',
    fallback: { en: '`tollgate`', zh: '`tollgate`' },
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    en: 'Further attributes of the service: `name=value,name=value`.',
    zh: '服务的其他属性：`name=value,name=value`。',
  },
  OTEL_TRACES_EXPORTER: { en: '`otlp`, or `none` to send no traces.', zh: '`otlp`；`none` 表示不发送追踪。' },
  OTEL_METRICS_EXPORTER: { en: '`otlp`, or `none` to send no metrics.', zh: '`otlp`；`none` 表示不发送指标。' },
  OTEL_TRACES_SAMPLER: {
    en: '`always_on`, `always_off`, `traceidratio`, or the same with `parentbased_` in front: then a trace that a client began is recorded if the client records it.',
    zh: '`always_on`、`always_off`、`traceidratio`，或加上前缀 `parentbased_`：由客户端开始的追踪是否记录由客户端决定。',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    en: 'Share of traces that `traceidratio` records, from 0 to 1.',
    zh: '`traceidratio` 记录的追踪比例，0 至 1。',
  },
  OTEL_PROPAGATORS: {
    en: '`tracecontext` continues the trace of the client and sends `traceparent` to upstreams. `none` does neither. Baggage is never passed on.',
    zh: '`tracecontext` 延续客户端的追踪，并向上游发送 `traceparent`；`none` 两者都不做。baggage 从不转发。',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    en: 'Maximum time a span waits before it is sent, in milliseconds.',
    zh: 'span 发送前的最长等待时间（毫秒）。',
  },
  OTEL_BSP_EXPORT_TIMEOUT: {
    en: 'Maximum time to send a batch of spans, with all retries, in milliseconds.',
    zh: '发送一批 span 的最长时间（毫秒），包括重试。',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    en: 'Maximum number of spans waiting to be sent. Further spans are dropped.',
    zh: '等待发送的 span 的最大数量；超出的会丢弃。',
  },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: { en: 'Maximum number of spans in a batch.', zh: '一批 span 的最大数量。' },
  OTEL_METRIC_EXPORT_INTERVAL: {
    en: 'Time between two reports of metrics, in milliseconds.',
    zh: '两次发送指标的间隔（毫秒）。',
  },
  OTEL_METRIC_EXPORT_TIMEOUT: {
    en: 'Maximum time to send a report of metrics, with all retries, in milliseconds.',
    zh: '发送一次指标的最长时间（毫秒），包括重试。',
  },
  OTEL_SDK_DISABLED: { en: '`true` turns OpenTelemetry off.', zh: '`true` 表示关闭 OpenTelemetry。' },
};
