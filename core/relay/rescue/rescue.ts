import { isChatProtocol } from '../../canonical/chat-request.ts';
import type { RescueLevel } from '../../schemas/rescue-level.ts';
import type { RoutedChannel, Tiers } from '../../services/routing.ts';
import type { AttemptPlan } from '../attempt/attempt-plan.ts';
import type { RetryBudget } from '../attempt/retry-budget.ts';
import type { DeliveryEnd } from '../deliver/delivery.ts';
import { readChat } from '../request/conversion.ts';
import type { ResumedStream, Run, ServedResponse } from '../run.ts';
import { mayContinue } from './continuation.ts';
import type { Delivered } from './delivered.ts';

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
 * Carries a stream that broke off to its end on other channels: on their vendors' word, as far as they say the same, or as they are
 * asked to where the operator allows that. Returns the response as it stands when none did. Never rejects: the client has something of
 * the response, and it has to be settled.
 */
export async function rescue(run: Run, broken: ServedResponse, tools: RescueTools): Promise<ServedResponse> {
  let response = broken;
  const failed: number[] = [];
  for (let times = 0; times < maxRescues; times += 1) {
    const { end, served, meter } = response;
    if (!isRescuable(run, end)) return response;
    failed.push(served.channelId);
    const tiers = tiersFor(run, failed, end.error.silent ? undefined : served.channelId);
    if (tiers.length === 0) return response;
    // A body that cannot be read again, or a response too long to be kept, ends as it did.
    const handOver = await end.handOver?.().catch(() => undefined);
    if (!handOver || handOver.delivered.hasNative) return response;
    const resumed = { ...handOver, firstTokenAt: meter.firstTokenAt };
    const next = await goOn(run, { ...resumed, isInstructed: false }, tiers, tools);
    const asked = keepOf(tiers, (channel) => levelOf(run, channel) === 'any');
    const isAsked = next === undefined && asked.length > 0 && (await mayInstruct(run, handOver.delivered));
    const last = isAsked ? await goOn(run, { ...resumed, isInstructed: true }, asked, tools) : next;
    if (!last) return stoppedAt(run, response);
    response = last;
  }
  return response;
}

/** Undefined when nothing came of it. */
async function goOn(
  run: Run,
  resumed: ResumedStream,
  tiers: Tiers,
  { budget, serve }: RescueTools,
): Promise<ServedResponse | undefined> {
  if (run.client.gone || run.control.stoppedBy || !budget.takeRetry(run.plan.budgetKey)) return undefined;
  run.resumed = resumed;
  // Whatever went wrong has been noted with the channel it happened on.
  return serve({ ...run.plan, tiers }).catch(() => undefined);
}

async function mayInstruct(run: Run, delivered: Delivered): Promise<boolean> {
  if (!isChatProtocol(run.call.protocol.name)) return false;
  const chat = await readChat(run).catch(() => undefined);
  return chat !== undefined && mayContinue(chat, delivered, 'instructed');
}

/** How far a channel may go on with this call's stream. */
function levelOf({ rescue: ofGroup }: Run, { setting }: RoutedChannel): RescueLevel {
  return setting.stream_rescue ?? ofGroup;
}

function isRescuable(run: Run, end: DeliveryEnd): end is Extract<DeliveryEnd, { kind: 'broken' }> {
  if (end.kind !== 'broken' || run.rescue === 'off' || run.plan.pinned || run.plan.retries === 0) return false;
  return end.error.retryable && performance.now() - run.call.startedAt < maxCallMs;
}

/** Channels that have not broken off in this call; else the one that did, unless it fell silent. */
function tiersFor(run: Run, failed: readonly number[], last: number | undefined): Tiers {
  const tiers = keepOf(run.plan.tiers, (channel) => levelOf(run, channel) !== 'off');
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
