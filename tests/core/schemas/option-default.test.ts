import { describe, expect, it } from 'vitest';
import { definitionOf, isHiddenOption, isOptionKey, optionKeys } from '../../../core/schemas/option.ts';

/** Checklist line, keys, and the default as consoles read it, always as text (options reference, 2). */
const table: [line: string, keys: string[], text: string][] = [
  ['A-059', ['TopUpLink'], ''],
  ['A-060', ['ChatLink', 'ChatLink2'], ''],
  ['A-061', ['QuotaPerUnit'], '500000'],
  ['A-062', ['RetryTimes'], '2'],
  ['A-063', ['DisplayInCurrencyEnabled'], 'true'],
  ['A-064', ['DisplayTokenStatEnabled'], 'true'],
  ['A-065', ['DefaultCollapseSidebar'], 'false'],
  ['A-066 A-133', ['DrawingEnabled', 'TaskEnabled'], 'true'],
  ['A-067', ['MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjModeClearEnabled'], 'false'],
  ['A-068 A-069', ['MjForwardUrlEnabled', 'MjActionCheckSuccessEnabled'], 'true'],
  ['A-070', ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled'], 'true'],
  ['A-071', ['SensitiveWords'], 'test_sensitive'],
  ['A-072 A-074', ['LogConsumeEnabled', 'DataExportEnabled'], 'true'],
  ['A-075 G-273', ['DataExportInterval'], '5'],
  ['A-076 G-273', ['DataExportDefaultTime'], 'hour'],
  ['A-077', ['ChannelDisableThreshold'], '5'],
  ['A-078', ['QuotaRemindThreshold'], '1000'],
  ['A-079', ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'], 'false'],
  ['A-080 A-082 A-083', ['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee'], '0'],
  ['A-081', ['PreConsumedQuota'], '500'],
  ['A-084', ['Chats'], '[]'],
  ['A-085 A-099', ['GroupRatio', 'TopupGroupRatio'], '{"default":1,"vip":1,"svip":1}'],
  ['A-091', ['ServerAddress'], ''],
  ['A-092 A-094 A-096', ['WorkerUrl', 'PayAddress', 'EpayId', 'CustomCallbackAddress'], ''],
  ['A-097', ['Price'], '7.3'],
  ['A-098', ['MinTopUp'], '1'],
  ['A-101 A-102 A-104', ['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled'], 'true'],
  ['A-103', ['EmailVerificationEnabled'], 'false'],
  ['A-105', ['GitHubOAuthEnabled', 'LinuxDOOAuthEnabled', 'WeChatAuthEnabled', 'TelegramOAuthEnabled'], 'false'],
  ['A-106 A-107', ['EmailDomainRestrictionEnabled', 'EmailAliasRestrictionEnabled'], 'false'],
  [
    'A-108',
    ['EmailDomainWhitelist'],
    'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  ],
  ['A-109', ['SMTPServer', 'SMTPAccount', 'SMTPFrom'], ''],
  ['A-110', ['SMTPPort'], '587'],
  ['A-112', ['SMTPSSLEnabled'], 'false'],
  ['A-113 A-114', ['GitHubClientId', 'LinuxDOClientId'], ''],
  ['A-115 A-117 A-119', ['WeChatServerAddress', 'WeChatAccountQRCodeImageURL', 'TelegramBotName'], ''],
  ['A-120', ['TurnstileCheckEnabled'], 'false'],
  ['A-122 A-124 A-125 A-126 A-127', ['Notice', 'Logo', 'HomePageContent', 'About', 'Footer'], ''],
  ['M1', ['SelfUseModeEnabled', 'DemoSiteEnabled'], 'false'],
  ['M2', ['QuotaHardStop'], 'true'],
  ['R1', ['FirstTokenTimeout'], 'auto'],
  ['R1', ['StreamRescue'], 'exact'],
  ['A-123', ['SystemName'], 'Tollgate'],
  ['the log of failed calls', ['LogErrorEnabled'], 'true'],
  ['A-086', ['UserUsableGroups'], '{"default":"默认分组","vip":"vip分组"}'],
  ['A-087', ['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'], '{}'],
  ['R9', ['ModelRequestRateLimitEnabled'], 'false'],
  ['R9', ['ModelRequestRateLimitCount', 'TokenRequestRateLimitCount', 'UserRequestRateLimitCount'], '0'],
  ['R9', ['TokenConcurrencyLimit', 'UserConcurrencyLimit'], '0'],
  ['R9', ['ModelRequestRateLimitSuccessCount'], '1000'],
  ['R9', ['ModelRequestRateLimitDurationMinutes'], '1'],
  ['the retention', ['LogRetentionDays'], '0'],
  ['the model settings', ['global.pass_through_request_enabled'], 'false'],
  ['the model settings', ['claude.default_max_tokens'], '{"default":8192}'],
  ['the model settings', ['claude.model_headers_settings'], '{}'],
  ['the model settings', ['claude.thinking_adapter_enabled'], 'true'],
  ['the model settings', ['claude.thinking_adapter_budget_tokens_percentage'], '0.8'],
  ['the model settings', ['gemini.safety_settings'], '{"default":"OFF","HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_NONE"}'],
  ['the model settings', ['gemini.version_settings'], '{"default":"v1beta","gemini-1.0-pro":"v1"}'],
  ['the pings', ['general_setting.ping_interval_enabled'], 'false'],
  ['the pings', ['general_setting.ping_interval_seconds'], '60'],
  ['OIDC', ['oidc.enabled'], 'false'],
  ['the left-over switch', ['StopOnSensitiveEnabled'], 'true'],
  ['the left-over numbers', ['StreamCacheQueueLength', 'FileUploadPermission', 'ImageDownloadPermission'], '0'],
  [
    'the keywords of a dead key',
    ['AutomaticDisableKeywords'],
    [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ].join('\n'),
  ],
];

const secrets: [line: string, key: string][] = [
  ['A-093', 'WorkerValidKey'],
  ['A-095', 'EpayKey'],
  ['A-111', 'SMTPToken'],
  ['A-113', 'GitHubClientSecret'],
  ['A-114', 'LinuxDOClientSecret'],
  ['A-116', 'WeChatServerToken'],
  ['A-118', 'TelegramBotToken'],
  ['A-121', 'TurnstileSecretKey'],
  ['S12', 'oidc.client_secret'],
];

const refused: [line: string, key: string, text: string][] = [
  ['A-075', 'DataExportInterval', '0'],
  ['A-076', 'DataExportDefaultTime', 'month'],
  ...['GroupRatio', 'UserUsableGroups', 'ModelPrice', 'ModelRatio', 'CompletionRatio', 'Chats', 'TopupGroupRatio'].map(
    (key): [string, string, string] => ['A-166 A-167', key, '{"a":'],
  ),
];

function optionNamed(key: string) {
  if (!isOptionKey(key)) throw new Error(`there is no option ${key}`);
  return { key, definition: definitionOf(key) };
}

describe('the settings of an unchanged installation', () => {
  it.each(table)('%s contain what consoles know: %s', (_line, keys, text) => {
    for (const name of keys) {
      const { definition } = optionNamed(name);
      expect(definition.write(definition.default), name).toBe(text);
      expect(definition.read(text), name).toEqual({ value: definition.default });
    }
  });

  it.each(secrets)('%s never give %s back', (_line, name) => {
    const { key, definition } = optionNamed(name);
    expect(definition.secret).toBe(true);
    expect(isHiddenOption(key)).toBe(true);
  });

  it.each(refused)('%s take no %s of the form %s', (_line, name, text) => {
    expect(optionNamed(name).definition.read(text)).toHaveProperty('fault');
  });

  it('can be read and written as text, whatever the option', () => {
    for (const key of optionKeys) {
      const { read, write, default: value } = definitionOf(key);
      expect(read(write(value)), key).toEqual({ value });
    }
  });
});
