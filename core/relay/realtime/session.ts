import type { PriceExtras } from '../../billing/price.ts';
import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { maskText } from '../../errors/mask-text.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { UpstreamFailure } from '../../integrations/outbound/upstream-client.ts';
import { JsonScanError } from '../../lib/json-scan-error.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { type ClientEvent, readClientEvent, writeSettings } from '../../protocols/realtime/client-event.ts';
import type { TranscriptionUsage } from '../../protocols/realtime/map-usage.ts';
import { readServerEvent, type ServerEvent } from '../../protocols/realtime/server-event.ts';
import type { SessionFacts } from '../../protocols/realtime/session-facts.ts';
import { writeErrorEvent } from '../../protocols/realtime/write-error.ts';
import type { Priced } from '../../services/pricing.ts';
import { toUpstreamError } from '../failure.ts';
import type { Connected } from './connect-upstream.ts';
import { type Closing, type Message, MessageQueue } from './message-queue.ts';
import type { Peer } from './peer.ts';
import type { RealtimeCall, RealtimeLimits } from './realtime-call.ts';
import type { ChargedUse, SessionBill } from './session-bill.ts';
import type { FinishedResponse, SessionMeter } from './session-meter.ts';
import { maskErrorEvent, readUpstreamError } from './upstream-error-event.ts';

/** How a session came to its end. */
export type SessionEnd =
  /** One side said goodbye, and nothing was left to say. */
  | { kind: 'complete'; code: number; reason: string }
  /** The client left while it was being answered. */
  | { kind: 'clientGone' }
  | { kind: 'broken'; error: UpstreamError }
  /** We ended it. */
  | { kind: 'stopped'; error: AppError };

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
  /** Why the caller may not go on. */
  objection(): Promise<AppError | undefined>;
  channelFailed(error: UpstreamError): void;
}

/** 0.006 US dollars a minute at whisper-1's ratio of 15 is 200 tokens a minute. */
const tokensPerMinute = 200;
const tickMs = 1000;
/** More than these at one time is no conversation. */
const mostResponses = 100;

/** Carries what both sides say to each other until one of them ends it, and pays for each answer before its last event goes out. */
export class RealtimeSession {
  readonly #dependencies: SessionDependencies;
  readonly #fromClient: MessageQueue;
  readonly #fromUpstream: MessageQueue;
  readonly #startedAt = performance.now();
  #spokenAt = this.#startedAt;
  #upstreamAt = this.#startedAt;
  #pingedAt = this.#startedAt;
  #checkedAt = this.#startedAt;
  #transcriptionModel = '';
  #renewing: Promise<void> | undefined;
  #isUpstreamHeld = false;
  #timer: NodeJS.Timeout | undefined;
  #end: SessionEnd | undefined;
  #resolve: (end: SessionEnd) => void = () => {};

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
    const failed = (cause: unknown) =>
      this.#finish({ kind: 'stopped', error: new AppError('internal.error', {}, { cause }) });
    this.#fromClient = new MessageQueue({
      ...{ source: dependencies.client, failed },
      handle: (item) => ('code' in item ? this.#clientClosed(item) : this.#takeFromClient(item)),
    });
    this.#fromUpstream = new MessageQueue({
      ...{ source: dependencies.connected.peer, failed },
      handle: (item) => ('code' in item ? this.#upstreamClosed(item) : this.#takeFromUpstream(item)),
    });
  }

  get isAnswering(): boolean {
    return this.#dependencies.meter.isAnswering;
  }

  /** Runs until the end, which is told to nobody yet. */
  run(): Promise<SessionEnd> {
    const { client, connected } = this.#dependencies;
    const over = new Promise<SessionEnd>((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#timer.unref();
    for (const message of connected.first) this.#fromUpstream.push(message);
    connected.peer.listen({
      message: (data, isBinary) => this.#fromUpstream.push({ data, isBinary }),
      drained: () => client.resume('otherIsSlow'),
      closed: (code, reason) => this.#fromUpstream.push({ code, reason }),
    });
    client.listen({
      message: (data, isBinary) => this.#fromClient.push({ data, isBinary }),
      drained: () => this.#holdUpstream(false),
      closed: (code, reason) => this.#clientClosed({ code, reason }),
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

  #finish(end: SessionEnd): void {
    if (this.#end) return;
    this.#end = end;
    clearInterval(this.#timer);
    this.#resolve(end);
  }

  #takeFromClient(message: Message): Promise<void> | undefined {
    if (this.#end) return undefined;
    this.#spokenAt = performance.now();
    // Between two holds nothing is asked for that would cost something.
    if (this.#renewing) return this.#renewing.then(() => this.#passClientEvent(message));
    this.#passClientEvent(message);
    return undefined;
  }

  #passClientEvent(message: Message): void {
    if (this.#end) return;
    const { meter } = this.#dependencies;
    const event = this.#readClientEvent(message);
    if (!event) return;
    if (event.kind === 'settings') {
      this.#passSettings(event);
      return;
    }
    if (event.kind === 'audio') meter.noteHeard(event.base64Length);
    if (event.kind === 'content') {
      meter.noteTold(event.textBytes);
      meter.noteHeard(event.audioBase64Length);
    }
    this.#toUpstream(message);
  }

  #readClientEvent({ data }: Message): ClientEvent | undefined {
    try {
      return readClientEvent(data);
    } catch (error) {
      if (!(error instanceof JsonScanError)) throw error;
      const reason = error.fault === 'notJson' ? String(error.details.reason) : error.message;
      this.#object(new AppError('realtime.badEvent', { reason }));
      return undefined;
    }
  }

  /** A session is paid by the model it was opened with, and speech by the model that writes it down: both must stay known. */
  #passSettings({ facts, json, eventId }: Extract<ClientEvent, { kind: 'settings' }>): void {
    const { model, connected, priceOf } = this.#dependencies;
    const { upstreamModel } = connected.served;
    if (facts.model !== undefined && facts.model !== model && facts.model !== upstreamModel) {
      this.#object(new AppError('realtime.modelFixed', { model, other: facts.model.slice(0, 100) }), eventId);
      return;
    }
    try {
      if (facts.transcriptionModel) priceOf(facts.transcriptionModel);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#object(error, eventId);
      return;
    }
    this.#toUpstream({ data: Buffer.from(writeSettings(json, upstreamModel)), isBinary: false });
  }

  /** One event is refused; the session goes on. */
  #object(error: AppError, causedBy?: string): void {
    const { call } = this.#dependencies;
    const reader = { id: newRequestId(), requestId: call.id, language: call.language, causedBy };
    this.#toClient({ data: Buffer.from(writeErrorEvent(error, reader)), isBinary: false });
  }

  #takeFromUpstream(message: Message): Promise<void> | undefined {
    if (this.#end) return undefined;
    this.#upstreamAt = performance.now();
    this.#spokenAt = this.#upstreamAt;
    const event = readServerEvent(message.data.toString('utf8'));
    // What no client could read is not passed on.
    if (!event) return undefined;
    if (event.kind === 'done') return this.#payResponse(event, message);
    if (event.kind === 'transcribed') return this.#payTranscription(event.usage, message);
    this.#note(event);
    const masked = event.kind === 'error' ? this.#readError(event.event) : undefined;
    this.#toClient(masked === undefined ? message : { data: Buffer.from(masked), isBinary: false });
    return undefined;
  }

  #note(event: ServerEvent): void {
    const { meter, bill } = this.#dependencies;
    const now = this.#upstreamAt;
    if (event.kind === 'created' || event.kind === 'updated') this.#noteFacts(event.facts);
    if (event.kind === 'started') meter.start(event.response, now);
    if (event.kind === 'text') meter.noteText(event.response, event.text, now);
    if (event.kind === 'audio') meter.noteSpoken(event.response, event.base64Length, now);
    if (event.kind !== 'text' && event.kind !== 'audio') return;
    if (meter.responses.length > mostResponses) this.#break('badResponse');
    bill.cover(meter.runningUsage(), (error) => this.stop(error));
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

  async #payResponse(event: Extract<ServerEvent, { kind: 'done' }>, message: Message): Promise<void> {
    const finished = await this.#dependencies.meter.finish(event.response, event.usage, performance.now());
    const outcome = event.status === 'failed' ? 'broken' : 'complete';
    await this.#pay(finished && this.#responseUse(finished, outcome), message);
  }

  #responseUse(finished: FinishedResponse, outcome: string): ChargedUse {
    const { model, priced } = this.#dependencies;
    return { what: 'response', model, priced, extras: {}, outcome, ...finished };
  }

  async #payTranscription(reported: TranscriptionUsage | undefined, message: Message): Promise<void> {
    const { meter } = this.#dependencies;
    const heard = meter.takeUnwrittenSeconds();
    const used = reported ?? { kind: 'seconds', seconds: heard };
    const usage: Usage =
      used.kind === 'tokens' ? used.usage : { ...emptyUsage, prompt: Math.ceil((used.seconds * tokensPerMinute) / 60) };
    const extras: PriceExtras = {};
    const { model, priced } = this.#transcriptionPrice();
    const use: ChargedUse = {
      ...{ what: 'transcription', model, priced, usage, extras, outcome: 'complete', flags: [] },
      usageSource: reported ? 'upstream' : 'measured',
      startedAt: performance.now(),
      firstTokenAt: undefined,
    };
    await this.#pay(usage.prompt + usage.completion > 0 ? use : undefined, message);
  }

  /** A model that the upstream chose by itself, and that nobody has priced, costs what the session's own does. */
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

  /** The event goes out once its price is booked (reliability M4); nothing is read after it before the next hold is there. */
  async #pay(use: ChargedUse | undefined, message: Message): Promise<void> {
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

  #toClient({ data, isBinary }: Message): void {
    if (!this.#dependencies.client.send(data, isBinary)) this.#holdUpstream(true);
  }

  #toUpstream({ data, isBinary }: Message): void {
    const { client, connected } = this.#dependencies;
    if (!connected.peer.send(data, isBinary)) client.pause('otherIsSlow');
  }

  #holdUpstream(isHeld: boolean): void {
    const { peer } = this.#dependencies.connected;
    this.#isUpstreamHeld = isHeld;
    // What it could not send while it was held back says nothing about it.
    this.#upstreamAt = performance.now();
    if (isHeld) peer.pause('otherIsSlow');
    else peer.resume('otherIsSlow');
  }

  #clientClosed({ code, reason }: Closing): undefined {
    this.#finish(this.isAnswering ? { kind: 'clientGone' } : { kind: 'complete', code, reason });
  }

  #upstreamClosed({ code, reason }: Closing): undefined {
    const { reading } = this.#dependencies.connected;
    const isGoodbye = code === 1000 || code === 1001 || (code >= 3000 && code <= 4999);
    if (isGoodbye && !this.isAnswering) {
      this.#finish({ kind: 'complete', code, reason: maskText(reason, reading.context.secrets) });
    } else this.#finish({ kind: 'broken', error: readUpstreamError(reading, { code, reason }) });
  }

  #break(kind: 'idleTimeout' | 'badResponse'): void {
    this.#finish({ kind: 'broken', error: toUpstreamError(new UpstreamFailure(kind)) });
  }

  #tick(): void {
    const { limits, client, connected } = this.#dependencies;
    const now = performance.now();
    if (now - this.#startedAt > limits.totalMs) this.stop(new AppError('realtime.tooLong', minutesOf(limits.totalMs)));
    else if (now - this.#spokenAt > limits.idleMs) this.stop(new AppError('realtime.idle', minutesOf(limits.idleMs)));
    else if (this.isAnswering && !this.#isUpstreamHeld && now - this.#upstreamAt > limits.answerIdleMs) {
      this.#break('idleTimeout');
    }
    if (this.#end) return;
    if (now - this.#pingedAt >= limits.pingMs) {
      this.#pingedAt = now;
      for (const peer of [client, connected.peer]) if (!peer.checkLife()) peer.terminate();
    }
    if (now - this.#checkedAt >= limits.recheckMs) {
      this.#checkedAt = now;
      void this.#checkCaller();
    }
  }

  async #checkCaller(): Promise<void> {
    try {
      const objection = await this.#dependencies.objection();
      if (objection) this.stop(objection);
    } catch {
      // A database that cannot answer now is asked again at the next look; the next hold asks it, too.
    }
  }
}

function minutesOf(ms: number): { minutes: number } {
  return { minutes: Math.max(1, Math.round(ms / 60_000)) };
}
