import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Names and values in turn, as node takes them without making an object of them. */
export type HeaderList = (string | number)[];

const shortBodyBytes = 64 * 1024;

/** Of the body of a call that gets its response before the body is read. */
export function isLongBody({ expect, ...headers }: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] !== undefined;
  return Number(length) > shortBodyBytes || (expect !== undefined && length !== '0');
}

/** Responses up to this size go out in one piece with their headers. */
const onePieceBytes = 16 * 1024;

/** Two chunks of a stream that are no further apart most likely came with one read. */
const burstMs = 0.1;

/** Headers waiting for the first byte, backpressure, and the moment the client goes away: one per call. */
export class ClientWriter {
  private readonly response: ServerResponse;
  private readonly headers: readonly string[];
  private readonly writeMs: number;
  private goneListeners: (() => void)[] = [];
  private stalled: NodeJS.Timeout | undefined = undefined;
  /** Set while the chunks of a stream are framed here instead of by node. */
  private socket: Socket | undefined = undefined;
  private wroteAt = 0;
  /** Text of a stream that leaves at the end of this turn of the event loop. */
  private waiting = '';
  /** True once the status line is on its way: nothing may be retried after that. */
  committed = false;
  gone = false;
  /** Of the caller's limits: in place of the upstream's of the same names. */
  limits: HeaderList | undefined;
  /** When the client left, in monotonic milliseconds. */
  goneAt = 0;

  /**
   * `headers` go with every response. A reader that takes nothing for `writeMs` is given up, so that it cannot hold an upstream call
   * forever.
   */
  constructor(response: ServerResponse, headers: readonly string[], writeMs = 0) {
    this.response = response;
    this.headers = headers;
    this.writeMs = writeMs;
    response.on('close', () => {
      if (!response.writableFinished) this.leave();
    });
    // A socket error always closes too; without a listener it would end the process.
    response.on('error', () => this.leave());
    if (!response.socket) whileInLine(response, () => this.leave());
  }

  /**
   * There is more of the client's body than is worth reading to get to the next call on the connection, or the client has not even
   * been asked for it: the connection ends with the response.
   */
  get hasLongBody(): boolean {
    const { req } = this.response;
    return !req.complete && isLongBody(req.headers);
  }

  onGone(listener: () => void): void {
    if (this.gone) listener();
    else this.goneListeners.push(listener);
  }

  /** The list is taken over. */
  commit(status: number, headers: HeaderList): void {
    if (this.committed || this.gone) return;
    this.committed = true;
    const own = this.limits ? withoutNames(headers, this.limits) : headers;
    own.push(...this.headers);
    this.response.writeHead(status, own);
  }

  /**
   * Begins a stream. Node sends a chunk as four pieces (length, line end, bytes, line end) at the end of the turn; a chunk that is
   * framed here is one piece and leaves at once, which is a tenth of all that a small chunk costs.
   */
  commitStream(status: number, headers: HeaderList): void {
    if (this.committed || this.gone) return;
    this.commit(status, headers);
    const response: ServerResponse & { chunkedEncoding?: boolean } = this.response;
    const { socket } = response;
    // A response that waits for the one before it has no socket yet; HTTP/1.0 knows no chunks.
    if (!socket || !response.chunkedEncoding) return;
    // The headers leave together with the first event.
    socket.cork();
    process.nextTick(() => socket.uncork());
    response.flushHeaders();
    response.chunkedEncoding = false;
    this.socket = socket;
  }

  /**
   * Bytes of a stream as latin1 text. False when the client reads slower than we write: stop reading until `onDrain`. A write costs more
   * than all else that is done for a chunk, so the chunks of one read are not written one by one: what follows the first leaves together,
   * before anything else is read.
   */
  writeText(text: string): boolean {
    if (this.gone || text === '') return true;
    const { socket } = this;
    if (!socket) return this.response.write(text, 'latin1');
    const isWaiting = this.waiting !== '';
    this.waiting += text;
    if (isWaiting) return !socket.writableNeedDrain;
    if (performance.now() - this.wroteAt > burstMs) return this.send(socket);
    process.nextTick(() => {
      if (this.waiting !== '' && !this.gone && !this.send(socket)) this.watchReader(socket);
    });
    return !socket.writableNeedDrain;
  }

  /** `end` follows the text. */
  private send(socket: Socket, end = ''): boolean {
    const text = this.waiting;
    this.waiting = '';
    this.wroteAt = performance.now();
    const chunk = text === '' ? '' : `${text.length.toString(16)}\r\n${text}\r\n`;
    return socket.write(chunk + end, 'latin1');
  }

  /** As `writeText`, for a response that is not a stream. */
  write(bytes: Buffer): boolean {
    return this.gone ? true : this.response.write(bytes);
  }

  onDrain(listener: () => void): void {
    const out = this.socket ?? this.response;
    this.watchReader(out);
    out.once('drain', listener);
  }

  /** Gives up a client that does not take in time what waits for it. */
  private watchReader(out: Socket | ServerResponse): void {
    if (this.stalled) return;
    this.stalled = setTimeout(() => this.response.destroy(), this.writeMs).unref();
    out.once('drain', () => {
      clearTimeout(this.stalled);
      this.stalled = undefined;
    });
  }

  end(last: Buffer | string): void {
    if (this.gone) return;
    if (!this.socket) {
      this.response.end(last);
      return;
    }
    this.waiting += (typeof last === 'string' ? Buffer.from(last) : last).toString('latin1');
    this.send(this.socket, '0\r\n\r\n');
    this.response.end();
  }

  /** Status, headers and the whole body at once; `headers` contain the body's length. */
  respond(status: number, headers: HeaderList, body: Buffer): void {
    if (this.committed || this.gone) return;
    this.commit(status, headers);
    const { socket } = this.response;
    if (!socket || body.length > onePieceBytes) {
      this.response.end(body);
      return;
    }
    // As text of the same encoding as the headers node joins both to one string and hands that to the system as it is: a fifth
    // less work for a small response than a list of three pieces. What node holds back to the end of the turn is sent now.
    this.response.write(body.toString('latin1'), 'latin1');
    socket.uncork();
    this.response.end();
  }

  /** Breaks the connection, so that a response that is not whole cannot look whole. */
  break(): void {
    if (this.socket && this.waiting !== '' && !this.gone) this.send(this.socket);
    this.response.destroy();
  }

  private leave(): void {
    if (this.gone) return;
    this.gone = true;
    this.goneAt = performance.now();
    clearTimeout(this.stalled);
    for (const listener of this.goneListeners) listener();
  }
}

/** By connection: the responses that wait for the one before them, and what to do when it closes. */
const lines = new WeakMap<Socket, Map<ServerResponse, () => void>>();

/** A response has no socket while another one on its connection goes first, and node does not tell it when that connection closes. */
function whileInLine(response: ServerResponse, onClose: () => void): void {
  const { socket } = response.req;
  let line = lines.get(socket);
  if (!line) {
    const waiting = new Map<ServerResponse, () => void>();
    line = waiting;
    lines.set(socket, waiting);
    socket.once('close', () => {
      for (const leave of waiting.values()) leave();
    });
  }
  line.set(response, onClose);
  // Its turn has come: from here on it is told.
  response.once('socket', () => line.delete(response));
}

/** The list with these headers in it, and no others of their names. */
function withoutNames(headers: HeaderList, limits: HeaderList): HeaderList {
  const names = new Set(limits.filter((_, at) => at % 2 === 0));
  const kept: HeaderList = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    const value = headers[at + 1];
    if (name === undefined || value === undefined || names.has(String(name).toLowerCase())) continue;
    kept.push(name, value);
  }
  kept.push(...limits);
  return kept;
}
