import { countMap, headerMap, textMap } from './json.ts';
import { choice, decimal, flag, lines, secret, whole } from './kind.ts';
import { link } from './link.ts';

/** Logs, monitoring, retries, drawing, sensitive words, worker and model settings. */
export const operationOptions = {
  RetryTimes: whole(2, 0, 20, ['general', 'further attempts when an upstream fails', '失败重试次数']),
  FirstTokenTimeout: whole(0, 0, 3600, [
    'general',
    'seconds to wait for the first token before another channel is tried; 0 = off',
    '等待首个 token 的秒数，超时切换渠道，0 = 关闭',
  ]),
  LogConsumeEnabled: flag(true, ['log', 'write a log row per call', '启用消费日志']),
  LogRetentionDays: whole(0, 0, 36_500, ['log', 'days log rows are kept; 0 = for ever', '日志保留天数，0 = 永久']),
  FailedSignInRetentionDays: whole(90, 0, 36_500, [
    'log',
    'days failed sign-ins stay in the audit log; 0 = for ever',
    '审计日志中登录失败记录的保留天数，0 = 永久',
  ]),
  PendingOrderRetentionDays: whole(30, 0, 36_500, [
    'log',
    'days orders that nobody paid are kept; 0 = for ever',
    '未支付订单的保留天数，0 = 永久',
  ]),
  UsageDataRetentionDays: whole(730, 0, 36_500, [
    'log',
    'days the hourly sums of the dashboard are kept; 0 = for ever',
    '数据看板每小时汇总的保留天数，0 = 永久',
  ]),
  DataExportEnabled: flag(true, ['dashboard', 'collect hourly sums for the dashboard', '启用数据看板']),
  DataExportInterval: whole(5, 1, 1440, ['dashboard', 'minutes between refreshes', '数据看板刷新间隔（分钟）']),
  DataExportDefaultTime: choice(
    'hour',
    ['hour', 'day', 'week'],
    ['dashboard', 'default granularity', '数据看板默认时间粒度'],
  ),
  ChannelDisableThreshold: decimal(5, 0, 3600, [
    'monitoring',
    'longest accepted response time of a channel test in seconds; 0 = any',
    '测试渠道的最长响应时间（秒），0 = 不限',
  ]),
  AutomaticDisableChannelEnabled: flag(false, ['monitoring', 'disable a failing channel', '失败时自动禁用渠道']),
  AutomaticEnableChannelEnabled: flag(false, ['monitoring', 'enable it again on success', '成功时自动启用渠道']),
  AutomaticDisableKeywords: lines(
    [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ],
    [
      'monitoring',
      'texts in an upstream error that disable the channel, one per line',
      '触发自动禁用的关键词，每行一个',
    ],
  ),
  ModelRequestRateLimitEnabled: flag(false, ['monitoring', 'limit requests per user', '启用用户请求速率限制']),
  ModelRequestRateLimitCount: whole(0, 0, 100_000_000, [
    'monitoring',
    'requests per window, failures included; 0 = off',
    '每周期最多请求次数（含失败），0 = 不限',
  ]),
  ModelRequestRateLimitSuccessCount: whole(1000, 1, 100_000_000, [
    'monitoring',
    'successful requests per window',
    '每周期最多成功次数',
  ]),
  ModelRequestRateLimitDurationMinutes: whole(1, 1, 1440, ['monitoring', 'window in minutes', '限制周期（分钟）']),
  UserRequestRateLimitCount: whole(0, 0, 1_000_000, [
    'monitoring',
    'requests per user and minute, playground included; 0 = off',
    '每用户每分钟最多请求次数（含操练场），0 = 不限',
  ]),
  TokenRequestRateLimitCount: whole(0, 0, 1_000_000, [
    'monitoring',
    'requests per token and minute; 0 = off',
    '每令牌每分钟最多请求次数，0 = 不限',
  ]),
  UserConcurrencyLimit: whole(0, 0, 1_000_000, [
    'monitoring',
    'requests of a user running at a time, playground included; 0 = off',
    '每用户最多同时进行的请求数（含操练场），0 = 不限',
  ]),
  TokenConcurrencyLimit: whole(0, 0, 1_000_000, [
    'monitoring',
    'requests of a token running at a time; 0 = off',
    '每令牌最多同时进行的请求数，0 = 不限',
  ]),

  MjNotifyEnabled: flag(false, ['drawing', 'pass notifyHook to the upstream', '允许回调地址传给上游']),
  MjAccountFilterEnabled: flag(false, ['drawing', 'pass accountFilter to the upstream', '允许 accountFilter 参数']),
  MjModeClearEnabled: flag(false, ['drawing', 'cut speed flags from prompts', '清除提示词中的速度参数']),
  MjForwardUrlEnabled: flag(true, ['drawing', 'serve pictures through this server', '图片地址通过本服务器转发']),
  MjActionCheckSuccessEnabled: flag(true, ['drawing', 'follow-ups need a finished task', '操作前检查任务是否成功']),
  CheckSensitiveEnabled: flag(true, ['sensitive', 'check for sensitive words', '启用屏蔽词']),
  CheckSensitiveOnPromptEnabled: flag(true, ['sensitive', 'check the prompt', '检查提示词']),
  StopOnSensitiveEnabled: flag(true, ['sensitive', 'kept for older consoles; has no effect', '兼容旧控制台，无作用']),
  StreamCacheQueueLength: whole(0, 0, 1_000_000, [
    'sensitive',
    'kept for older consoles; has no effect',
    '兼容旧控制台，无作用',
  ]),
  SensitiveWords: lines(['test_sensitive'], ['sensitive', 'sensitive words, one per line', '屏蔽词，每行一个']),
  WorkerUrl: link(['server', 'proxy that fetches files users name', '用于获取用户文件的 Worker 地址']),
  WorkerValidKey: secret(['server', 'key of that proxy', 'Worker 密钥']),
  FileUploadPermission: whole(0, 0, 100, ['server', 'kept for older consoles; has no effect', '兼容旧控制台，无作用']),
  FileDownloadPermission: whole(0, 0, 100, [
    'server',
    'kept for older consoles; has no effect',
    '兼容旧控制台，无作用',
  ]),
  ImageUploadPermission: whole(0, 0, 100, ['server', 'kept for older consoles; has no effect', '兼容旧控制台，无作用']),
  ImageDownloadPermission: whole(0, 0, 100, [
    'server',
    'kept for older consoles; has no effect',
    '兼容旧控制台，无作用',
  ]),

  'global.pass_through_request_enabled': flag(false, [
    'model',
    'send bodies unchanged where no conversion is needed',
    '无需转换时请求体原样透传',
  ]),
  'claude.model_headers_settings': headerMap(['model', 'headers per Claude model', 'Claude 请求头设置']),
  'claude.default_max_tokens': countMap({ default: 8192 }, [
    'model',
    'max_tokens when a call names none',
    'Claude 默认 max_tokens',
  ]),
  'claude.thinking_adapter_enabled': flag(true, ['model', 'model names ending in -thinking', '支持 -thinking 后缀']),
  'claude.thinking_adapter_budget_tokens_percentage': decimal(0.8, 0.1, 1, [
    'model',
    'share of max_tokens for thinking',
    '思考预算占 max_tokens 的比例',
  ]),
  'gemini.safety_settings': textMap({ default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' }, [
    'model',
    'Gemini safety settings',
    'Gemini 安全设置',
  ]),
  'gemini.version_settings': textMap({ default: 'v1beta', 'gemini-1.0-pro': 'v1' }, [
    'model',
    'Gemini API versions',
    'Gemini 版本设置',
  ]),
};
