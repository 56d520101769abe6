import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { refuseBody } from './body-error.ts';
import { askForBody } from './continue.ts';
import { createDecoder, maxRatio, ratioFreeBytes } from './decode.ts';

export interface BodyLimits {
  /** Raw and decoded bytes. */
  bytes: number;
  /** Where bodies beyond 1 MiB wait while they are sent on; the directory must exist. */
  spoolDirectory: string;
  /** Time for a body of no bytes, 30 seconds when absent; every 64 KiB received add a second. */
  timeMs?: number | undefined;
}

export interface BodyReception {
  request: IncomingMessage;
  limits: Pick<BodyLimits, 'bytes' | 'timeMs'>;
  /** Takes decoded bytes; a promise holds the client back until it is fulfilled. */
  sink: (chunk: Buffer) => Promise<void> | undefined;
  /** Ends the reading with the signal's reason. */
  signal?: AbortSignal;
}

const defaultTimeMs = 30_000;
const bytesPerSecond = 64 * 1024;

/**
 * The body of a request that has arrived whole, as small ones do together with their headers; undefined when some of it is still on
 * its way, or it is encoded. Costs neither listeners nor a timer.
 */
export function takeArrivedBody(request: IncomingMessage, limits: BodyLimits): Buffer | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (length === undefined || encoding !== undefined || request.destroyed) return undefined;
  if (length === '0' || request.readableLength !== Number(length)) return undefined;
  if (request.readableLength > limits.bytes) refuseTooLarge(limits);
  const bytes: Buffer | null = request.read();
  // Only what says that there is no more is left to read.
  request.resume();
  return bytes ?? undefined;
}

/** Reads the body once, within its limits of size and time, and hands the decoded bytes to the sink. */
export function receiveBody(reception: BodyReception): Promise<void> {
  const { request, limits } = reception;
  if (!hasBody(request)) refuseBody('body.empty');
  if (Number(request.headers['content-length']) > limits.bytes) refuseTooLarge(limits);
  const decoder = createDecoder(request.headers['content-encoding']);
  askForBody(request);
  return new BodyReceiver(reception, decoder).finished;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

class BodyReceiver {
  readonly finished: Promise<void>;
  readonly #reception: BodyReception;
  readonly #decoder: Transform | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #received = 0;
  #decoded = 0;
  #isReceived = false;
  #isDecoded = false;
  #isSettled = false;
  #deadlineMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(reception: BodyReception, decoder: Transform | undefined) {
    this.#reception = reception;
    this.#decoder = decoder;
    this.finished = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { request, limits, signal } = reception;
    const timeMs = limits.timeMs ?? defaultTimeMs;
    this.#deadlineMs = performance.now() + timeMs;
    this.#timer = setTimeout(this.#checkTime, timeMs);
    decoder?.on('data', this.#onDecoded).on('end', this.#onDecodedEnd).on('error', this.#onDecodeError);
    request.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onClose).on('close', this.#onClose);
    signal?.addEventListener('abort', this.#onAbort);
    if (request.destroyed || request.readableEnded) this.#onClose();
  }

  readonly #onData = (chunk: Buffer): void => {
    const { request, limits } = this.#reception;
    this.#received += chunk.length;
    if (this.#received > limits.bytes) {
      this.#fail(() => refuseTooLarge(limits));
    } else if (!this.#decoder) {
      this.#deliver(chunk, request);
    } else if (!this.#decoder.write(chunk)) {
      request.pause();
      this.#decoder.once('drain', () => request.resume());
    }
  };

  readonly #onDecoded = (chunk: Buffer): void => {
    const { limits } = this.#reception;
    this.#decoded += chunk.length;
    if (this.#decoded > limits.bytes) this.#fail(() => refuseTooLarge(limits));
    else if (this.#decoded > ratioFreeBytes && this.#decoded > this.#received * maxRatio) {
      this.#fail(() => refuseBody('body.ratio', { limit: maxRatio }));
    } else if (this.#decoder) this.#deliver(chunk, this.#decoder);
  };

  #deliver(chunk: Buffer, source: Readable): void {
    let accepted: Promise<void> | undefined;
    try {
      accepted = this.#reception.sink(chunk);
    } catch (error) {
      this.#settle(error);
    }
    if (!accepted) return;
    source.pause();
    const pausedAtMs = performance.now();
    accepted.then(
      () => {
        // The client is not to blame for a slow disk.
        this.#deadlineMs += performance.now() - pausedAtMs;
        source.resume();
      },
      (error) => this.#settle(error),
    );
  }

  readonly #onEnd = (): void => {
    this.#isReceived = true;
    if (this.#decoder && !this.#isDecoded) this.#decoder.end();
    else this.#settle(undefined);
  };

  readonly #onDecodedEnd = (): void => {
    this.#isDecoded = true;
    if (this.#isReceived) this.#settle(undefined);
  };

  readonly #onDecodeError = (cause: Error): void => this.#fail(() => refuseBody('body.decode', {}, { cause }));

  readonly #onClose = (cause?: Error): void => {
    if (this.#isReceived) return;
    this.#fail(() => refuseBody('body.incomplete', { received: this.#received }, { cause }));
  };

  readonly #onAbort = (): void => this.#settle(this.#reception.signal?.reason);

  readonly #checkTime = (): void => {
    const allowedMs = this.#deadlineMs + (this.#received / bytesPerSecond) * 1000;
    const leftMs = allowedMs - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(this.#checkTime, leftMs + 1);
    else this.#fail(() => refuseBody('body.timeout', { received: this.#received }));
  };

  #fail(refuse: () => never): void {
    try {
      refuse();
    } catch (error) {
      this.#settle(error);
    }
  }

  #settle(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const { request, signal } = this.#reception;
    request.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onClose).off('close', this.#onClose);
    signal?.removeEventListener('abort', this.#onAbort);
    if (error === undefined) {
      this.#resolve();
      return;
    }
    // Late errors of a decoder that is thrown away: the body was refused for another reason already.
    this.#decoder
      ?.removeAllListeners()
      .on('error', () => undefined)
      .destroy();
    this.#reject(error);
  }
}

function refuseTooLarge(limits: Pick<BodyLimits, 'bytes'>): never {
  return refuseBody('body.tooLarge', { limit: `${Math.round(limits.bytes / 1024)} KiB` });
}
