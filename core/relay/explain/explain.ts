import type { RelayRequest } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { role, systemActor } from '../../schemas/actor.ts';
import type { HealthSpan } from '../../schemas/channel-health.ts';
import type { AuditService } from '../../services/audit.ts';
import type { Caller, CallerService, TokenCaller } from '../../services/caller.ts';
import type { GroupService } from '../../services/group/group.ts';
import type { HealthService } from '../../services/health/health.ts';
import type { ChannelSpeeds } from '../../services/health/speeds.ts';
import type { Pricing } from '../../services/pricing/pricing.ts';
import type { Routing, Tiers } from '../../services/routing.ts';
import type { StoredResponseService } from '../../services/stored-response.ts';
import type { Protocol } from '../../wire/protocol.ts';
import { admit, inputObjection, withinImageLimit, withinInputLimit } from '../admit.ts';
import { Affinity } from '../affinity/affinity.ts';
import { isClientFault } from '../attempt/attempt.ts';
import { Breaker } from '../attempt/breaker.ts';
import type { ChannelChoice } from '../attempt/choose-channel.ts';
import { preferenceOf } from '../attempt/preference.ts';
import type { ReadCall, RelayBody } from '../call.ts';
import { readCall } from '../call.ts';
import { FirstTokenTimes } from '../first-token/times.ts';
import type { SensitiveWords } from '../limit/sensitive-words.ts';
import { type Quote, quoteCall } from '../meter/quote.ts';
import type { RelayLimits, RelayOptions } from '../relay-options.ts';
import { createKeptResponses, onlyOn } from '../stored-response/stored-response.ts';
import { balanceObjection } from './balance.ts';
import { type DryRun, dryRun, shownRequest } from './dry-run.ts';
import { explainChannels } from './explain-channels.ts';
import type { ExplainedPrice, Explanation } from './explanation.ts';
import { firstTokenLimits } from './first-token-limits.ts';
import { type ExplainLimitDependencies, explainLimits } from './limits.ts';
import { type ExplainedTurn, turnsOf } from './turns.ts';

export interface ExplainDependencies extends ExplainLimitDependencies {
  routing: Routing;
  callers: Pick<CallerService, 'forToken'>;
  groups: Pick<GroupService, 'hasRatio'>;
  pricing: Pricing;
  options: RelayOptions;
  limits: RelayLimits;
  sensitiveWords: SensitiveWords;
  storedResponses: Pick<StoredResponseService, 'remember' | 'ownerOf' | 'ownersOf'>;
  audit: Pick<AuditService, 'list'>;
  channelHealth: Pick<HealthService, 'read'>;
  speeds: ChannelSpeeds;
  /** Of the process that serves calls; undefined elsewhere, because circuits are kept in memory. */
  breaker?: Breaker;
  /** Of the same process. */
  firstTokens?: FirstTokenTimes;
  /** Of the same process; elsewhere calls are taken for the first of their conversation. */
  affinity?: Affinity;
}

export interface ExplainedCall {
  protocol: Protocol;
  pathModel: string | undefined;
  query: URLSearchParams;
  body: RelayBody;
  from: CallOrigin;
}

/** Who calls: a token, or an unnamed user of some group. */
export interface CallOrigin {
  tokenId?: number | undefined;
  group?: string | undefined;
  /** The call names this channel. */
  channelId?: number | undefined;
  /** Where the call comes from; undefined = from somewhere the token allows. */
  address?: string | undefined;
}

export type Explain = (call: ExplainedCall) => Promise<Explanation>;

/**
 * Takes a call through everything the relay does before it sends: the same steps in the same order, and nothing sent, held or
 * written. Throws AppError when the call itself is not a valid one; whatever else would refuse it is part of the result.
 */
export function createExplain(dependencies: ExplainDependencies): Explain {
  const { options, sensitiveWords } = dependencies;
  const { breaker = new Breaker(), firstTokens = new FirstTokenTimes() } = dependencies;
  const { affinity = new Affinity(() => options.affinitySeconds()) } = dependencies;

  return async function explain({ protocol, pathModel, query, body, from }) {
    const { caller, objection } = await originOf(from, dependencies);
    const { request, json } = await readCall({ protocol, pathModel }, body);
    const asked = { caller, protocol, request, body, json };
    const way = await destinationOf(asked, dependencies);
    const words = await outcomeOf(async () => sensitiveWords.check(body));
    const quoted = await outcomeOf(async () =>
      quoteCall({ protocol, request, body, group: caller.group, tiers: way.tiers }, dependencies),
    );
    const short = quoted.value && caller.tokenId !== 0 && (await balanceObjection(caller, quoted.value, dependencies));
    const callLimits = await explainLimits(caller, request.model, quoted.value, dependencies);
    const call = { id: newRequestId(), protocol, query, clientHeaders: {} };
    const promptEstimate = quoted.value?.estimate.prompt ?? 0;
    const run: Omit<ReadCall, 'media'> = { call, body, json, chat: undefined, request, promptEstimate };
    const retries = way.pinned ? 0 : options.retryTimes();
    const attachment = affinity.attach(
      { call: { protocol, caller, clientHeaders: {} }, model: request.model, json, promptTokens: promptEstimate },
      way,
    );
    const preference = preferenceOf({ model: request.model, group: caller.group }, dependencies);
    const health = await healthOf(request.model);
    const choice = await choose(run, way.tiers, { retries, attachment, preference });
    const limits = firstTokenLimits(run, { turns: choice.turns, retries }, { ...dependencies, breaker, firstTokens });
    const limited = await outcomeOf(async () => withinImageLimit(withinInputLimit(way.tiers, promptEstimate), request));
    const refusals = [
      objection,
      way.refusal,
      words.refusal,
      quoted.refusal,
      limited.refusal,
      ...callLimits.map((limit) => limit.refusal),
      short || undefined,
      choice.refusal,
    ];
    return {
      caller,
      protocol: protocol.name,
      request,
      pinned: way.pinned,
      retries,
      refusals: withoutRepeats(refusals),
      limits: callLimits,
      seesCircuits: dependencies.breaker !== undefined,
      channels: await explainChannels(
        { ...way, ...choice, firstTokens: limits, group: caller.group, model: request.model, attachment, health },
        dependencies,
      ),
      sent: choice.first && (await shownRequest(choice.first)),
      price: quoted.value && priceOf(quoted.value),
    };
  };

  async function healthOf(model: string): Promise<Map<number, HealthSpan>> {
    const [rows] = await Promise.all([
      dependencies.channelHealth.read(systemActor, { model }),
      // As the server does every few seconds.
      dependencies.speeds.refresh(),
    ]);
    return new Map(rows.filter(({ hour }) => hour.requests > 0).map(({ channel_id: id, hour }) => [id, hour]));
  }

  async function choose(
    run: Omit<ReadCall, 'media'>,
    tiers: Tiers,
    { retries, ...choice }: { retries: number } & ChannelChoice,
  ): Promise<Choice> {
    const faults = await faultsOf(run, tiers);
    // One that finds the call itself wrong ends it; one that only cannot say it is passed over, and costs no retry.
    const isTried = (fault: AppError | undefined) => !fault || isClientFault(fault);
    const turns = turnsOf(
      tiers.map((tier) => tier.filter(({ id }) => isTried(faults.get(id)))),
      retries,
      breaker,
      choice,
    );
    const channel = turns[0]?.channel ?? tiers.flat().at(-1);
    const first = channel && (await dryRun(run, channel, dependencies));
    return first instanceof AppError
      ? { faults, turns, first: undefined, refusal: first }
      : { faults, turns, first, refusal: undefined };
  }

  /** Only what went wrong is kept: a long body for each of many channels would fill the memory. */
  async function faultsOf(run: Omit<ReadCall, 'media'>, tiers: Tiers): Promise<Map<number, AppError>> {
    const faults = new Map<number, AppError>();
    for (const channel of tiers.flat()) {
      const fault = inputObjection(channel, run.promptEstimate) ?? (await dryRun(run, channel, dependencies));
      if (fault instanceof AppError) faults.set(channel.id, fault);
      // Calls that are really made go first.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return faults;
  }
}

interface Choice {
  /** Why a channel of its way cannot serve the call. */
  faults: ReadonlyMap<number, AppError>;
  turns: ExplainedTurn[];
  first: DryRun | undefined;
  refusal: AppError | undefined;
}

/** The caller as the door would see them: a token's owner, or an unnamed user of some group. */
async function originOf(
  { tokenId, group = 'default', channelId, address }: CallOrigin,
  { callers, groups }: ExplainDependencies,
): Promise<TokenCaller> {
  if (tokenId !== undefined) return callers.forToken(tokenId, { address, pinnedChannelId: channelId });
  const nobody = { userId: 0, username: '', role: role.root, tokenId: 0, tokenName: '' };
  return {
    caller: { ...nobody, group, modelLimits: undefined, pinnedChannelId: channelId },
    objection: groups.hasRatio(group) ? undefined : new AppError('group.noRatio', { group }),
  };
}

interface Asked {
  caller: Caller;
  protocol: Protocol;
  request: RelayRequest;
  body: RelayBody;
  json: ReadCall['json'];
}

/** Where the call may go. When it may go nowhere, where it would go without what is held against it. */
async function destinationOf(
  { caller, protocol, request: { model }, body, json }: Asked,
  { routing, storedResponses }: ExplainDependencies,
): Promise<{ tiers: Tiers; pinned: boolean; refusal: AppError | undefined }> {
  const { value, refusal } = await outcomeOf(async () => {
    const kept = await createKeptResponses({ storedResponses }).named({ protocol, caller }, body, json);
    const admitted = admit(caller, model, routing);
    return kept ? onlyOn(kept, admitted.tiers) : admitted;
  });
  if (value) return { ...value, refusal };
  const { group, pinnedChannelId } = caller;
  if (pinnedChannelId === undefined) return { tiers: routing.tiers(group, model), pinned: false, refusal };
  const named = routing.channel(pinnedChannelId);
  return { tiers: named ? [[named.channel]] : [], pinned: true, refusal };
}

async function outcomeOf<T>(step: () => Promise<T>): Promise<{ value?: T; refusal?: AppError }> {
  try {
    return { value: await step() };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error };
    throw error;
  }
}

function withoutRepeats(refusals: (AppError | undefined)[]): AppError[] {
  const byCode = new Map<string, AppError>();
  for (const refusal of refusals) if (refusal && !byCode.has(refusal.code)) byCode.set(refusal.code, refusal);
  return [...byCode.values()];
}

function priceOf({ priced, estimate, amount }: Quote): ExplainedPrice {
  const { prompt, completion } = estimate;
  return { rates: priced.rates, promptTokens: prompt, completionTokens: completion, hold: amount };
}
