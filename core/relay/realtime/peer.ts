import type { WebSocket } from 'ws';
import { type Pace, TokenBucket } from '../../lib/token-bucket.ts';

export interface PeerListener {
  message(data: Buffer, isBinary: boolean): void;
  /** What waited has gone out. */
  drained(): void;
  /** The last call. 1006 = the connection broke without a word. */
  closed(code: number, reason: string): void;
}

/** Why nothing is read from a peer for a while. */
export type PauseReason = 'otherIsSlow' | 'inWork' | 'notReady';

/** More than this that the other side has not taken, and its sender has to wait (R6). */
const waitingBytes = 256 * 1024;
/** For the other side to send its close frame. */
const closeMs = 1000;
const maxReasonLength = 123;
/** A ping checks whether the peer is there; this many have another purpose. */
const pingPace: Pace = { burst: 200, perSecond: 20 };
const maxSilentLooks = 2;

/** One end of a session: a WebSocket with backpressure, a sign of life, and exactly one end. */
export class Peer {
  readonly #socket: WebSocket;
  readonly #writeMs: number;
  #listener: PeerListener | undefined;
  readonly #pauses = new Set<PauseReason>(['notReady']);
  #stalled: NodeJS.Timeout | undefined;
  #end: { code: number; reason: string } | undefined;
  #isClosing = false;
  /** Whatever else it says is of no interest. */
  #isShut = false;
  readonly #pings = new TokenBucket(pingPace, performance.now());
  /** Looks since something came from it. */
  #silentLooks = 0;

  /** Takes over an open socket that is paused. A side that takes nothing for `writeMs` is given up. */
  constructor(socket: WebSocket, writeMs: number) {
    this.#socket = socket;
    this.#writeMs = writeMs;
    // It closes too, and that is what counts; without a listener it would end the process.
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary) => {
      this.#silentLooks = 0;
      if (!this.#isClosing && !this.#isShut) this.#listener?.message(data, isBinary);
    });
    socket.on('ping', () => this.#notePing());
    socket.on('pong', () => this.#notePing());
    socket.on('close', (code, reason) => this.#noteEnd(code, reason.toString('utf8')));
  }

  listen(listener: PeerListener): void {
    this.#listener = listener;
    if (this.#end) listener.closed(this.#end.code, this.#end.reason);
    else this.resume('notReady');
  }

  /** False when the other side reads slower than we write: send no more until `drained`. */
  send(data: Buffer | string, isBinary: boolean): boolean {
    if (this.#end || this.#isClosing) return true;
    this.#socket.send(data, { binary: isBinary }, () => this.#noteSent());
    if (this.#socket.bufferedAmount <= waitingBytes) return true;
    this.#watchStall();
    return false;
  }

  pause(reason: PauseReason): void {
    this.#pauses.add(reason);
    this.#socket.pause();
  }

  resume(reason: PauseReason): void {
    if (this.#pauses.delete(reason) && this.#pauses.size === 0 && !this.#isShut) this.#socket.resume();
  }

  /** Reads nothing more from a side that says too much, not even its goodbye. */
  shut(): void {
    this.#isShut = true;
    this.#socket.pause();
  }

  /** Whether it responds at all; asked again each time. One that we do not read from cannot be heard. */
  checkLife(): boolean {
    if (this.#end || this.#isClosing || this.#pauses.size > 0) return true;
    this.#silentLooks += 1;
    // One may fall into a moment in which this process itself was busy.
    if (this.#silentLooks > maxSilentLooks) return false;
    this.#socket.ping();
    return true;
  }

  /** Says goodbye after all that was sent before; a peer that does not respond is cut off. */
  close(code: number, reason = ''): void {
    if (this.#end || this.#isClosing) return;
    this.#isClosing = true;
    this.#socket.close(code, cut(reason));
    // The response must be read, even if nothing else is wanted any more.
    if (!this.#isShut) this.#socket.resume();
    setTimeout(() => this.terminate(), closeMs).unref();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #noteEnd(code: number, reason: string): void {
    this.#end = { code, reason };
    clearTimeout(this.#stalled);
    this.#listener?.closed(code, reason);
  }

  #noteSent(): void {
    if (!this.#stalled || this.#end) return;
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    if (this.#socket.bufferedAmount > waitingBytes) this.#watchStall();
    else this.#listener?.drained();
  }

  #watchStall(): void {
    this.#stalled ??= setTimeout(() => this.terminate(), this.#writeMs).unref();
  }

  #notePing(): void {
    this.#silentLooks = 0;
    if (this.#pings.take(1, performance.now()) || this.#isShut) return;
    this.shut();
    this.close(1002, 'too many pings');
  }
}

/** A close frame holds 123 bytes of text. */
function cut(reason: string): string {
  let text = reason.slice(0, maxReasonLength);
  while (Buffer.byteLength(text) > maxReasonLength) text = text.slice(0, -1);
  return text;
}
