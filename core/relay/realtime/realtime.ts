import type { TokenCounter } from '../../billing/count-tokens.ts';
import type { RequestFields } from '../../canonical/request.ts';
import { AppError } from '../../errors/app-error.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { newRequestId } from '../../lib/request-id.ts';
import type { Caller } from '../../services/caller.ts';
import type { ChannelSpeeds } from '../../services/health/speeds.ts';
import type { Priced, Pricing } from '../../services/pricing/pricing.ts';
import type { Routing } from '../../services/routing.ts';
import { writeErrorEvent } from '../../wire/realtime/error.ts';
import { readModel } from '../../wire/request-field.ts';
import { admit } from '../admit.ts';
import { tryChannels } from '../attempt/attempt.ts';
import { planOf } from '../attempt/attempt-plan.ts';
import type { Breaker } from '../attempt/breaker.ts';
import { RetryBudget } from '../attempt/retry-budget.ts';
import { aside, type CallIdentity, type CallSummary, unsettled } from '../call.ts';
import { DeliveryControl, RunningCalls } from '../deliver/delivery.ts';
import type { CallLimits } from '../limit/call-limit.ts';
import type { CallPass } from '../limit/call-pass.ts';
import { LimitError } from '../limit/limit-error.ts';
import type { Overload } from '../limit/overload.ts';
import { findPrice } from '../meter/quote.ts';
import type { ChannelHealth, RelayOptions } from '../relay-options.ts';
import { servedName } from '../request/model-at-door.ts';
import { createCallerWatch } from './caller-watch.ts';
import { type ConnectDependencies, type Connected, connectUpstream } from './connect-upstream.ts';
import { furtherPrice } from './further-price.ts';
import { Peer } from './peer.ts';
import type { RealtimeCall } from './realtime-call.ts';
import { RealtimeSession } from './session.ts';
import { type BillDependencies, SessionBill } from './session-bill.ts';
import { closingOf, errorOf, type SessionEnd } from './session-end.ts';
import { SessionMeter } from './session-meter.ts';
import { SocketCount } from './socket-count.ts';

export interface RealtimeDependencies extends BillDependencies, Omit<ConnectDependencies, 'disableKeywords'> {
  options: RelayOptions;
  routing: Routing;
  pricing: Pricing;
  speeds: ChannelSpeeds;
  counter: TokenCounter;
  health: ChannelHealth;
  breaker: Breaker;
  overload: Pick<Overload, 'check' | 'checkMemory'>;
  callLimits: Pick<CallLimits, 'enter' | 'admit' | 'budgets'>;
  /** Why sessions under way may not go on, in the order of their callers. */
  objections(callers: readonly Caller[]): Promise<(AppError | undefined)[]>;
  report(call: CallIdentity, summary: CallSummary, error: unknown): void;
}

/** Sessions over WebSockets: the relay's line (admit, limit, hold, serve, settle, report) for calls that both sides speak in. */
export interface Realtime {
  /** Serves one session to its end; never rejects. */
  serve(call: RealtimeCall): Promise<void>;
  inFlight(): number;
  /** Refuses new sessions, ends those that wait for a request, lets responses end for `limitMs`; resolves when none is left. */
  drain(limitMs: number): Promise<void>;
  /** Ends the sessions of those callers whom `judge` has something against. */
  recheck(
    isMeant: (caller: Caller) => boolean,
    judge: (caller: Caller) => Promise<AppError | undefined>,
  ): Promise<void>;
}

interface Opening {
  call: RealtimeCall;
  control: DeliveryControl;
  model: string;
}

export function createRealtime(dependencies: RealtimeDependencies): Realtime {
  const { routing, pricing, options, overload, callLimits, limits, health, report } = dependencies;
  const budget = new RetryBudget();
  const running = new RunningCalls();
  const sessions = new Map<RealtimeSession, Caller>();
  const watch = createCallerWatch({
    sessions,
    everyMs: limits.recheckMs,
    objections: dependencies.objections,
    options,
  });
  const sockets = new SocketCount(limits.socketsPerToken);
  let draining = false;

  async function serve(call: RealtimeCall): Promise<void> {
    const control = new DeliveryControl(call, call.client);
    let pass: CallPass | undefined;
    let bill: SessionBill | undefined;
    let model = '';
    let connected: Connected | undefined;
    running.add(control);
    const isCounted = sockets.enter(call.caller.tokenId);
    try {
      if (draining) throw stopping();
      overload.check();
      if (!isCounted) throw tooManySockets(call.caller, limits.socketsPerToken);
      pass = await callLimits.enter(call.id, call.caller);
      overload.checkMemory();
      const asked = readModel(fieldsOf(call.query), undefined);
      const { tiers, pinned } = admit(call.caller, asked, routing);
      // Known to be served: a name that a caller made up stays out of logs and figures.
      model = asked;
      const priced = findPrice(pricing, model, call.caller.group);
      const wanted = { id: call.id, owner: call.caller, model, tokens: 'session' as const };
      pass = (await callLimits.admit(wanted, pass)) ?? pass;
      bill = await SessionBill.open(dependencies, { call, model, priced });
      connected = await connect({ call, control, model }, tiers, pinned);
      await talk({ call, control, model }, connected, bill, priced);
    } catch (error) {
      connected?.peer.terminate();
      await bill?.release().catch((cause) => report(call, { ...aside, model }, cause));
      if (error instanceof LimitError) model ||= servedName(call.query.get('model') ?? '', call, routing);
      report(call, { ...unsettled, model, status: call.refuse(error) }, error);
    } finally {
      running.remove(control);
      if (isCounted) sockets.leave(call.caller.tokenId);
      pass?.end(connected !== undefined);
    }
  }

  function connect({ call, control, model }: Opening, tiers: ReturnType<typeof admit>['tiers'], pinned: boolean) {
    const plan = planOf({ tiers, pinned, group: call.caller.group, model }, dependencies);
    return tryChannels(
      plan,
      { breaker: dependencies.breaker, budget, client: call.client, control },
      (channel, { attempts }) =>
        connectUpstream(
          { call, control, upstreamModel: plan.upstreamModel(channel), channel, attempts },
          { ...dependencies, disableKeywords: options.disableKeywords },
        ),
      (channel, error) => health.failed(channel, model, error),
    );
  }

  /** From the switch of protocols to the last word: errors in between are sent as events. */
  async function talk({ call, control, model }: Opening, connected: Connected, bill: SessionBill, priced: Priced) {
    const client = new Peer(call.accept(headersOf(connected, model)), limits.writeMs);
    const { peer, channel, served } = connected;
    const meter = new SessionMeter(served.upstreamModel, dependencies.counter);
    const session = new RealtimeSession({
      call,
      model,
      priced,
      client,
      connected,
      meter,
      bill,
      limits,
      priceOf: (other) => furtherPrice(pricing, call.caller, other),
      channelFailed: (error: UpstreamError) => health.failed(channel, model, error),
    });
    sessions.set(session, call.caller);
    watch.begin();
    const over = session.run();
    control.attach((error) => session.stop(error));
    const end = await over;
    sessions.delete(session);
    peer.close(1000);
    const settled = await settle(session, end, bill, connected).catch((error: unknown) => error);
    const error = settled ?? errorOf(end);
    if (error !== undefined) {
      const reader = { id: newRequestId(), requestId: call.id, language: call.language };
      client.send(writeErrorEvent(error, reader), false);
    }
    client.close(...closingOf(end));
    report(
      call,
      { ...unsettled, model, ...bill.totals(), channel: channel.id, status: 101, outcome: end.kind },
      settled,
    );
  }

  /** What was delivered and is not paid yet is paid before the end is reported. */
  async function settle(session: RealtimeSession, end: SessionEnd, bill: SessionBill, { served }: Connected) {
    const uses = await session.unpaid(end.kind);
    const last = uses.pop();
    for (const use of uses) {
      const { settled, renewed } = bill.charge(use, served);
      await settled;
      await renewed;
    }
    await (last ? bill.settle(last, served) : bill.release());
  }

  async function drain(limitMs: number): Promise<void> {
    draining = true;
    const deadline = performance.now() + limitMs;
    while (running.size > 0 && performance.now() < deadline) {
      for (const session of sessions.keys()) if (!session.isResponding) session.stop(stopping());
      await pause(50);
    }
    for (const control of running.all()) control.stop(stopping());
    // What is left settles now; the ledger's own limits end the wait.
    const last = performance.now() + 10_000;
    while (running.size > 0 && performance.now() < last) await pause(20);
  }

  const recheck: Realtime['recheck'] = async (isMeant, judge) => {
    for (const control of running.all()) {
      if (!isMeant(control.caller)) continue;
      const objection = await judge(control.caller);
      if (objection) control.stop(objection);
    }
  };

  return { serve, inFlight: () => running.size, drain, recheck };
}

function stopping(): AppError {
  return new AppError('relay.draining', {}, { retryAfterSeconds: 1 });
}

function tooManySockets({ tokenName }: Caller, max: number): AppError {
  return new AppError('limit.tokenRunning', { name: tokenName, max }, { retryAfterSeconds: 1 });
}

/** The query of the address stands for the body of other calls. */
function fieldsOf(query: URLSearchParams): RequestFields {
  return { has: (key) => query.has(key), value: (key) => query.get(key) ?? undefined, count: () => undefined };
}

function headersOf({ channel, served }: Connected, model: string): string[] {
  const failures = served.attempts.length - 1;
  if (failures === 0 && served.upstreamModel === model) return [];
  const upstreamModel = encodeURIComponent(served.upstreamModel);
  return ['x-tollgate-served', `channel=${channel.id}; model=${upstreamModel}; attempt=${failures + 1}`];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
