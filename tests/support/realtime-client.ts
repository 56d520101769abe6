import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { type ClientOptions, WebSocket } from 'ws';
import type { RealtimeEvent } from './fake-realtime.ts';

/** A WebSocket that remembers what it was told. */
export interface RealtimeClient {
  socket: WebSocket;
  events: RealtimeEvent[];
  frames: Buffer[];
  /** Resolves with the first event of this type that has not been asked for. */
  next(type: string): Promise<RealtimeEvent>;
  send(event: Record<string, unknown> | string | Buffer): void;
  closed: Promise<{ code: number; reason: string }>;
  headers: IncomingMessage['headers'];
}

export interface OpenOptions {
  key: string;
  model?: string;
  protocols?: string[];
  headers?: Record<string, string>;
  options?: ClientOptions;
}

export interface HttpRefusal {
  status: number;
  headers: IncomingMessage['headers'];
  body: unknown;
}

const patienceMs = 20_000;

/** Resolves once both sides have switched protocols; rejects with a `HttpRefusal` when the gateway responds with HTTP. */
export function openRealtime(url: string, { key, model, protocols = [], headers = {}, options }: OpenOptions) {
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime${query}`, protocols, {
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...options,
  });
  return new Promise<RealtimeClient>((resolve, reject) => {
    const client = recordClient(socket);
    socket.on('upgrade', (response) => {
      client.headers = response.headers;
    });
    socket.on('open', () => resolve(client));
    socket.on('error', reject);
    socket.on('unexpected-response', async (_request, response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString()) as unknown;
      reject({ status: response.statusCode ?? 0, headers: response.headers, body } satisfies HttpRefusal);
    });
  });
}

function recordClient(socket: WebSocket): RealtimeClient {
  const asked: { type: string; resolve(event: RealtimeEvent): void }[] = [];
  const unasked: RealtimeEvent[] = [];
  const client: RealtimeClient = {
    socket,
    events: [],
    frames: [],
    headers: {},
    next(type) {
      const at = unasked.findIndex((event) => event.type === type);
      const [found] = at < 0 ? [] : unasked.splice(at, 1);
      if (found) return Promise.resolve(found);
      return new Promise((resolve, reject) => {
        const seen = () => client.events.map((event) => event.type).join(', ');
        const timer = setTimeout(() => reject(new Error(`no ${type}; there came: ${seen()}`)), patienceMs);
        asked.push({
          type,
          resolve(event) {
            clearTimeout(timer);
            resolve(event);
          },
        });
      });
    },
    send: (event) => socket.send(typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event)),
    closed: new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    ),
  };
  socket.on('message', (frame: Buffer) => {
    client.frames.push(frame);
    const event = JSON.parse(frame.toString()) as RealtimeEvent;
    client.events.push(event);
    const at = asked.findIndex(({ type }) => type === event.type);
    if (at < 0) unasked.push(event);
    else asked.splice(at, 1)[0]?.resolve(event);
  });
  return client;
}

export function lastError({ events }: RealtimeClient) {
  return events.findLast(({ type }) => type === 'error') as { error: Record<string, unknown> } | undefined;
}

/**
 * The client of OpenAI's package. It insists on wss; TLS ends before the gateway, as it does behind a proxy, so the bytes go plain
 * from here.
 */
export function openSdkSession(url: string, key: string, model: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(url);
  const options: ClientOptions & { createConnection: unknown } = {
    headers,
    createConnection: () => connect({ host: hostname, port: Number(port) }),
  };
  return new OpenAIRealtimeWS({ model, options }, new OpenAI({ apiKey: key, baseURL: `${url}/v1` }));
}
