import { AppError } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { RoutedChannel, Tiers } from '../services/routing.ts';
import type { Breaker } from './breaker.ts';
import type { AttemptNote } from './call.ts';
import { chooseChannel, hasUntried } from './choose-channel.ts';
import type { ClientWriter } from './client-writer.ts';
import type { DeliveryControl } from './delivery.ts';
import { toUpstreamError } from './failure.ts';
import type { RetryBudget } from './retry-budget.ts';

/** A short wait that is better taken on the same channel than passed on (reliability R5). */
const longestWaitSeconds = 3;
const pauseMs = 200;

export interface AttemptPlan {
  tiers: Tiers;
  /** The call names its channel: nothing else is tried. */
  pinned: boolean;
  /** Option RetryTimes. */
  retries: number;
  /** Group and model, for the retry budget. */
  budgetKey: string;
  upstreamModel(channel: RoutedChannel): string;
}

interface AttemptTools {
  breaker: Breaker;
  budget: RetryBudget;
  client: Pick<ClientWriter, 'gone' | 'onGone'>;
  control: DeliveryControl;
}

/**
 * Runs `serve` on one channel after another until one answers, in the order of priorities and weights. The one place where a
 * failed attempt leads to another: never after a byte went to the client, never for the client's own error, and within the
 * retry budget. Throws the last channel's UpstreamError when none answers.
 */
export async function tryChannels<T>(
  plan: AttemptPlan,
  { breaker, budget, client, control }: AttemptTools,
  serve: (channel: RoutedChannel, attempts: AttemptNote[], othersLeft: boolean) => Promise<T>,
  failed: (channel: RoutedChannel, error: UpstreamError) => void,
): Promise<T> {
  const attempts: AttemptNote[] = [];
  const tried: number[] = [];
  const repeated: number[] = [];
  let { tiers } = plan;
  let left = plan.pinned ? 0 : plan.retries;
  let channel = chooseChannel(tiers, tried, breaker);
  budget.noteCall(plan.budgetKey);
  while (channel) {
    const current: RoutedChannel = channel;
    if (!tried.includes(current.id)) tried.push(current.id);
    breaker.begin(current.id);
    const startedAt = performance.now();
    try {
      const answer = await serve(current, attempts, left > 0 && hasUntried(tiers, tried));
      breaker.succeed(current.id);
      return answer;
    } catch (failure) {
      const error = toUpstreamError(failure);
      attempts.push({
        channel: current.id,
        outcome: String(error.code ?? error.status),
        ms: Math.round(performance.now() - startedAt),
      });
      // The channel cannot serve this call as it is set up: nothing was sent, so it costs no retry and says nothing of its health.
      const isUnsuited = failure instanceof AppError;
      judge(breaker, current, error, isUnsuited || client.gone);
      failed(current, error);
      if (isUnsuited && isClientFault(failure)) throw failure;
      if (control.stoppedBy) throw control.stoppedBy;
      if (client.gone) throw new AppError('relay.clientGone', {}, { cause: error });
      if (error.kind === 'contextLength') tiers = withOtherModel(tiers, plan, current);
      else if (!error.retryable) throw error;
      const same = !isUnsuited && !repeated.includes(current.id) && shouldRepeat(error, hasUntried(tiers, tried));
      channel = same ? current : hasUntried(tiers, tried) ? chooseChannel(tiers, tried, breaker) : undefined;
      if (!channel) throw isUnsuited ? failure : error;
      if (isUnsuited) continue;
      if (left <= 0 || !budget.takeRetry(plan.budgetKey)) throw error;
      left -= 1;
      if (same) {
        repeated.push(current.id);
        await pause(error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : pauseMs * (0.5 + Math.random()), client);
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

function judge(breaker: Breaker, channel: RoutedChannel, error: UpstreamError, isExcused: boolean): void {
  // The client's own error, or its leaving, says nothing about the channel.
  if (!error.retryable || isExcused) breaker.release(channel.id);
  else breaker.fail(channel.id, error.status === 429 ? error.retryAfterSeconds : undefined);
}

/** A 429 that says when to come back is waited out; any other passing failure is worth one more try only when nobody else is left. */
function shouldRepeat(error: UpstreamError, othersLeft: boolean): boolean {
  if (!error.transient) return false;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds <= longestWaitSeconds;
  return !othersLeft;
}

/** A prompt too long for one model may fit another; the same model behind another channel refuses it again. */
function withOtherModel(tiers: Tiers, { upstreamModel }: AttemptPlan, failed: RoutedChannel): Tiers {
  const model = upstreamModel(failed);
  return tiers.map((tier) => tier.filter((channel) => upstreamModel(channel) !== model));
}

function pause(ms: number, client: AttemptTools['client']): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    client.onGone(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
