import { rescueLevels } from '../rescue-level.ts';
import { onCard } from './card.ts';
import { chatList, countMap, headerMap, textMap } from './json.ts';
import { choice, decimal, flag, lines, timeZone, whole, wholeOrAuto } from './kind.ts';
import { chatLink, link } from './link.ts';

const maxQuota = Number.MAX_SAFE_INTEGER;
const [quota, requests, days] = [{ unit: 'quota' }, { unit: 'requests' }, { unit: 'days' }] as const;
const idle = { withoutEffect: true } as const;

/** What a vendor says of a key or an account that is of no use any more. */
export const defaultDisableKeywords: string[] = [
  'Your credit balance is too low',
  'This organization has been disabled.',
  'You exceeded your current quota',
  'Permission denied',
  'The security token included in the request is invalid',
  'Operation not allowed',
  'Your account is not authorized',
];

/** How calls are served and what is kept of them: the tab `operation`. */
export const operationOptions = {
  ...onCard('general', {
    TopUpLink: link(),
    ChatLink: chatLink(),
    ChatLink2: chatLink(),
    'general_setting.docs_link': link(),
    QuotaPerUnit: decimal(500_000, 1, 1_000_000_000),
    RetryTimes: whole(2, 0, 20),
    FirstTokenTimeout: wholeOrAuto(0, 3600, { unit: 'seconds' }),
    ChannelAffinityMinutes: whole(10, 0, 1440, { unit: 'minutes' }),
    StreamRescue: choice('exact', rescueLevels),
    'general_setting.ping_interval_seconds': whole(60, 1, 3600, { unit: 'seconds' }),
    'general_setting.ping_interval_enabled': flag(false),
    DisplayInCurrencyEnabled: flag(true),
    DisplayTokenStatEnabled: flag(true),
    DefaultCollapseSidebar: flag(false),
    SelfUseModeEnabled: flag(false),
    DemoSiteEnabled: flag(false),
  }),
  ...onCard('quota', {
    QuotaForNewUser: whole(0, 0, maxQuota, quota),
    QuotaForInviter: whole(0, 0, maxQuota, quota),
    QuotaForInvitee: whole(0, 0, maxQuota, quota),
    PreConsumedQuota: whole(500, 0, 10_000_000, { unit: 'tokens' }),
    QuotaHardStop: flag(true),
  }),
  ...onCard('monitoring', {
    ChannelDisableThreshold: decimal(5, 0, 3600, { unit: 'seconds' }),
    QuotaRemindThreshold: whole(1000, 0, maxQuota, quota),
    AutomaticDisableChannelEnabled: flag(false),
    AutomaticEnableChannelEnabled: flag(false),
    AutomaticDisableKeywords: lines(defaultDisableKeywords),
  }),
  ...onCard('limit', {
    ModelRequestRateLimitEnabled: flag(false),
    ModelRequestRateLimitDurationMinutes: whole(1, 1, 1440, { unit: 'minutes' }),
    ModelRequestRateLimitCount: whole(0, 0, 100_000_000, requests),
    ModelRequestRateLimitSuccessCount: whole(1000, 1, 100_000_000, requests),
    UserRequestRateLimitCount: whole(0, 0, 1_000_000, { unit: 'requestsPerMinute' }),
    TokenRequestRateLimitCount: whole(0, 0, 1_000_000, { unit: 'requestsPerMinute' }),
    UserConcurrencyLimit: whole(0, 0, 1_000_000, requests),
    TokenConcurrencyLimit: whole(0, 0, 1_000_000, requests),
    LimitTimeZone: timeZone('UTC'),
  }),
  ...onCard('log', {
    LogConsumeEnabled: flag(true),
    LogErrorEnabled: flag(true),
    LogErrorsPerMinute: whole(60, 0, 100_000, requests),
    LogRetentionDays: whole(0, 0, 36_500, days),
    LogErrorRetentionDays: whole(30, 0, 36_500, days),
    FailedSignInRetentionDays: whole(90, 0, 36_500, days),
    PendingOrderRetentionDays: whole(30, 0, 36_500, days),
    UsageDataRetentionDays: whole(730, 0, 36_500, days),
  }),
  ...onCard('dashboard', {
    DataExportEnabled: flag(true),
    DataExportInterval: whole(5, 1, 1440, { unit: 'minutes' }),
    DataExportDefaultTime: choice('hour', ['hour', 'day', 'week']),
  }),
  ...onCard('drawing', {
    DrawingEnabled: flag(true),
    TaskEnabled: flag(true),
    MjNotifyEnabled: flag(false),
    MjAccountFilterEnabled: flag(false),
    MjForwardUrlEnabled: flag(true),
    MjModeClearEnabled: flag(false),
    MjActionCheckSuccessEnabled: flag(true),
  }),
  ...onCard('sensitive', {
    CheckSensitiveEnabled: flag(true),
    CheckSensitiveOnPromptEnabled: flag(true),
    SensitiveWords: lines(['test_sensitive']),
    StopOnSensitiveEnabled: flag(true, idle),
    StreamCacheQueueLength: whole(0, 0, 1_000_000, idle),
  }),
  ...onCard('chat', { Chats: chatList() }),
  ...onCard('model', {
    'global.pass_through_request_enabled': flag(false),
    'claude.thinking_adapter_enabled': flag(true),
    'claude.thinking_adapter_budget_tokens_percentage': decimal(0.8, 0.1, 1),
    'claude.default_max_tokens': countMap({ default: 8192 }),
    'claude.model_headers_settings': headerMap(),
    'gemini.safety_settings': textMap({ default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' }),
    'gemini.version_settings': textMap({ default: 'v1beta', 'gemini-1.0-pro': 'v1' }),
  }),
};
