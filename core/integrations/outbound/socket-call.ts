import type { WebSocket } from 'ws';
import type { OutboundRequest, SocketUse } from './outbound-request.ts';
import { readAll } from './read-all.ts';
import { type DeliverySource, ResponseDelivery, type UpstreamSink } from './response-delivery.ts';
import { UpstreamFailure, type UpstreamFailureKind } from './upstream-failure.ts';
import type { UpstreamLimits, UpstreamResponse } from './upstream-response.ts';
import type { OpenWebSocket, WebSocketRefusal, WebSocketResponse } from './web-socket.ts';

/** Of one message of an upstream. */
const maxMessageBytes = 16 * 1024 * 1024;
const eventHeaders = { 'content-type': 'text/event-stream' };
const normalClose = 1000;
const closeLimitMs = 1000;
/** Closed in good order: 1000, or without a code. Whether the response was whole is for its reader to say. */
const goodCloses: ReadonlySet<number> = new Set([normalClose, 1005]);

/**
 * One call over a WebSocket, as the relay sees any other: the body goes out as one message, and each message that comes back is one
 * server-sent event of the response. An upstream that responds to the handshake with HTTP is that response.
 */
export class SocketCall implements UpstreamResponse, DeliverySource {
  /** Resolves when the handshake is over; rejects with an `UpstreamFailure`. */
  readonly response: Promise<UpstreamResponse>;
  status = 0;
  headers: UpstreamResponse['headers'] = {};
  readonly #delivery = new ResponseDelivery(this);
  readonly #handshake = new AbortController();
  readonly #limits: UpstreamLimits;
  readonly #use: SocketUse;
  #reject: (error: unknown) => void = () => undefined;
  #socket: WebSocket | undefined;
  #idle: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  #isOver = false;
  #failure: UpstreamFailure | undefined;
  #failRead: (error: UpstreamFailure) => void = () => undefined;

  constructor(open: OpenWebSocket, request: OutboundRequest, use: SocketUse) {
    this.#limits = request.limits;
    this.#use = use;
    const { totalMs } = request.limits;
    if (totalMs) this.#total = setTimeout(() => this.#fail('totalTimeout'), totalMs);
    this.response = new Promise((resolve, reject) => {
      this.#reject = reject;
      void this.#connect(open, request).then(() => resolve(this));
    });
    // The caller that aborts need not wait for it.
    this.response.catch(() => undefined);
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
    if (this.#failure?.kind === 'aborted') return;
    const failure = new UpstreamFailure('aborted', { cause: reason });
    this.#delivery.cancel();
    this.#finish(failure);
    this.#failure = failure;
    this.#failRead(failure);
  }

  readAll(maxBytes?: number): Promise<Buffer> {
    if (this.#failure?.kind === 'aborted') return Promise.reject(this.#failure);
    return readAll(this, maxBytes, (fail) => {
      this.#failRead = fail;
    });
  }

  pauseSource(): void {
    this.#socket?.pause();
    clearTimeout(this.#idle);
  }

  resumeSource(): void {
    this.#socket?.resume();
    this.#awaitMessage();
  }

  async #connect(open: OpenWebSocket, request: OutboundRequest): Promise<void> {
    const { url, headers, privateAllowed, proxy, body } = request;
    const { 'content-type': _type, 'content-length': _length, ...sent } = headers;
    const handshake = { url, headers: sent, privateAllowed, proxy, maxBytes: maxMessageBytes };
    try {
      const message = await textOf(body);
      const response = await open({ ...handshake, handshakeMs: request.limits.headersMs }, this.#handshake.signal);
      this.#begin(response, message);
    } catch (error) {
      this.#reject(error);
      this.#fail('connect');
    }
  }

  #begin(response: WebSocketResponse, message: string): void {
    if ('refusal' in response) {
      this.#refuse(response.refusal);
      return;
    }
    // Given up in the moment in which the handshake ended.
    if (this.#isOver) response.socket.terminate();
    else this.#converse(response.socket, message);
  }

  #converse(socket: WebSocket, message: string): void {
    this.#socket = socket;
    this.status = 200;
    this.headers = eventHeaders;
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#fail('badResponse');
      else if (!this.#isOver) this.#read((data as Buffer).toString('utf8'));
    });
    socket.on('close', (code) => this.#finish(goodCloses.has(code) ? 'end' : new UpstreamFailure('reset')));
    socket.on('error', () => this.#fail('badResponse'));
    socket.send(message);
    this.resumeSource();
  }

  #read(message: string): void {
    this.#awaitMessage();
    // A line break in JSON is white space; in an event it would end the line.
    this.#delivery.deliver(Buffer.from(`data: ${message.replace(/[\r\n]+/g, ' ')}\n\n`));
    if (this.#use.isLast(message)) this.#finish('end');
  }

  #refuse({ status, headers, body }: WebSocketRefusal): void {
    // A server that says all is well and does not switch has no response to give.
    if (status < 400) throw new UpstreamFailure('badResponse');
    this.status = status;
    this.headers = headers;
    this.#delivery.deliver(body);
    this.#finish('end');
  }

  #awaitMessage(): void {
    clearTimeout(this.#idle);
    if (!this.#isOver) this.#idle = setTimeout(() => this.#fail('idleTimeout'), this.#limits.idleMs);
  }

  #fail(kind: UpstreamFailureKind): void {
    // The code that set the limit is told now, even when a paused reader has not taken everything yet.
    if (kind === 'totalTimeout') this.#delivery.drop();
    this.#finish(new UpstreamFailure(kind));
  }

  /** In good order, which an upstream that does not listen any more cannot hold up. */
  #close(): void {
    const socket = this.#socket;
    socket?.close(normalClose);
    setTimeout(() => socket?.terminate(), closeLimitMs).unref();
  }

  #finish(outcome: 'end' | UpstreamFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    if (outcome === 'end') this.#close();
    else {
      this.#failure = outcome;
      this.#handshake.abort();
      this.#socket?.terminate();
      this.#reject(outcome);
    }
    this.#delivery.finish(outcome);
  }
}

async function textOf(body: OutboundRequest['body']): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? '';
  if (Buffer.isBuffer(body)) return body.toString('utf8');
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
