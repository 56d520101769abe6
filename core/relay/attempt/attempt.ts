import { contextWindowOf } from '../../billing/list-price.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import { type AttemptNote, noteOf } from '../call.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { DeliveryControl } from '../deliver/delivery.ts';
import type { CallTrace } from '../telemetry/trace.ts';
import type { AttemptPlan } from './attempt-plan.ts';
import type { Breaker } from './breaker.ts';
import { chooseChannel, hasUntried, hasUsable } from './choose-channel.ts';
import { toUpstreamError } from './failure.ts';
import { CallKeys, isKeyFailure } from './key-rotation.ts';
import type { RetryBudget } from './retry-budget.ts';

/** A short wait that is better taken on the same channel than passed on (R5). */
const maxWaitSeconds = 3;
const pauseMs = 200;
/** A client that has waited this long for a first word and leaves tells something of the channel, though less than a failure does. */
const longSilenceMs = 15_000;
const silenceWeight = 0.5;

/** What a response that was delivered says of its channel: all is well, nothing, nothing but silence, or a failure. */
export type Verdict = 'well' | 'unclear' | 'silent' | UpstreamError;

interface AttemptTools {
  breaker: Breaker;
  budget: RetryBudget;
  client: Pick<ClientWriter, 'gone' | 'onGone'>;
  control: DeliveryControl;
  /** `longSilenceMs` when left out. */
  silenceMs?: number | undefined;
  /** Filled as channels are tried; for the row of a call that fails. */
  attempts?: AttemptNote[];
  trace?: CallTrace | undefined;
}

/** The position of an attempt among the others. */
export interface AttemptTurn {
  /** The attempts so far, to which it adds itself once it has a response. */
  attempts: AttemptNote[];
  othersLeft: boolean;
  /** One of them is not paused after failures. */
  othersWell: boolean;
  /** Takes the retry that leaving this channel will cost, once; false when the budget has none left. */
  claimRetry(): boolean;
  /** To be set, for the note of the attempt. */
  firstToken?: FirstTokenLimit | undefined;
  /** Call when the response begins to go out: if this call is the channel's trial, others may follow. */
  begun(): void;
}

/**
 * Runs `serve` on one channel after another until one succeeds, in the order of priorities and weights. The one place where a
 * failed attempt leads to another: never after a byte went to the client, never for the client's own error or for what may have been
 * done anyway, not once the call was stopped, and within the retry budget. Throws the last channel's UpstreamError when none succeeds. `failed` hears of every failure,
 * those of responses that had begun included.
 */
export async function tryChannels<T>(
  plan: AttemptPlan,
  { breaker, budget, client, control, silenceMs = longSilenceMs, attempts = [], trace }: AttemptTools,
  serve: (channel: RoutedChannel, turn: AttemptTurn) => Promise<T>,
  failed: (channel: RoutedChannel, error: UpstreamError) => void,
  verdictOf: (response: T) => Verdict = () => 'well',
): Promise<T> {
  const tried: number[] = [];
  const repeated: number[] = [];
  const keys = new CallKeys(breaker.keys, plan.attachment?.conversation.id);
  let { tiers } = plan;
  let left = plan.pinned ? 0 : plan.retries;
  const choose = () => {
    trace?.enter('choose');
    const chosen = keys.choose(chooseChannel(tiers, tried, breaker, plan));
    trace?.leave({ 'tollgate.channel.id': chosen?.id });
    return chosen;
  };
  let channel = choose();
  budget.noteCall(plan.budgetKey);
  while (channel) {
    if (control.stoppedBy) throw control.stoppedBy;
    const current: RoutedChannel = channel;
    if (!tried.includes(current.id)) tried.push(current.id);
    const begunAt = breaker.begin(current.id);
    const startedAt = performance.now();
    const isLongSilent = () => performance.now() - startedAt >= silenceMs;
    let isClaimed = false;
    const turn: AttemptTurn = {
      attempts,
      othersLeft: left > 0 && hasUntried(tiers, tried),
      othersWell: left > 0 && hasUsable(tiers, tried, breaker),
      claimRetry: () => {
        isClaimed ||= budget.takeRetry(plan.budgetKey);
        return isClaimed;
      },
      begun: () => breaker.release(current.id, begunAt),
    };
    try {
      const response = await serve(current, turn);
      const verdict = verdictOf(response);
      if (verdict === 'well') {
        breaker.succeed(current.id, begunAt);
        breaker.keys.succeed(current);
      } else if (verdict === 'silent' && isLongSilent()) breaker.fail(current.id, { begunAt, weight: silenceWeight });
      else if (verdict instanceof UpstreamError) {
        judge(breaker, current, verdict, begunAt);
        failed(current, verdict);
      } else breaker.release(current.id, begunAt);
      return response;
    } catch (failure) {
      const error = toUpstreamError(failure);
      attempts.push({
        ...noteOf(current, String(error.code ?? error.status), Math.round(performance.now() - startedAt)),
        ...(turn.firstToken && { first_token: turn.firstToken }),
        ...(error.spent && { spent: error.spent }),
        ...(error.adminMessage !== '' && { message: error.adminMessage }),
      });
      // The channel cannot serve this call as it is set up: nothing was done, so it costs no retry and says nothing of its health.
      const isUnsuited = failure instanceof AppError;
      if (control.stoppedBy || client.gone) {
        if (client.gone && !isUnsuited && isLongSilent()) breaker.fail(current.id, { begunAt, weight: silenceWeight });
        else breaker.release(current.id, begunAt);
        throw control.stoppedBy ?? new AppError('relay.clientGone', {}, { cause: error });
      }
      const wasWell = breaker.isWell(current.id);
      if (isUnsuited) breaker.release(current.id, begunAt);
      else judge(breaker, current, error, begunAt);
      failed(current, error);
      if (error.mayBeDone) throw error;
      if (isUnsuited && isClientFault(failure)) throw failure;
      if (error.kind === 'contextLength') tiers = withLargerModel(tiers, plan, current);
      else if (!error.retryable) throw error;
      const othersLeft = hasUntried(tiers, tried);
      // Once in a call: on a channel that was well until then, or where no other is left.
      const isWorthIt = repeated.length === 0 && ((wasWell && error.isBrief) || !othersLeft);
      const spare = isUnsuited ? undefined : keys.spare(current, error, othersLeft);
      const same = !spare && !isUnsuited && !repeated.includes(current.id) && shouldRepeat(error, isWorthIt);
      channel = spare ?? (same ? current : othersLeft ? choose() : undefined);
      if (!channel) throw isUnsuited ? failure : error;
      if (isUnsuited) continue;
      if (left <= 0 || !turn.claimRetry()) throw error;
      // Not at the expense of another channel.
      if (!(same && othersLeft)) left -= 1;
      if (same) {
        repeated.push(current.id);
        await pause(waitBefore(error), client, control);
        if (client.gone) throw new AppError('relay.clientGone', {}, { cause: error });
      }
    }
  }
  // Every tier was empty to begin with; admit has refused that already.
  throw new AppError('relay.noChannel', { model: '', group: '' });
}

/** What is wrong with the call itself is wrong for every channel; it shows only now because not all calls are read whole. */
export function isClientFault({ code }: AppError): boolean {
  return code.startsWith('request.');
}

function judge(breaker: Breaker, channel: RoutedChannel, error: UpstreamError, begunAt: number): void {
  const { id } = channel;
  const retryAfterSeconds = error.status === 429 ? error.retryAfterSeconds : undefined;
  const isOfKey = isKeyFailure(channel, error);
  if (isOfKey) breaker.keys.fail(channel, retryAfterSeconds);
  const waitMs = isOfKey ? breaker.keys.channelWaitMs(channel) : undefined;
  // The client's own error says nothing about the channel, and as long as one of its keys is usable the channel is.
  if (!error.retryable || error.isBlameless || waitMs === 0) breaker.release(id, begunAt);
  else if (retryAfterSeconds === undefined || waitMs === undefined) breaker.fail(id, { begunAt, retryAfterSeconds });
  else breaker.fail(id, { begunAt, retryAfterSeconds: waitMs / 1000 });
}

/** A 429 that says when to come back is waited out. Any other passing failure is worth one more try where that is likely to help. */
function shouldRepeat(error: UpstreamError, isWorthIt: boolean): boolean {
  if (!error.transient) return false;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds <= maxWaitSeconds;
  return isWorthIt;
}

/** Milliseconds until the same channel is asked again. Calls that failed together do not come back together. */
export function waitBefore({ retryAfterSeconds }: Pick<UpstreamError, 'retryAfterSeconds'>): number {
  return retryAfterSeconds ? retryAfterSeconds * 1000 : pauseMs * (0.5 + Math.random());
}

/** A prompt too long for one model may fit a larger one; the same model behind another channel refuses it again. */
function withLargerModel(tiers: Tiers, { upstreamModel }: AttemptPlan, failed: RoutedChannel): Tiers {
  const model = upstreamModel(failed);
  const window = contextWindowOf(model);
  const mayFit = (other: string) => other !== model && (contextWindowOf(other) ?? Infinity) > (window ?? 0);
  return tiers.map((tier) => tier.filter((channel) => mayFit(upstreamModel(channel))));
}

function pause(ms: number, client: AttemptTools['client'], control: DeliveryControl): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    client.onGone(end);
    control.attach(end);
  });
}
