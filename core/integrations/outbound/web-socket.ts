import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { userAgent } from '../../version.ts';
import type { AddressRules } from './address-rules.ts';
import type { Destination } from './connection.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import { readDestination } from './upstream-pool.ts';

export interface WebSocketRequest {
  /** With the scheme of HTTP, as every address of an upstream. */
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Root saved the address, so loopback and private ones are meant. */
  privateAllowed: boolean;
  proxy?: string | undefined;
  /** From the connection to the switch of protocols. */
  handshakeMs: number;
  /** Of one message. */
  maxBytes: number;
}

/** An upstream that responded with HTTP instead. */
export interface WebSocketRefusal {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Paused: nothing is read before the caller has attached its listeners and resumes it. */
export type WebSocketResponse = { socket: WebSocket } | { refusal: WebSocketRefusal };

export type OpenWebSocket = (request: WebSocketRequest, signal: AbortSignal) => Promise<WebSocketResponse>;

interface WebSocketDoorDependencies {
  open(destination: Destination): Promise<Socket>;
  rules: AddressRules;
}

const largestRefusal = 256 * 1024;

/**
 * WebSockets to the outside, through the same checked connections as every other call. Nothing is compressed: a few bytes could
 * stand for very many. Rejects with an `UpstreamFailure`.
 */
export function createWebSocketDoor({ open, rules }: WebSocketDoorDependencies): OpenWebSocket {
  return async function openWebSocket(request, signal) {
    // An address that cannot be parsed has no origin, and is refused as such.
    const origin = URL.canParse(request.url) ? new URL(request.url).origin : '';
    const profile = request.privateAllowed ? 'operatorPrivate' : 'operator';
    const connection = await open(readDestination(origin, profile, request.proxy, rules));
    try {
      if (signal.aborted) throw new UpstreamFailure('aborted', { sentNothing: true });
      return await shakeHands(connection, request, signal);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  };
}

function shakeHands(connection: Socket, request: WebSocketRequest, signal: AbortSignal): Promise<WebSocketResponse> {
  return new Promise((resolve, reject) => {
    const { url, headers, maxBytes, handshakeMs } = request;
    const socket = new WebSocket(url.replace(/^http/, 'ws'), {
      headers: { 'user-agent': userAgent, ...headers },
      maxPayload: maxBytes,
      perMessageDeflate: false,
      followRedirects: false,
      createConnection: () => connection,
    });
    const fail = (failure: UpstreamFailure) => {
      leave();
      reject(failure);
      socket.terminate();
    };
    const giveUp = () => fail(new UpstreamFailure('aborted'));
    const late = setTimeout(() => fail(new UpstreamFailure('headersTimeout')), handshakeMs);
    const leave = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('open', () => {
      leave();
      socket.pause();
      resolve({ socket });
    });
    socket.once('unexpected-response', (_request, response) => {
      readRefusal(response).then((refusal) => {
        leave();
        resolve({ refusal });
        connection.destroy();
      });
    });
    // Stays: an error also closes, and that is what the session looks at.
    socket.on('error', (cause) => fail(new UpstreamFailure(failureKind(cause), { cause })));
  });
}

/** As much of the response as explains it; one that breaks off explains what it can. */
async function readRefusal(response: IncomingMessage): Promise<WebSocketRefusal> {
  const parts: Buffer[] = [];
  let left = largestRefusal;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, left));
      left -= part.length;
      if (left <= 0) break;
    }
  } catch {
    // The status alone says enough.
  }
  return { status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(parts) };
}

/** A server without WebSockets fails the handshake; all else is the connection's end. */
function failureKind(error: Error): 'badResponse' | 'reset' {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('HPE_') || code.startsWith('WS_') ? 'badResponse' : 'reset';
}
