import type { TokenCounter } from '../billing/count-tokens.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { PriceExtras } from '../billing/price.ts';
import type { AppError } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { Authorizer } from '../integrations/credential/authorizer.ts';
import type { UpstreamClient, UpstreamResponse } from '../integrations/outbound/upstream-client.ts';
import type { RescueLevel } from '../schemas/rescue-level.ts';
import type { ChannelSpeeds } from '../services/health/speeds.ts';
import type { Priced, Pricing } from '../services/pricing/pricing.ts';
import type { Routing } from '../services/routing.ts';
import type { StoredResponseService } from '../services/stored-response.ts';
import type { ResponseFormat } from '../wire/openai-chat/response-format.ts';
import type { StreamIdentity } from '../wire/openai-chat/usage-chunk.ts';
import type { Affinity } from './affinity/affinity.ts';
import type { AttemptPlan } from './attempt/attempt-plan.ts';
import { toUpstreamError } from './attempt/failure.ts';
import type { KnownProfiles } from './attempt/known-profiles.ts';
import { errorContext } from './attempt/upstream-refusal.ts';
import type { CallIdentity, CallSummary, ReadCall, RelayCall, Served } from './call.ts';
import type { ClientWriter } from './deliver/client-writer.ts';
import type { DeliveryControl, DeliveryEnd, RunningCall } from './deliver/delivery.ts';
import type { FirstTokenTimes } from './first-token/times.ts';
import type { CallLimits } from './limit/call-limit.ts';
import type { Overload } from './limit/overload.ts';
import type { SensitiveWords } from './limit/sensitive-words.ts';
import type { Charge } from './meter/charge.ts';
import type { RefusedHold } from './meter/refusal.ts';
import type { UsageMeter } from './meter/usage-meter.ts';
import type { ChannelHealth, RelayLimits, RelayOptions } from './relay-options.ts';
import type { MediaFetcher } from './request/call-media.ts';
import type { BuiltRequest, FormedCall } from './request/outgoing-call.ts';
import type { HandOver } from './rescue/hand-over.ts';
import type { CallTrace } from './telemetry/trace.ts';

export interface RelayDependencies {
  routing: Routing;
  pricing: Pricing;
  ledger: Ledger;
  upstream: UpstreamClient;
  counter: TokenCounter;
  sensitiveWords: SensitiveWords;
  health: ChannelHealth;
  options: RelayOptions;
  authorizer: Pick<Authorizer, 'authorize' | 'refused'>;
  fetchMedia: MediaFetcher;
  limits: RelayLimits;
  overload: Pick<Overload, 'check' | 'checkMemory'>;
  callLimits: Pick<CallLimits, 'enter' | 'admit' | 'budgets'>;
  firstTokens: FirstTokenTimes;
  profiles: KnownProfiles;
  affinity: Affinity;
  /** How fast channels were lately. */
  speeds: ChannelSpeeds;
  storedResponses: Pick<StoredResponseService, 'remember' | 'ownerOf' | 'ownersOf'>;
  /** Explains a refused hold: who has how much left. */
  refusal(call: Pick<CallIdentity, 'caller'>, refused: RefusedHold): Promise<AppError>;
  report(call: CallIdentity, summary: CallSummary, error: unknown): void;
  /** A call goes on although its client left so long ago. */
  reportAbandoned(call: RunningCall, goneMs: number): void;
  /** Undefined while telemetry is off. */
  telemetry?: { begin(call: CallIdentity): CallTrace } | undefined;
  nowSeconds(): number;
}

/** One call between its steps. */
export interface Run extends ReadCall {
  call: RelayCall;
  client: ClientWriter;
  control: DeliveryControl;
  plan: AttemptPlan;
  priced: Priced;
  extras: PriceExtras;
  charge: Charge;
  /** How far another upstream may go on if this one breaks off; but for `off`, what the client gets is kept in mind. */
  rescue: RescueLevel;
  /** Set when one upstream broke off in mid-stream and another goes on. */
  resumed: ResumedStream | undefined;
}

export interface ResumedStream extends HandOver {
  /** Monotonic milliseconds. */
  firstTokenAt: number | undefined;
  /** Upstreams that would say something else are asked for the rest alone. */
  isInstructed: boolean;
}

/**
 * An attempt comes in steps, each of which adds to the one before and changes nothing of it. The first: the request is built in the
 * words of the channel's vendor.
 */
export interface PreparedAttempt extends FormedCall {
  readonly run: Run;
  readonly meter: UsageMeter;
  readonly options: RelayOptions;
  /** Set when the channel asks for responses in strict form; else bytes pass as they are. */
  readonly format: ResponseFormat | undefined;
  readonly built: BuiltRequest;
}

/** The second step: the request is sent, and the upstream has begun to respond. */
export interface SentAttempt extends PreparedAttempt {
  readonly response: UpstreamResponse;
}

/** The third step: the response is delivered, or has broken off. */
export interface ServedResponse {
  readonly served: Served;
  readonly end: DeliveryEnd;
  readonly meter: UsageMeter;
}

/** For an upstream that names neither itself nor its model. */
export function identityOf({ run, created }: Pick<PreparedAttempt, 'run' | 'created'>): StreamIdentity {
  return { id: `chatcmpl-${run.call.id}`, model: run.request.model, created };
}

/** Error objects inside a response are judged like an error status; anything else is a failure of the connection. */
export function errorOf(attempt: PreparedAttempt, failure: unknown, status = 502): UpstreamError {
  if (failure instanceof Error) return toUpstreamError(failure);
  const { adapter } = attempt;
  return adapter.readError(adapter.hiddenErrorStatus(failure) ?? status, failure, {}, errorContext(attempt));
}
