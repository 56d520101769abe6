import type { IncomingMessage } from 'node:http';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { asOutage } from '../../database/outage.ts';
import { AppError, type Language } from '../../errors/app-error.ts';
import { jsonHeaders } from '../../relay/deliver/respond.ts';
import { coded } from '../../text/coded.ts';
import { writeOpenAiError } from '../../wire/openai-chat/error.ts';
import type { UpgradeExchange } from '../route.ts';
import { respondOnSocket } from './upgrade.ts';

/** What a client may send before it is let in; a well-behaved one sends nothing. */
const earlyBytes = 64 * 1024;
const tokenPattern = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** The only sub-protocol the server accepts; the other entries are keys and options. */
const subProtocol = 'realtime';

/** Nothing is compressed: a few bytes of a client could stand for very many. */
export function createSocketServer(maxPayload: number): WebSocketServer {
  const options: ServerOptions & { maxPendingAutoPongs: number } = {
    // After each message others have their turn, however many arrived at once.
    allowSynchronousEvents: false,
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // The owner of the socket counts its pings and gives the reason when it closes it.
    maxPendingAutoPongs: 0,
    handleProtocols: (offered) => (offered.has(subProtocol) ? subProtocol : false),
  };
  return new WebSocketServer(options);
}

/** Throws `realtime.badHandshake`, before an upstream is asked for anything. */
export function checkHandshake({ headers }: IncomingMessage): void {
  const refuse = (reason: string): never => {
    throw new AppError('realtime.badHandshake', { reason });
  };
  const key = headers['sec-websocket-key'];
  if (key === undefined || !/^[+/\dA-Za-z]{22}==$/.test(key)) refuse(coded('socket.key'));
  if (headers['sec-websocket-version'] !== '13') refuse(coded('socket.version'));
  const protocols = subProtocolsOf(headers['sec-websocket-protocol']);
  const areValid = protocols.every((name) => tokenPattern.test(name)) && new Set(protocols).size === protocols.length;
  if (!areValid) refuse(coded('socket.protocol'));
}

export function subProtocolsOf(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((name) => name.trim());
}

/** A client that waits to be let in: sees it leave, refuses it with HTTP, or lets it in. */
export class SocketDoor {
  readonly #server: WebSocketServer;
  readonly #exchange: UpgradeExchange;
  readonly #id: string;
  readonly #language: Language;
  readonly #early: Buffer[] = [];
  #earlyLength = 0;
  #goneListeners: (() => void)[] = [];
  #isDecided = false;
  gone = false;

  constructor(
    server: WebSocketServer,
    exchange: UpgradeExchange,
    { id, language }: { id: string; language: Language },
  ) {
    this.#server = server;
    this.#exchange = exchange;
    this.#id = id;
    this.#language = language;
    const { socket } = exchange;
    // It closes too; without a listener it would end the process.
    socket.on('error', () => {});
    socket.on('close', this.#onGone).on('end', this.#onGone);
    // Only a socket that is read tells that the other side has left.
    socket.on('data', this.#onEarly);
    socket.setTimeout(0);
  }

  onGone(listener: () => void): void {
    if (this.gone) listener();
    else this.#goneListeners.push(listener);
  }

  /** Responds in OpenAI's shape; returns the status, 0 when the client is gone. */
  refuse(error: unknown): number {
    if (this.gone || this.#isDecided) return 0;
    this.#decide();
    const { socket, headers } = this.#exchange;
    const written = writeOpenAiError(asOutage(error) ?? error, { requestId: this.#id, language: this.#language });
    const body = Buffer.from(JSON.stringify(written.body));
    const own = [...Object.entries(written.headers).flat(), ...jsonHeaders(this.#id, body.length).map(String)];
    respondOnSocket(socket, written.status, [...headers, ...own], body);
    return written.status;
  }

  /** Throws `relay.clientGone`. The socket it returns is paused. */
  accept(further: readonly string[]): WebSocket {
    if (this.gone || this.#isDecided) throw new AppError('relay.clientGone');
    this.#decide();
    const { incoming, socket, head, headers } = this.#exchange;
    socket.pause();
    const own = ['x-request-id', this.#id, 'x-oneapi-request-id', this.#id, ...further];
    const addHeaders = (lines: string[]) => void lines.push(...linesOf([...headers, ...own]));
    let accepted: WebSocket | undefined;
    this.#server.once('headers', addHeaders);
    this.#server.handleUpgrade(incoming, socket, Buffer.concat([head, ...this.#early]), (webSocket) => {
      accepted = webSocket;
    });
    this.#server.off('headers', addHeaders);
    if (!accepted) throw new AppError('relay.clientGone');
    return accepted;
  }

  #decide(): void {
    this.#isDecided = true;
    const { socket } = this.#exchange;
    socket.off('close', this.#onGone).off('end', this.#onGone).off('data', this.#onEarly);
  }

  readonly #onGone = (): void => {
    if (this.gone) return;
    this.gone = true;
    this.#exchange.socket.destroy();
    for (const listener of this.#goneListeners) listener();
    this.#goneListeners = [];
  };

  readonly #onEarly = (bytes: Buffer): void => {
    this.#early.push(bytes);
    this.#earlyLength += bytes.length;
    if (this.#earlyLength > earlyBytes) this.#onGone();
  };
}

function linesOf(headers: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return lines;
}
