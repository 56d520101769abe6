import { readBudgets } from '../../billing/budget-claim.ts';
import type { ConsumptionLog } from '../../billing/ledger-store.ts';
import { type PriceExtras, priceQuota } from '../../billing/price.ts';
import { surchargeFields, writeBill } from '../../billing/receipt.ts';
import type { Settlement } from '../../billing/settlement.ts';
import type { RelayRequest } from '../../canonical/request.ts';
import type { Usage, UsageSource } from '../../canonical/usage.ts';
import { hourOf } from '../../lib/clock.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import type { CallIdentity, Served } from '../call.ts';

export interface Consumption {
  call: CallIdentity;
  request: Pick<RelayRequest, 'model' | 'stream'>;
  served: Served;
  priced: Priced;
  usage: Usage;
  usageSource: UsageSource;
  extras: PriceExtras;
  flags: string[];
  /** How the response ended: complete, clientGone, broken, stopped. */
  outcome: string;
  /** Monotonic milliseconds of the first token, undefined when the response was not streamed. */
  firstTokenAt: number | undefined;
  now: { seconds: number; monotonicMs: number };
  keepLog: boolean;
  /** Of its hold: the proof of what was used of them. */
  budgets?: string;
  keepUsageData: boolean;
  /** Another upstream went on where one broke off. */
  rescued?: boolean;
  /** Further fields of the log row. */
  more?: Record<string, unknown>;
}

/** What the ledger books for one call. The log row carries all that is needed to compute the charge again. */
export function toSettlement(consumption: Consumption): Settlement {
  const { call, request, served, usage, now, keepLog, keepUsageData } = consumption;
  const { userId, tokenId, username } = call.caller;
  return {
    id: call.id,
    userId,
    tokenId,
    channelId: served.channelId,
    actual: priceQuota(consumption.priced.prepared, usage, consumption.extras),
    accessedAt: now.seconds,
    log: keepLog ? logRow(consumption) : undefined,
    usage:
      keepLog && keepUsageData
        ? {
            model_name: request.model,
            username,
            hour: hourOf(now.seconds),
            token_used: usage.prompt + usage.completion,
          }
        : undefined,
  };
}

function logRow(consumption: Consumption): ConsumptionLog {
  const { call, request, usage, now } = consumption;
  return {
    created_at: now.seconds,
    content: consumption.outcome === 'complete' ? '' : consumption.outcome,
    username: call.caller.username,
    token_name: call.caller.tokenName,
    model_name: request.model,
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    use_time: Math.round((now.monotonicMs - call.startedAt) / 1000),
    is_stream: request.stream,
    group: call.caller.group,
    other: JSON.stringify(otherFields(consumption)),
  };
}

/** Field names of the relay reference (section 12), then our own: `bill` is the input of the price function, whole. */
function otherFields(consumption: Consumption): Record<string, unknown> {
  const { call, request, served, usage, priced, extras, flags, now } = consumption;
  const { rates } = priced;
  // Made once per call: a field at a time, because spreading an object that is mostly empty costs more than all the rest.
  const fields: Record<string, unknown> = {
    model_ratio: rates.modelRatio,
    group_ratio: rates.groupRatio,
    completion_ratio: rates.completionRatio,
    model_price: rates.modelPrice,
    frt: consumption.firstTokenAt === undefined ? -1000 : Math.round(consumption.firstTokenAt - call.startedAt),
  };
  if (usage.cachedRead > 0) {
    fields.cache_tokens = usage.cachedRead;
    fields.cache_ratio = rates.cacheRatio;
  }
  if (usage.cacheWrite > 0) {
    fields.cache_creation_tokens = usage.cacheWrite;
    fields.cache_creation_ratio = rates.createCacheRatio;
  }
  if (usage.audioInput > 0 || usage.audioOutput > 0) Object.assign(fields, audioFields(usage, rates));
  const surcharges = surchargeFields(rates, usage);
  if (surcharges) Object.assign(fields, surcharges);
  if (served.upstreamModel !== request.model) {
    fields.is_model_mapped = true;
    fields.upstream_model_name = served.upstreamModel;
  }
  if (served.upstreamProtocol) fields.upstream_protocol = served.upstreamProtocol;
  if (served.losses.length > 0) fields.conversion = served.losses;
  fields.usage_source = consumption.usageSource;
  fields.outcome = consumption.outcome;
  if (consumption.rescued) fields.rescued = true;
  if (flags.length > 0) fields.flags = flags;
  fields.duration_ms = Math.round(now.monotonicMs - call.startedAt);
  fields.protocol = call.protocol.name;
  fields.bill = writeBill({ rates, usage, extras });
  if (consumption.budgets) fields.budgets = readBudgets(consumption.budgets);
  if (consumption.more) Object.assign(fields, consumption.more);
  fields.admin_info = { use_channel: served.attempts.map(({ channel }) => String(channel)), attempts: served.attempts };
  return fields;
}

function audioFields(usage: Usage, rates: Priced['rates']): Record<string, unknown> {
  return {
    audio: true,
    audio_input: usage.audioInput,
    audio_output: usage.audioOutput,
    text_input: usage.prompt - usage.audioInput,
    text_output: usage.completion - usage.audioOutput,
    audio_ratio: rates.audioRatio,
    audio_completion_ratio: rates.audioCompletionRatio,
  };
}
