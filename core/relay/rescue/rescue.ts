import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { AttemptPlan } from '../attempt/choose-channel.ts';
import type { RetryBudget } from '../attempt/retry-budget.ts';
import type { DeliveryEnd } from '../deliver/delivery.ts';
import type { Run, ServedResponse } from '../run.ts';

/** In one call; within these the other channels of the call are tried like in any. */
const maxRescues = 2;
/** What broke off after so long is likely to be as long again, and the client has waited enough. */
const maxCallMs = 600_000;

interface RescueTools {
  budget: RetryBudget;
  /** Serves the rest of the call, on one of the plan's channels. */
  serve(plan: AttemptPlan): Promise<ServedResponse>;
}

/**
 * Carries a stream that broke off to its end on other channels, as far as they say the same. Returns the response as it stands when
 * none did. Never rejects: the client has something of the response, and it has to be settled.
 */
export async function rescue(run: Run, broken: ServedResponse, tools: RescueTools): Promise<ServedResponse> {
  let response = broken;
  const failed: number[] = [];
  for (let times = 0; times < maxRescues; times += 1) {
    const { end, served, meter } = response;
    if (!isRescuable(run, end)) return response;
    failed.push(served.channelId);
    const tiers = tiersFor(run.plan.tiers, failed, end.error.silent ? undefined : served.channelId);
    if (tiers.length === 0) return response;
    // A body that cannot be read again, or a response too long to be kept, ends as it did.
    const handOver = await end.handOver?.().catch(() => undefined);
    if (!handOver || handOver.delivered.hasNative) return response;
    if (run.client.gone || run.control.stoppedBy) return stoppedAt(run, response);
    if (!tools.budget.takeRetry(run.plan.budgetKey)) return response;
    run.resumed = { ...handOver, firstTokenAt: meter.firstTokenAt };
    try {
      response = await tools.serve({ ...run.plan, tiers });
    } catch {
      // Whatever it was, it has been noted with the channel it happened on.
      return stoppedAt(run, response);
    }
  }
  return response;
}

function isRescuable(run: Run, end: DeliveryEnd): end is Extract<DeliveryEnd, { kind: 'broken' }> {
  if (end.kind !== 'broken' || !run.isRescued || run.plan.pinned || run.plan.retries === 0) return false;
  return end.error.retryable && performance.now() - run.call.startedAt < maxCallMs;
}

/** Channels that have not broken off in this call; else the one that did, unless it fell silent. */
function tiersFor(tiers: Tiers, failed: readonly number[], last: number | undefined): Tiers {
  const others = keepOf(tiers, ({ id }) => !failed.includes(id));
  if (others.length > 0) return others;
  return failed.filter((id) => id === last).length === 1 ? keepOf(tiers, ({ id }) => id === last) : [];
}

function keepOf(tiers: Tiers, isKept: (channel: RoutedChannel) => boolean): Tiers {
  return tiers.map((tier) => tier.filter(isKept)).filter((tier) => tier.length > 0);
}

/** The client left, or the call was stopped, while no upstream served it. */
function stoppedAt({ client, control }: Run, response: ServedResponse): ServedResponse {
  const { end } = response;
  if (client.gone) return { ...response, end: { kind: 'clientGone' } };
  if (!control.stoppedBy || end.kind !== 'broken') return response;
  return { ...response, end: { kind: 'stopped', error: control.stoppedBy, ...(end.last && { last: end.last }) } };
}
