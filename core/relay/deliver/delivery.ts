import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { Caller } from '../../services/caller.ts';
import { coded } from '../../text/coded.ts';
import type { ErrorReader } from '../../wire/describe-error.ts';
import type { ErrorDialect } from '../../wire/error-dialect.ts';
import type { CallIdentity } from '../call.ts';
import type { HandOver } from '../rescue/hand-over.ts';
import type { ClientWriter } from './client-writer.ts';

/** How a response that reached the client (or began to) ended. What comes last is written only after the bill is settled. */
export type DeliveryEnd =
  | { kind: 'complete'; finish: (usage: Usage) => void }
  /** The upstream broke off after the first byte: the client sees an error, the delivered part is charged. */
  | { kind: 'broken'; error: UpstreamError; last?: FailureWriter; handOver?: () => Promise<HandOver | undefined> }
  /** We ended it: balance used up, or the server is stopping. */
  | { kind: 'stopped'; error: AppError; last?: FailureWriter }
  | { kind: 'clientGone' };

/** The event that ends a stream visibly, as latin1 text. */
export type FailureWriter = (dialect: ErrorDialect, reader: ErrorReader) => string;

export type RunningCall = Pick<CallIdentity, 'id' | 'caller' | 'startedAt'>;

/** Lets the outside end a call, at whatever step it is. */
export class DeliveryControl {
  readonly call: RunningCall;
  readonly client: Pick<ClientWriter, 'gone' | 'onGone'> & { goneAt?: number };
  /** Where `RunningCalls` keeps it. */
  slot = 0;
  /** It was reported that this call goes on without its client. */
  isReported = false;
  private onStop: ((error: AppError) => void) | undefined = undefined;
  stoppedBy: AppError | undefined = undefined;

  constructor(call: RunningCall, client: DeliveryControl['client']) {
    this.call = call;
    this.client = client;
  }

  get caller(): Caller {
    return this.call.caller;
  }

  /** The step under way; replaces the one before. Called at once when the call was stopped between two steps. */
  attach(onStop: (error: AppError) => void): void {
    this.onStop = onStop;
    if (this.stoppedBy) onStop(this.stoppedBy);
  }

  /**
   * What a step waits for that cannot be withdrawn: left to itself when the call is stopped or its client leaves, and `dropped` gets
   * what comes of it then.
   */
  whileWanted<T>(work: Promise<T>, dropped: (result: T) => void = () => undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const giveUp = (error: AppError) => {
        isOver = true;
        reject(error);
      };
      this.attach(giveUp);
      this.client.onGone(() => giveUp(new AppError('relay.clientGone')));
      work.then((result) => (isOver ? dropped(result) : resolve(result)), reject);
    });
  }

  stop(error: AppError): void {
    if (this.stoppedBy) return;
    this.stoppedBy = error;
    this.onStop?.(error);
  }
}

/**
 * The calls under way. An array and not a Map: a Map that is written all the time leaves outgrown tables behind, and each of
 * them keeps the calls it held from being collected young, which doubles the work of the garbage collector.
 */
export class RunningCalls {
  private readonly controls: DeliveryControl[] = [];

  get size(): number {
    return this.controls.length;
  }

  add(control: DeliveryControl): void {
    control.slot = this.controls.length;
    this.controls.push(control);
  }

  /** The last one takes the place of the one that ended. */
  remove(control: DeliveryControl): void {
    const last = this.controls.pop();
    if (!last || last === control) return;
    last.slot = control.slot;
    this.controls[control.slot] = last;
  }

  /** A copy, because calls end while it is read. */
  all(): DeliveryControl[] {
    return [...this.controls];
  }
}

const pieceBytes = 16 * 1024;

/** Of bytes that are not looked into, only so many at a time are progress: an upstream may send one after another forever. */
export function isNewPiece(before: number, after: number): boolean {
  return Math.floor(after / pieceBytes) > Math.floor(before / pieceBytes);
}

interface Delivered {
  response: Pick<UpstreamResponse, 'abort' | 'pause' | 'resume'>;
  client: ClientWriter;
}

/** A delivery under way, that ends exactly once: resolved when the client has seen something of it, rejected while it has not. */
export abstract class Pump<D extends Delivered> {
  protected readonly delivery: D;
  private readonly resolve: (end: DeliveryEnd) => void;
  private readonly reject: (error: UpstreamError) => void;
  protected ended = false;
  /** When content last came. */
  protected progressAt = performance.now();
  private progress: NodeJS.Timeout | undefined;
  /** What has to happen before the upstream is read from again. */
  private waits = 0;

  constructor(delivery: D, resolve: (end: DeliveryEnd) => void, reject: (error: UpstreamError) => void) {
    this.delivery = delivery;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** What keeps a connection alive is not progress: a response that brings nothing else for `limitMs` is ended. */
  protected watchProgress(limitMs: () => number): void {
    const look = () => {
      // A client that reads slowly is waited for elsewhere; the upstream may not send meanwhile.
      if (this.waits > 0) this.progressAt = performance.now();
      const leftMs = this.progressAt + limitMs() - performance.now();
      if (leftMs <= 0) this.fail(noProgress(limitMs()));
      else this.progress = setTimeout(look, leftMs);
    };
    this.progress = setTimeout(look, limitMs());
  }

  /** The upstream is not read from until the client has taken what waits for it. */
  protected waitForClient(): void {
    this.stopReading();
    this.delivery.client.onDrain(() => this.readOn());
  }

  /** The same, until this is settled; it never rejects. */
  protected waitFor(work: Promise<void>): void {
    this.stopReading();
    void work.then(() => this.readOn());
  }

  private stopReading(): void {
    this.waits += 1;
    if (this.waits === 1) this.delivery.response.pause();
  }

  private readOn(): void {
    this.waits -= 1;
    if (this.waits > 0) return;
    this.progressAt = performance.now();
    this.delivery.response.resume();
  }

  protected fail(error: UpstreamError): void {
    if (this.delivery.client.gone) this.end({ kind: 'clientGone' }, true);
    else if (this.isSeen) this.end({ kind: 'broken', error }, true);
    else if (this.close(true)) this.reject(error);
  }

  /** The client has seen something of it. */
  protected get isSeen(): boolean {
    return this.delivery.client.committed;
  }

  protected end(end: DeliveryEnd, abort = false): void {
    if (this.close(abort)) this.resolve(end);
  }

  protected close(abort: boolean): boolean {
    if (this.ended) return false;
    this.ended = true;
    clearTimeout(this.progress);
    if (abort) this.delivery.response.abort();
    return true;
  }
}

function noProgress(limitMs: number): UpstreamError {
  return new UpstreamError({
    status: 504,
    code: 'upstream_no_progress',
    coded: coded('upstream.stalled', { seconds: Math.round(limitMs / 1000) }),
    kind: 'retry',
    silent: true,
  });
}
