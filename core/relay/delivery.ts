import type { Usage } from '../canonical/usage.ts';
import type { AppError } from '../errors/app-error.ts';
import type { UpstreamError } from '../errors/upstream-error.ts';
import type { UpstreamAnswer } from '../integrations/outbound/upstream-client.ts';
import type { ErrorDialect } from '../protocols/error-dialect.ts';
import type { ErrorReader } from '../protocols/openai-chat/write-error.ts';
import type { Caller } from '../services/caller.ts';
import type { ClientWriter } from './client-writer.ts';

/** How an answer that reached the client (or began to) ended. What comes last is written only after the bill is settled. */
export type DeliveryEnd =
  | { kind: 'complete'; finish: (usage: Usage) => void }
  /** The upstream broke off after the first byte: the client sees an error, the delivered part is charged. */
  | { kind: 'broken'; error: UpstreamError; last?: FailureWriter }
  /** We ended it: balance used up, or the server is stopping. */
  | { kind: 'stopped'; error: AppError; last?: FailureWriter }
  | { kind: 'clientGone' };

/** The event that ends a stream visibly, as latin1 text. */
export type FailureWriter = (dialect: ErrorDialect, reader: ErrorReader) => string;

/** Lets the outside end a call, at whatever step it is. */
export class DeliveryControl {
  readonly caller: Caller;
  /** Where `RunningCalls` keeps it. */
  slot = 0;
  private onStop: ((error: AppError) => void) | undefined = undefined;
  stoppedBy: AppError | undefined = undefined;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** The step under way; replaces the one before. Called at once when the call was stopped between two steps. */
  attach(onStop: (error: AppError) => void): void {
    this.onStop = onStop;
    if (this.stoppedBy) onStop(this.stoppedBy);
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

  /** A copy, because calls end while somebody looks at them. */
  all(): DeliveryControl[] {
    return [...this.controls];
  }
}

interface Delivered {
  answer: Pick<UpstreamAnswer, 'abort'>;
  client: ClientWriter;
}

/** A delivery under way, that ends exactly once: resolved when the client has seen something of it, rejected while it has not. */
export abstract class Pump<D extends Delivered> {
  protected readonly delivery: D;
  private readonly resolve: (end: DeliveryEnd) => void;
  private readonly reject: (error: UpstreamError) => void;
  protected ended = false;

  constructor(delivery: D, resolve: (end: DeliveryEnd) => void, reject: (error: UpstreamError) => void) {
    this.delivery = delivery;
    this.resolve = resolve;
    this.reject = reject;
  }

  protected fail(error: UpstreamError): void {
    if (this.delivery.client.gone) this.end({ kind: 'clientGone' }, true);
    else if (this.delivery.client.committed) this.end({ kind: 'broken', error }, true);
    else if (this.close(true)) this.reject(error);
  }

  protected end(end: DeliveryEnd, abort = false): void {
    if (this.close(abort)) this.resolve(end);
  }

  protected close(abort: boolean): boolean {
    if (this.ended) return false;
    this.ended = true;
    if (abort) this.delivery.answer.abort();
    return true;
  }
}
