import type { Settlement } from '../billing/settlement.ts';
import type { RelayRequest } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import type { Caller } from '../services/caller.ts';
import type { RoutedChannel } from '../services/routing.ts';
import { admit, withinImageLimit, withinInputLimit } from './admit.ts';
import { turnOf } from './affinity/affinity.ts';
import { type AttemptTurn, tryChannels, type Verdict } from './attempt/attempt.ts';
import { type AttemptPlan, planOf } from './attempt/attempt-plan.ts';
import { Breaker } from './attempt/breaker.ts';
import { RetryBudget } from './attempt/retry-budget.ts';
import { serveOn } from './attempt/serve-on.ts';
import type { AttemptNote, CallSummary, RelayBody, RelayCall } from './call.ts';
import { aside, readCall, unsettled } from './call.ts';
import { ClientWriter } from './deliver/client-writer.ts';
import { DeliveryControl, RunningCalls } from './deliver/delivery.ts';
import { writeEnd, writeError } from './deliver/respond.ts';
import { watchAbandoned } from './limit/abandoned-calls.ts';
import type { CallPass } from './limit/call-pass.ts';
import type { CallTokens } from './limit/call-rule.ts';
import { drainCalls } from './limit/drain.ts';
import { LimitError } from './limit/limit-error.ts';
import { MediaAllowance } from './limit/media-allowance.ts';
import { showLimits } from './limit/show-limits.ts';
import { Charge } from './meter/charge.ts';
import { toSettlement } from './meter/consumption.ts';
import { type FinalUsage, finalUsage } from './meter/final-usage.ts';
import { quoteCall } from './meter/quote.ts';
import { speedOf } from './meter/response-speed.ts';
import { CallMedia } from './request/call-media.ts';
import { modelAtDoor } from './request/model-at-door.ts';
import { rescue } from './rescue/rescue.ts';
import type { RelayDependencies, Run, ServedResponse } from './run.ts';
import { createKeptResponses, type KeptResponse, onlyOn } from './stored-response/stored-response.ts';

export interface Relay {
  /** Serves one call to its end; never rejects. */
  serve(call: RelayCall): Promise<void>;
  inFlight(): number;
  /** Calls that go on although their client left long ago. */
  abandoned(): number;
  /** Refuses new calls, lets those under way end for `limitMs`, then ends them visibly; resolves when none is left. */
  drain(limitMs: number): Promise<void>;
  /** Ends the calls under way of those callers whom `judge` has something against. */
  recheck(
    isMeant: (caller: Caller) => boolean,
    judge: (caller: Caller) => Promise<AppError | undefined>,
  ): Promise<void>;
  readonly breaker: Breaker;
  close(): void;
}

export function createRelay(dependencies: RelayDependencies): Relay {
  const { routing, ledger, options, limits, overload, callLimits, affinity, sensitiveWords, report, nowSeconds } =
    dependencies;
  const { telemetry } = dependencies;
  const keptResponses = createKeptResponses(dependencies);
  const breaker = new Breaker();
  const budget = new RetryBudget();
  const allowance = new MediaAllowance();
  const running = new RunningCalls();
  const watch = watchAbandoned({ running, afterMs: limits.abandonedMs, report: dependencies.reportAbandoned });
  let draining = false;

  async function serve(call: RelayCall): Promise<void> {
    const client = new ClientWriter(call.outgoing, call.headers, limits.writeMs);
    const control = new DeliveryControl(call, client);
    let body: RelayBody | undefined;
    let charge: Charge | undefined;
    let pass: CallPass | undefined;
    let usedTokens: CallTokens | undefined;
    let media: CallMedia | undefined;
    let isCharged = false;
    let isPaid = false;
    let model = '';
    let isStream = false;
    const attempts: AttemptNote[] = [];
    running.add(control);
    if (telemetry) call.trace = telemetry.begin(call);
    try {
      if (draining) throw new AppError('relay.draining', {}, { retryAfterSeconds: 1 });
      overload.check();
      const entering = callLimits.enter(call.id, call.caller);
      if (entering) pass = await entering;
      const receiving = call.readBody();
      body = receiving instanceof Promise ? await control.whileWanted(receiving, disposeLate) : receiving;
      overload.checkMemory();
      const reading = readCall(call, body);
      const { request, json } = reading instanceof Promise ? await reading : reading;
      const kept = keptResponses.named(call, body, json);
      const plan = route(call, request, kept && (await kept));
      // Known to be served: a name that a caller made up stays out of logs and figures.
      model = request.model;
      isStream = request.stream;
      const { protocol, caller } = call;
      const quote = quoteCall({ protocol, request, body, group: caller.group, tiers: plan.tiers }, dependencies);
      const { priced, extras, estimate, amount } = quote;
      plan.tiers = withinImageLimit(withinInputLimit(plan.tiers, estimate.prompt), request);
      plan.attachment = affinity.attach({ call, model, json, promptTokens: estimate.prompt }, plan);
      call.trace?.enter('hold');
      const admitting = callLimits.admit({ id: call.id, owner: caller, model, tokens: estimate }, pass);
      if (admitting) pass = await admitting;
      if (pass) showLimits(client, call.protocol, pass.counted(), nowSeconds());
      const budgets = callLimits.budgets(caller, model);
      const held = await Charge.take(ledger, call.id, caller, amount, budgets);
      call.trace?.leave({ 'tollgate.quota.held': amount }, held instanceof Charge ? undefined : `${held}_quota`);
      if (!(held instanceof Charge)) {
        if (held === 'budget') pass?.takeBack();
        throw await dependencies.refusal(call, { by: held, needed: amount, model, budgets });
      }
      charge = held;
      // Searching a long prompt is work, and is not done for callers who cannot pay.
      const searching = sensitiveWords.check(body);
      if (searching) await searching;
      media = mediaOf(call, body, client);
      const run: Run = {
        call,
        client,
        control,
        body,
        json,
        chat: undefined,
        media,
        request,
        plan,
        priced,
        extras,
        promptEstimate: estimate.prompt,
        charge,
        rescue: request.stream ? options.streamRescue(caller.group) : 'off',
        resumed: undefined,
      };
      const first = await serveOnChannels(run, plan, attempts);
      const response = first.end.kind === 'broken' ? await rescued(run, first, attempts) : first;
      if (plan.attachment && hasPrompt(response)) affinity.served(plan.attachment, response.served.channelId);
      const counting = finalUsage(run, response, dependencies.counter);
      const bill = counting instanceof Promise ? await counting : counting;
      const settlement = settlementOf(run, response, bill);
      call.trace?.enter('settle');
      await charge.settle(settlement);
      call.trace?.leave({ 'tollgate.quota': settlement.actual });
      isCharged = true;
      usedTokens = bill.usage;
      isPaid = settlement.actual > 0;
      if (keptResponses.isKept(run, response)) {
        await keptResponses.remember(run, response).catch((cause) => report(call, aside, cause));
      }
      const summary = summaryOf(run, response, bill, settlement.actual);
      writeEnd(call, client, response.end, bill.usage);
      report(call, summary, undefined);
    } catch (error) {
      await charge?.release().catch((cause) => report(call, aside, cause));
      if (error instanceof LimitError) {
        showLimits(client, call.protocol, error.counted, nowSeconds());
        const wait = (reading: Promise<RelayBody>) => control.whileWanted(reading, disposeLate);
        const modelOf = ({ fields }: RelayBody) => call.protocol.parse(fields).model;
        if (!body) model = await modelAtDoor(call, { routing, wait, modelOf });
      }
      const status = writeError(call, client, error);
      report(call, { ...unsettled, model, status, attempts, isStream }, error);
    } finally {
      running.remove(control);
      pass?.end(isCharged, usedTokens);
      media?.end(isPaid);
      const disposing = body?.dispose();
      if (disposing) await disposing.catch((cause) => report(call, aside, cause));
    }
  }

  function mediaOf({ caller }: RelayCall, body: RelayBody, client: ClientWriter): CallMedia {
    return new CallMedia({
      fetchMedia: dependencies.fetchMedia,
      maxBytes: dependencies.limits.mediaBytes,
      room: body.room,
      allowance,
      userId: caller.userId,
      client,
    });
  }

  function route(call: RelayCall, { model }: RelayRequest, kept?: KeptResponse): AttemptPlan {
    const admitted = admit(call.caller, model, routing);
    const { tiers, pinned } = kept ? onlyOn(kept, admitted.tiers) : admitted;
    return planOf({ tiers, pinned, group: call.caller.group, model }, dependencies);
  }

  function rescued(run: Run, broken: ServedResponse, attempts: AttemptNote[]): Promise<ServedResponse> {
    return rescue(run, broken, { budget, serve: (plan) => serveOnChannels(run, plan, attempts) });
  }

  function serveOnChannels(run: Run, plan: AttemptPlan, attempts: AttemptNote[]): Promise<ServedResponse> {
    return tryChannels(
      plan,
      {
        breaker,
        budget,
        client: run.client,
        control: run.control,
        silenceMs: limits.silenceMs,
        attempts,
        trace: run.call.trace,
      },
      (channel, turn) => serveMeasured(run, channel, turn),
      (channel, error) => dependencies.health.failed(channel, run.request.model, error),
      verdictOf,
    );
  }

  async function serveMeasured(run: Run, channel: RoutedChannel, turn: AttemptTurn): Promise<ServedResponse> {
    const startedAt = performance.now();
    const response = await serveOn(run, channel, turn, dependencies);
    if (response.end.kind === 'complete') {
      dependencies.health.served(channel, run.request.model, speedOf(response, startedAt));
    }
    return response;
  }

  function settlementOf(run: Run, { served, end, meter }: ServedResponse, bill: FinalUsage): Settlement {
    return toSettlement({
      usage: bill.usage,
      usageSource: bill.usageSource,
      extras: bill.extras,
      flags: bill.flags,
      call: run.call,
      request: run.request,
      priced: run.priced,
      served,
      outcome: end.kind,
      firstTokenAt: meter.firstTokenAt,
      now: { seconds: nowSeconds(), monotonicMs: performance.now() },
      keepLog: options.logConsume(),
      keepUsageData: options.dataExport(),
      budgets: run.charge.budgets,
      rescued: run.resumed !== undefined && end.kind === 'complete',
    });
  }

  async function drain(limitMs: number): Promise<void> {
    draining = true;
    await drainCalls(running, limitMs);
  }

  async function recheck(
    isMeant: (caller: Caller) => boolean,
    judge: (caller: Caller) => Promise<AppError | undefined>,
  ): Promise<void> {
    for (const control of running.all()) {
      if (!isMeant(control.caller)) continue;
      const objection = await judge(control.caller);
      if (objection) control.stop(objection);
    }
  }

  return { serve, inFlight: () => running.size, abandoned: watch.count, drain, recheck, breaker, close: watch.stop };
}

/** What the end of a response says of the channel that gave it. */
function verdictOf({ end, meter }: ServedResponse): Verdict {
  if (end.kind === 'complete') return 'well';
  if (end.kind === 'broken') return end.error;
  return end.kind === 'clientGone' && !meter.delivered ? 'silent' : 'unclear';
}

function summaryOf(run: Run, { served, end, meter }: ServedResponse, bill: FinalUsage, quota: number): CallSummary {
  return {
    model: run.request.model,
    isStream: run.request.stream,
    channel: served.channelId,
    status: run.client.committed || end.kind === 'complete' ? 200 : 0,
    quota,
    isPriced: run.charge.amount > 0,
    promptTokens: bill.usage.prompt,
    completionTokens: bill.usage.completion,
    usageSource: bill.usageSource,
    outcome: end.kind,
    rescue: run.resumed && (end.kind === 'complete' ? 'whole' : 'broken'),
    conversation: run.plan.attachment && turnOf(run.plan.attachment, served.channelId),
    failure: end.kind === 'broken' ? end.error : undefined,
    firstTokenMs: meter.firstTokenAt === undefined ? undefined : meter.firstTokenAt - run.call.startedAt,
    flags: bill.flags.length === 0 ? '' : bill.flags.join(','),
  };
}

/** What has begun to respond has read the prompt; one that broke off is not where the next call should go. */
function hasPrompt({ end, meter }: ServedResponse): boolean {
  return end.kind === 'complete' || (end.kind !== 'broken' && meter.delivered);
}

/** A body that was read to its end after it was no longer wanted. */
function disposeLate(body: RelayBody): void {
  // The file lies in a folder that is swept.
  body.dispose()?.catch(() => undefined);
}
