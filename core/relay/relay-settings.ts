import type { Config } from '../config.ts';
import type { ModelSettings } from '../providers/model-setting.ts';
import type { RescueLevel } from '../schemas/rescue-level.ts';
import type { OptionService } from '../services/option/option.ts';
import type { TaskSettings } from '../wire/task-kind.ts';
import { firstTokenFigures } from './first-token/limit.ts';
import type { CallLimitSettings } from './limit/call-rule.ts';
import { maxSessionMs, type RealtimeLimits, realtimeDefaults } from './realtime/realtime-call.ts';
import type { RelayLimits, RelayOptions } from './relay-options.ts';

type Options = Pick<OptionService, 'get'>;

/** The stored options as the relay asks for them. */
export function relayOptions(options: Options, modelSettings: () => ModelSettings): RelayOptions {
  return {
    modelSettings,
    retryTimes: () => options.get('RetryTimes'),
    firstTokenMs: () => firstTokenMs(options),
    affinitySeconds: () => options.get('ChannelAffinityMinutes') * 60,
    streamRescue: (group) => rescueOf(options, group),
    routingStrategy: (group) => options.get('GroupRoutingStrategy')[group] ?? 'weight',
    preConsumedQuota: () => options.get('PreConsumedQuota'),
    quotaHardStop: () => options.get('QuotaHardStop'),
    logConsume: () => options.get('LogConsumeEnabled'),
    dataExport: () => options.get('DataExportEnabled'),
    passesBodies: () => options.get('global.pass_through_request_enabled'),
    pingMs: () => pingMs(options),
    tasks: () => taskSettings(options),
    disableKeywords: () => options.get('AutomaticDisableKeywords'),
  };
}

function taskSettings(options: Options): TaskSettings {
  return {
    drawing: {
      passesAccountFilter: options.get('MjAccountFilterEnabled'),
      passesNotifyHook: options.get('MjNotifyEnabled'),
      clearsMode: options.get('MjModeClearEnabled'),
      checksSuccess: options.get('MjActionCheckSuccessEnabled'),
    },
  };
}

function firstTokenMs(options: Options): number | 'auto' {
  const seconds = options.get('FirstTokenTimeout');
  return seconds === 'auto' ? seconds : seconds * 1000;
}

function rescueOf(options: Options, group: string): RescueLevel {
  const ofGroups = options.get('GroupStreamRescue');
  return ofGroups[group] ?? options.get('StreamRescue');
}

/** Whether calls of some group go to the fastest channels. */
export function isSpeedAsked(options: Options): boolean {
  return Object.values(options.get('GroupRoutingStrategy')).includes('speed');
}

function pingMs(options: Options): number {
  const isOn = options.get('general_setting.ping_interval_enabled');
  return isOn ? options.get('general_setting.ping_interval_seconds') * 1000 : 0;
}

/** Models think and vendors run tools behind signs of life for minutes; forever is something else. */
const progressFactor = 5;

export function relayLimits(config: Config): RelayLimits {
  return {
    headersMs: 60_000,
    slowHeadersMs: 600_000,
    idleMs: config.streamingTimeoutMs,
    progressMs: progressFactor * config.streamingTimeoutMs,
    totalMs: config.relayTimeoutMs,
    firstToken: firstTokenFigures,
    writeMs: 120_000,
    abandonedMs: 30_000,
    mediaBytes: config.relayBodyLimitBytes,
    forceStreamOption: config.forceStreamOption,
    proxy: config.relayProxy,
  };
}

/** None while the check of prompts is off. */
export function sensitiveWordList(options: Options): readonly string[] {
  const isOn = options.get('CheckSensitiveEnabled') && options.get('CheckSensitiveOnPromptEnabled');
  return isOn ? options.get('SensitiveWords') : [];
}

/** Limits of calls a minute and at once, for models, tokens and users. */
export function callLimitSettings(options: Options): CallLimitSettings {
  const model = {
    calls: options.get('ModelRequestRateLimitCount'),
    successes: options.get('ModelRequestRateLimitSuccessCount'),
    minutes: options.get('ModelRequestRateLimitDurationMinutes'),
  };
  return {
    model: options.get('ModelRequestRateLimitEnabled') ? model : undefined,
    tokenCallsPerMinute: options.get('TokenRequestRateLimitCount'),
    userCallsPerMinute: options.get('UserRequestRateLimitCount'),
    tokenCallsAtOnce: options.get('TokenConcurrencyLimit'),
    userCallsAtOnce: options.get('UserConcurrencyLimit'),
  };
}

/** A session over a WebSocket waits as long for its upstream as a call does. */
export function realtimeLimits({ headersMs, idleMs, totalMs, writeMs }: RelayLimits): RealtimeLimits {
  const times = { openMs: headersMs, responseIdleMs: idleMs, totalMs: totalMs || maxSessionMs, writeMs };
  return { ...realtimeDefaults, ...times };
}

/** The service that fetches pictures in place of this server; undefined without one. */
export function mediaWorker(options: Options): { url: string; key: string } | undefined {
  const url = options.get('WorkerUrl');
  return url === '' ? undefined : { url, key: options.get('WorkerValidKey') };
}

/** How amounts are written for people. */
export function quotaFormat(options: Options): { inCurrency: boolean; quotaPerUnit: number } {
  return { inCurrency: options.get('DisplayInCurrencyEnabled'), quotaPerUnit: options.get('QuotaPerUnit') };
}
