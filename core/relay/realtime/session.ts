import { AppError } from '../../errors/app-error.ts';
import { maskText } from '../../errors/mask-text.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { TokenBucket } from '../../lib/token-bucket.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import { writeErrorEvent } from '../../wire/realtime/error.ts';
import { readServerEvent, type ServerEvent } from '../../wire/realtime/read-server-event.ts';
import type { SessionFacts } from '../../wire/realtime/session-facts.ts';
import type { TranscriptionUsage } from '../../wire/realtime/usage.ts';
import { toUpstreamError } from '../attempt/failure.ts';
import { createClientGate } from './client-gate.ts';
import type { Connected } from './connect-upstream.ts';
import { type Closing, MessageQueue, type SocketMessage } from './message-queue.ts';
import type { Peer } from './peer.ts';
import type { RealtimeCall, RealtimeLimits } from './realtime-call.ts';
import type { ChargedUse, SessionBill } from './session-bill.ts';
import { isGoodbye, type SessionEnd } from './session-end.ts';
import type { FinishedResponse, SessionMeter } from './session-meter.ts';
import { SessionWatch } from './session-watch.ts';
import { settingsEvent } from './settings-event.ts';
import { transcriptionUse } from './transcription-use.ts';
import { maskErrorEvent, readUpstreamError } from './upstream-error-event.ts';

export interface SessionDependencies {
  call: RealtimeCall;
  model: string;
  priced: Priced;
  client: Peer;
  connected: Connected;
  meter: SessionMeter;
  bill: SessionBill;
  limits: RealtimeLimits;
  /** The price of the model that writes down speech. Throws AppError when this caller may not use it. */
  priceOf(model: string): Priced;
  channelFailed(error: UpstreamError): void;
}

/** More than these at one time is not a conversation. */
const maxResponses = 100;
/** A large message counts once more for each of these. */
const countedBytes = 64 * 1024;

/** Carries what both sides say to each other until one of them ends it, and pays for each response before its last event goes out. */
export class RealtimeSession {
  readonly #dependencies: SessionDependencies;
  readonly #fromClient: MessageQueue<SocketMessage>;
  readonly #fromUpstream: MessageQueue<SocketMessage | Closing>;
  readonly #judge: ReturnType<typeof createClientGate>;
  readonly #messages: TokenBucket;
  readonly #refusals: TokenBucket;
  #watch: SessionWatch | undefined;
  #transcriptionModel = '';
  #renewing: Promise<void> | undefined;
  #end: SessionEnd | undefined;
  #resolve: (end: SessionEnd) => void = () => {};

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
    const { call, model, meter, priceOf, connected, limits } = dependencies;
    const { upstreamModel } = connected.served;
    this.#judge = createClientGate({ model, upstreamModel, isBeta: call.isBeta, meter, priceOf });
    this.#messages = new TokenBucket(limits.messages, performance.now());
    this.#refusals = new TokenBucket(limits.refusals, performance.now());
    const failed = (cause: unknown) =>
      this.#finish({ kind: 'stopped', error: new AppError('internal.error', {}, { cause }) });
    this.#fromClient = new MessageQueue({
      source: dependencies.client,
      failed,
      handle: (message) => this.#takeFromClient(message),
    });
    this.#fromUpstream = new MessageQueue({
      source: dependencies.connected.peer,
      failed,
      handle: (item) => ('code' in item ? this.#upstreamClosed(item) : this.#takeFromUpstream(item)),
    });
  }

  get isResponding(): boolean {
    return this.#dependencies.meter.isResponding;
  }

  /** Runs until the end, which is not reported yet. */
  run(): Promise<SessionEnd> {
    const { client, connected, limits } = this.#dependencies;
    const over = new Promise<SessionEnd>((resolve) => {
      this.#resolve = resolve;
    });
    this.#watch = new SessionWatch({
      limits,
      client,
      upstream: connected.peer,
      isResponding: () => this.isResponding,
      stop: (error) => this.stop(error),
      upstreamSilent: () => this.#break('idleTimeout'),
    });
    for (const message of connected.first) this.#fromUpstream.push(message);
    connected.peer.listen({
      message: (data, isBinary) => this.#fromUpstream.push({ data, isBinary }),
      drained: () => client.resume('otherIsSlow'),
      closed: (code, reason) => this.#fromUpstream.push({ code, reason }),
    });
    this.#applySettings();
    client.listen({
      message: (data, isBinary) => this.#hear({ data, isBinary }),
      drained: () => this.#holdUpstream(false),
      closed: (code, reason) => this.#clientClosed(code, reason),
    });
    return over;
  }

  stop(error: AppError): void {
    this.#finish({ kind: 'stopped', error });
  }

  /** After the end: resolves when nothing is in work any more, with what was delivered and is not paid yet. */
  async unpaid(outcome: string): Promise<ChargedUse[]> {
    const { meter } = this.#dependencies;
    await Promise.all([this.#fromClient.stop(), this.#fromUpstream.stop()]);
    await this.#renewing;
    const uses: ChargedUse[] = [];
    for (const response of meter.responses) {
      const finished = await meter.finish(response, undefined, performance.now());
      if (finished) uses.push(this.#responseUse(finished, outcome));
    }
    return uses;
  }

  /** Those of a client secret pass the same gate as the client's own; without them the session would not be the one its server meant. */
  #applySettings(): void {
    const { settings } = this.#dependencies.call;
    if (!settings || Object.keys(settings).every((key) => key === 'type')) return;
    const judged = this.#judge({ data: settingsEvent(settings), isBinary: false });
    if ('pass' in judged) this.#toUpstream(judged.pass);
    else this.stop(judged.refuse);
  }

  #finish(end: SessionEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#watch?.end();
    this.#resolve(end);
  }

  /** Counted before anything is read: what comes too fast must not cost others their turn. */
  #hear(message: SocketMessage): void {
    const { limits } = this.#dependencies;
    const cost = 1 + Math.floor(message.data.length / countedBytes);
    if (this.#messages.take(cost, performance.now())) this.#fromClient.push(message);
    else this.#cutOff(new AppError('realtime.tooManyMessages', { max: limits.messages.perSecond }));
  }

  #cutOff(error: AppError): void {
    this.#dependencies.client.shut();
    this.stop(error);
  }

  #takeFromClient(message: SocketMessage): Promise<void> | undefined {
    if (this.#end) return undefined;
    this.#watch?.clientSpoke();
    // Between two holds nothing is asked for that would cost something.
    if (this.#renewing) return this.#renewing.then(() => this.#passClientEvent(message));
    this.#passClientEvent(message);
    return undefined;
  }

  #passClientEvent(message: SocketMessage): void {
    if (this.#end) return;
    const judged = this.#judge(message);
    if ('pass' in judged) this.#toUpstream(judged.pass);
    else this.#object(judged.refuse, judged.causedBy);
  }

  /** One event is refused; the session goes on. */
  #object(error: AppError, causedBy?: string): void {
    const { call } = this.#dependencies;
    if (!this.#refusals.take(1, performance.now())) {
      this.#cutOff(new AppError('realtime.tooManyRefusals'));
      return;
    }
    const reader = { id: newRequestId(), requestId: call.id, language: call.language, causedBy };
    this.#toClient({ data: Buffer.from(writeErrorEvent(error, reader)), isBinary: false });
  }

  #takeFromUpstream(message: SocketMessage): Promise<void> | undefined {
    if (this.#end) return undefined;
    this.#watch?.upstreamSpoke();
    const event = readServerEvent(message.data.toString('utf8'));
    // What no client could read is not passed on.
    if (!event) return undefined;
    if (event.kind === 'done') return this.#payResponse(event, message);
    if (event.kind === 'transcribed') return this.#payTranscription(event.usage, message);
    const covered = this.#note(event);
    const masked = event.kind === 'error' ? this.#readError(event.event) : undefined;
    this.#toClient(masked === undefined ? message : { data: Buffer.from(masked), isBinary: false });
    return covered;
  }

  /** What is returned is to be waited for before the next event is read. */
  #note(event: ServerEvent): Promise<void> | undefined {
    const { meter, bill } = this.#dependencies;
    const now = performance.now();
    if (event.kind === 'created' || event.kind === 'updated') this.#noteFacts(event.facts);
    if (event.kind === 'started') meter.start(event.response, now);
    if (event.kind === 'text') meter.noteText(event.response, event.text, now);
    if (event.kind === 'audio') meter.noteSpoken(event.response, event.base64Length, now);
    if (event.kind !== 'text' && event.kind !== 'audio') return undefined;
    if (meter.responses.length > maxResponses) this.#break('badResponse');
    return bill.cover(meter.runningUsage(), (error) => this.stop(error));
  }

  #noteFacts(facts: SessionFacts): void {
    this.#dependencies.meter.noteFacts(facts);
    this.#transcriptionModel = facts.transcriptionModel ?? this.#transcriptionModel;
  }

  #readError(event: Record<string, unknown>): string | undefined {
    const { connected, channelFailed } = this.#dependencies;
    const error = readUpstreamError(connected.reading, { event });
    if (error.disablesChannel) channelFailed(error);
    return maskErrorEvent(event, connected.reading);
  }

  async #payResponse(event: Extract<ServerEvent, { kind: 'done' }>, message: SocketMessage): Promise<void> {
    const finished = await this.#dependencies.meter.finish(event.response, event.usage, performance.now());
    const outcome = event.status === 'failed' ? 'broken' : 'complete';
    await this.#pay(finished && this.#responseUse(finished, outcome), message);
    const { responses } = this.#dependencies.limits;
    if (this.#dependencies.meter.finished >= responses)
      this.stop(new AppError('realtime.tooManyAnswers', { max: responses }));
  }

  #responseUse(finished: FinishedResponse, outcome: string): ChargedUse {
    const { model, priced } = this.#dependencies;
    return { what: 'response', model, priced, extras: {}, outcome, ...finished };
  }

  async #payTranscription(reported: TranscriptionUsage | undefined, message: SocketMessage): Promise<void> {
    const { meter } = this.#dependencies;
    const heard = meter.takeUnwrittenSeconds();
    await this.#pay(transcriptionUse(reported, heard, this.#transcriptionPrice()), message);
  }

  /** A model that the upstream chose by itself, and that has no price, costs what the session's own model does. */
  #transcriptionPrice(): { model: string; priced: Priced } {
    const { model, priced, priceOf } = this.#dependencies;
    if (this.#transcriptionModel === '') return { model, priced };
    try {
      return { model: this.#transcriptionModel, priced: priceOf(this.#transcriptionModel) };
    } catch (error) {
      if (error instanceof AppError) return { model, priced };
      throw error;
    }
  }

  /** The event goes out once its price is booked (M4); nothing is read after it before the next hold is there. */
  async #pay(use: ChargedUse | undefined, message: SocketMessage): Promise<void> {
    const { bill, connected } = this.#dependencies;
    if (!use) {
      this.#toClient(message);
      return;
    }
    const { settled, renewed } = bill.charge(use, connected.served);
    this.#renewing = renewed.then((error) => {
      this.#renewing = undefined;
      if (error) this.stop(error);
    });
    await settled;
    this.#toClient(message);
    await this.#renewing;
  }

  #toClient({ data, isBinary }: SocketMessage): void {
    if (!this.#dependencies.client.send(data, isBinary)) this.#holdUpstream(true);
  }

  #toUpstream({ data, isBinary }: SocketMessage): void {
    const { client, connected } = this.#dependencies;
    if (!connected.peer.send(data, isBinary)) client.pause('otherIsSlow');
  }

  #holdUpstream(isHeld: boolean): void {
    const { peer } = this.#dependencies.connected;
    this.#watch?.upstreamHeld(isHeld);
    if (isHeld) peer.pause('otherIsSlow');
    else peer.resume('otherIsSlow');
  }

  #clientClosed(code: number, reason: string): void {
    this.#finish(this.isResponding ? { kind: 'clientGone' } : { kind: 'complete', code, reason });
  }

  #upstreamClosed({ code, reason }: Closing): undefined {
    const { reading } = this.#dependencies.connected;
    if (isGoodbye(code) && !this.isResponding) {
      this.#finish({ kind: 'complete', code, reason: maskText(reason, reading.context.secrets) });
    } else this.#finish({ kind: 'broken', error: readUpstreamError(reading, { code, reason }) });
  }

  #break(kind: 'idleTimeout' | 'badResponse'): void {
    this.#finish({ kind: 'broken', error: toUpstreamError(new UpstreamFailure(kind)) });
  }
}
