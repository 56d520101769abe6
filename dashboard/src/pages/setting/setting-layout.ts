import type { OptionKey } from '../../../../core/schemas/option.ts';

export interface SettingCardEntry {
  /** Its title is the text `card.<key>`. */
  key: string;
  options: OptionKey[];
}

export interface SettingTabEntry {
  /** In the address; its name is the text `tab.<key>`. */
  key: SettingTab;
  cards: SettingCardEntry[];
}

export type SettingTab = 'operation' | 'ratio' | 'system' | 'other';

const groupCard: SettingCardEntry = { key: 'group', options: ['GroupRatio', 'UserUsableGroups'] };
const priceCard: SettingCardEntry = {
  key: 'price',
  options: ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio'],
};

/** Every tab of root's settings (accounts spec, section 2); groups and prices stand with operation, and with all that belongs to them. */
export const settingTabs: SettingTabEntry[] = [
  {
    key: 'operation',
    cards: [
      {
        key: 'general',
        options: [
          ...(['TopUpLink', 'ChatLink', 'ChatLink2', 'general_setting.docs_link', 'QuotaPerUnit'] as const),
          ...(['RetryTimes', 'FirstTokenTimeout', 'DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled'] as const),
          ...(['DefaultCollapseSidebar', 'SelfUseModeEnabled', 'DemoSiteEnabled'] as const),
        ],
      },
      {
        key: 'quota',
        options: ['QuotaForNewUser', 'PreConsumedQuota', 'QuotaForInviter', 'QuotaForInvitee', 'QuotaHardStop'],
      },
      {
        key: 'monitoring',
        options: [
          ...(['ChannelDisableThreshold', 'QuotaRemindThreshold', 'AutomaticDisableChannelEnabled'] as const),
          ...(['AutomaticEnableChannelEnabled', 'AutomaticDisableKeywords'] as const),
        ],
      },
      {
        key: 'limit',
        options: [
          ...(['ModelRequestRateLimitEnabled', 'ModelRequestRateLimitDurationMinutes'] as const),
          ...(['ModelRequestRateLimitCount', 'ModelRequestRateLimitSuccessCount'] as const),
          ...(['UserRequestRateLimitCount', 'TokenRequestRateLimitCount'] as const),
          ...(['UserConcurrencyLimit', 'TokenConcurrencyLimit'] as const),
        ],
      },
      {
        key: 'log',
        options: [
          'LogConsumeEnabled',
          'LogRetentionDays',
          'FailedSignInRetentionDays',
          'PendingOrderRetentionDays',
          'UsageDataRetentionDays',
        ],
      },
      { key: 'dashboard', options: ['DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime'] },
      {
        key: 'drawing',
        options: [
          ...(['DrawingEnabled', 'TaskEnabled', 'MjNotifyEnabled', 'MjAccountFilterEnabled'] as const),
          ...(['MjForwardUrlEnabled', 'MjModeClearEnabled', 'MjActionCheckSuccessEnabled'] as const),
        ],
      },
      { key: 'sensitive', options: ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled', 'SensitiveWords'] },
      { key: 'chat', options: ['Chats'] },
      groupCard,
      priceCard,
      {
        key: 'model',
        options: [
          ...(['global.pass_through_request_enabled', 'claude.thinking_adapter_enabled'] as const),
          ...(['claude.thinking_adapter_budget_tokens_percentage', 'claude.default_max_tokens'] as const),
          ...(['claude.model_headers_settings', 'gemini.safety_settings', 'gemini.version_settings'] as const),
        ],
      },
    ],
  },
  {
    key: 'ratio',
    cards: [
      groupCard,
      priceCard,
      { key: 'cache', options: ['CreateCacheRatio', 'CreateCacheHourRatio'] },
      { key: 'longPrompt', options: ['LongPromptRatio'] },
      { key: 'surcharge', options: ['ToolPrice', 'ServiceTierRatio'] },
    ],
  },
  {
    key: 'system',
    cards: [
      { key: 'server', options: ['ServerAddress'] },
      { key: 'worker', options: ['WorkerUrl', 'WorkerValidKey'] },
      {
        key: 'payment',
        options: [
          ...(['PayAddress', 'EpayId', 'EpayKey', 'CustomCallbackAddress', 'Price', 'MinTopUp'] as const),
          'TopupGroupRatio',
        ],
      },
      {
        key: 'signIn',
        options: ['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled', 'EmailVerificationEnabled'],
      },
      {
        key: 'email',
        options: ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled', 'EmailDomainWhitelist'],
      },
      {
        key: 'mail',
        options: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled'],
      },
      { key: 'github', options: ['GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret'] },
      {
        key: 'linuxdo',
        options: ['LinuxDOOAuthEnabled', 'LinuxDOClientId', 'LinuxDOClientSecret', 'LinuxDOMinimumTrustLevel'],
      },
      {
        key: 'wechat',
        options: ['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'],
      },
      { key: 'telegram', options: ['TelegramOAuthEnabled', 'TelegramBotName', 'TelegramBotToken'] },
      {
        key: 'oidc',
        options: [
          ...(['oidc.enabled', 'oidc.client_id', 'oidc.client_secret', 'oidc.well_known'] as const),
          ...(['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint'] as const),
        ],
      },
      { key: 'turnstile', options: ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'] },
    ],
  },
  {
    key: 'other',
    cards: [
      { key: 'notice', options: ['Notice'] },
      { key: 'systemName', options: ['SystemName'] },
      { key: 'logo', options: ['Logo'] },
      { key: 'homePage', options: ['HomePageContent'] },
      { key: 'about', options: ['About'] },
      { key: 'footer', options: ['Footer'] },
    ],
  },
];

/** Of a few words each; the texts are `choice.<word>`. */
export const choicesOf: Partial<Record<OptionKey, string[]>> = { DataExportDefaultTime: ['hour', 'day', 'week'] };

/** Pages people write: long, and to be seen as they will look. */
/** Amounts of quota: their fields say what they are worth. */
export const quotaOptions: OptionKey[] = [
  ...(['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee', 'QuotaRemindThreshold'] as const),
];

export const contentOptions: OptionKey[] = ['Notice', 'HomePageContent', 'About', 'Footer'];

export const shownOptions: OptionKey[] = [
  ...new Set(settingTabs.flatMap(({ cards }) => cards.flatMap(({ options }) => options))),
];
