import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { type ContentDecoder, createContentDecoder } from './content-decoder.ts';
import { readAll } from './read-all.ts';
import { type DeliverySource, ResponseDelivery, type UpstreamSink } from './response-delivery.ts';
import { failureKind, UpstreamFailure, type UpstreamFailureKind } from './upstream-failure.ts';
import type { CallTrack, PoolEntry, TrackedClient } from './upstream-pool.ts';
import type { UpstreamLimits, UpstreamResponse } from './upstream-response.ts';

const maxInformational = 16;
// A close that was under way when a kept-alive connection was used again arrives within a round trip.
const staleCloseMs = 1_000;

const noHeaders = {};

/** One call on the wire: undici's handler on one side, the response the relay reads on the other. */
export class HttpCall implements Dispatcher.DispatchHandler, DeliverySource, UpstreamResponse, CallTrack {
  /** Resolves when the headers are there, whatever the status; rejects with an `UpstreamFailure`. */
  readonly response: Promise<UpstreamResponse>;
  client: TrackedClient | undefined;
  status = 0;
  headers: Readonly<Record<string, string | string[] | undefined>> = noHeaders;

  #entry: PoolEntry;
  #headersMs: number;
  /** Whether the body can be sent again; a stream that was read from cannot. */
  #canRepeat: boolean;
  #signal: CancelSignal | undefined;
  #resolve: (response: UpstreamResponse) => void = ignore;
  #reject: (error: UpstreamFailure) => void = ignore;
  #controller: Dispatcher.DispatchController | undefined;
  #decoder: ContentDecoder | undefined;
  #delivery = new ResponseDelivery(this);
  #startedAt = 0;
  #informational = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReused = false;
  #hasResponseByte = false;
  #isWirePaused = false;
  #isWireDone = false;
  #aborted: UpstreamFailure | undefined;
  #failRead: (error: UpstreamFailure) => void = ignore;

  /** `entry` counts the call until its connection is free again, or closed. */
  constructor(entry: PoolEntry, { headersMs, totalMs }: UpstreamLimits, canRepeat: boolean) {
    this.#entry = entry;
    this.#headersMs = headersMs;
    this.#canRepeat = canRepeat;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    entry.inFlight++;
    if (totalMs) this.#timer = setTimeout(() => this.#giveUp('totalTimeout'), totalMs);
  }

  /** Ends the call when the signal says so. */
  follow(signal: CancelSignal): void {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onSignal, { once: true });
  }

  get isReleased(): boolean {
    return this.#isWireDone;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isWireDone) {
      controller.abort(new UpstreamFailure('aborted'));
      return;
    }
    this.#startedAt = performance.now();
    if (this.client) this.#isReused = this.client.callsOnSocket++ > 0;
  }

  /** The first byte of a response; the headers may never follow. */
  onResponseStarted(): void {
    this.#hasResponseByte = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamResponse['headers'],
  ): void {
    if (status >= 100 && status < 200) {
      // undici starts the header limit again at each of these.
      const isLate = performance.now() - this.#startedAt > this.#headersMs;
      if (isLate || ++this.#informational > maxInformational) this.#giveUp(isLate ? 'headersTimeout' : 'badResponse');
      return;
    }
    if (status < 200 || status > 599 || hasImpossibleBody(status, headers)) {
      this.#giveUp('badResponse');
      return;
    }
    if (headers['content-encoding'] !== undefined && !this.#decode(headers['content-encoding'])) return;
    this.status = status;
    this.headers = headers;
    this.#resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder) {
      if (!this.#decoder.write(chunk)) this.#pauseWire();
    } else {
      this.#delivery.deliver(chunk);
    }
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#decoder) this.#decoder.end();
    else this.#delivery.finish('end');
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#isWireDone) return;
    const kind = failureKind(error);
    const isOwn = error instanceof UpstreamFailure;
    this.#fail(isOwn && error.sentNothing ? error : this.#describeFailure(kind, error));
  }

  consume(sink: UpstreamSink): void {
    this.#delivery.consume(sink);
  }

  pause(): void {
    this.#delivery.pause();
  }

  resume(): void {
    this.#delivery.resume();
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = new UpstreamFailure('aborted', { cause: reason });
    this.#delivery.cancel();
    this.#giveUp(this.#aborted);
    this.#failRead(this.#aborted);
  }

  readAll(maxBytes?: number): Promise<Buffer> {
    if (this.#aborted) return Promise.reject(this.#aborted);
    return readAll(this, maxBytes, (fail) => {
      this.#failRead = fail;
    });
  }

  #decode(encoding: string | string[]): boolean {
    try {
      this.#decoder = createContentDecoder(encoding, {
        data: (chunk) => this.#delivery.deliver(chunk),
        end: () => this.#delivery.finish('end'),
        error: (error) => this.#giveUp(error),
        drain: () => this.#resumeWire(),
      });
      return true;
    } catch (error) {
      this.#giveUp(error instanceof UpstreamFailure ? error : 'badResponse');
      return false;
    }
  }

  #onSignal = (): void => {
    this.#giveUp(new UpstreamFailure('aborted', { cause: this.#signal?.reason }));
  };

  /** Ends the call from our side: the connection cannot be used again with half a response in it. */
  #giveUp(why: UpstreamFailureKind | UpstreamFailure): void {
    const failure = why instanceof UpstreamFailure ? why : new UpstreamFailure(why);
    const wasDone = this.#isWireDone;
    // The code that set the limit is told now, even when a paused reader has not taken everything yet.
    if (failure.kind === 'aborted' || failure.kind === 'totalTimeout') this.#delivery.drop();
    this.#fail(failure);
    if (!wasDone) this.#controller?.abort(failure);
  }

  #fail(failure: UpstreamFailure): void {
    this.#release();
    this.#decoder?.destroy();
    this.#reject(failure);
    if (this.status !== 0) this.#delivery.finish(failure);
  }

  #describeFailure(kind: UpstreamFailureKind, cause: Error): UpstreamFailure {
    const isUnsent = this.#controller === undefined;
    const isStale =
      kind === 'reset' &&
      this.#isReused &&
      !this.#hasResponseByte &&
      this.#canRepeat &&
      performance.now() - this.#startedAt < staleCloseMs;
    return new UpstreamFailure(kind, { sentNothing: isUnsent || isStale, cause });
  }

  #release(): void {
    if (this.#isWireDone) return;
    this.#isWireDone = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onSignal);
    this.#entry.inFlight--;
    this.#entry.lastUsed = performance.now();
  }

  pauseSource(): void {
    if (this.#decoder) this.#decoder.pause();
    else this.#pauseWire();
  }

  resumeSource(): void {
    if (this.#decoder) this.#decoder.resume();
    else this.#resumeWire();
  }

  #pauseWire(): void {
    if (this.#isWirePaused || this.#isWireDone) return;
    this.#isWirePaused = true;
    this.#controller?.pause();
  }

  #resumeWire(): void {
    if (!this.#isWirePaused) return;
    this.#isWirePaused = false;
    // undici's parser must not be entered from inside another connection's callback, where a sink may well be.
    queueMicrotask(() => {
      if (!this.#isWirePaused && !this.#isWireDone) this.#controller?.resume();
    });
  }
}

function ignore(): void {}

/** 204, 205 and 304 have no body; bytes announced anyway would be taken for the next response. */
function hasImpossibleBody(status: number, headers: UpstreamResponse['headers']): boolean {
  if (status !== 204 && status !== 205 && status !== 304) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (status !== 304 && length !== undefined && length !== '0');
}
