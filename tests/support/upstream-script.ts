import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { splitSse } from './sse.ts';

/** One call as the fake upstream saw it. It is listed when its headers arrive; `complete` tells when the body has. */
export interface RecordedRequest {
  method: string;
  /** Path with its query, as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: unknown;
  form: RecordedForm | undefined;
  /** Milliseconds since the epoch when the headers arrived. */
  at: number;
  receivedBytes: number;
  complete: boolean;
  /** The caller went away before the response was complete. */
  aborted: boolean;
  /** Settles when the response is over, whichever side ended it. */
  closed: Promise<void>;
}

export interface RecordedForm {
  fields: Record<string, string[]>;
  files: { name: string; filename: string; type: string; body: Buffer }[];
}

export interface FakeResponse {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: Buffer;
  /** Written one by one, each in its own packet when `delayMs` is set. */
  pieces?: Buffer[];
  /** Pause before each piece after the first. */
  delayMs?: number;
  /** Pause before the status line. */
  firstByteMs?: number;
  /** What happens after so many bytes of body: the socket ends abruptly, is reset, or falls silent. */
  end?: { after: number; how: 'cut' | 'reset' | 'stall' };
  /** Bytes put on the socket as they are, with no HTTP around them. */
  raw?: Buffer;
  /** `accept`: the next fresh connection is never read (its close goes unnoticed). `headers`: the call never gets a response. */
  stall?: 'accept' | 'headers';
  /** A body of so many bytes, made while it is sent. */
  generatedBytes?: number;
  /** Over a WebSocket: what is said to its one message (Buffers are binary), `delayMs` apart, and the code it is closed with. */
  socket?: { messages: (string | Buffer)[]; then: number | 'cut' | 'stall' };
}

/** A fixture name, a response, or something that looks at the call first. */
export type Script = string | FakeResponse | ((request: RecordedRequest) => string | FakeResponse);

const fixtureRoot = new URL('../fixtures/', import.meta.url);

export function fixtureBytes(name: string): Buffer {
  return readFileSync(new URL(name, fixtureRoot));
}

/** `openai/chat.json` or `openai/chat.sse`; a stream is sent event by event. */
export function fixture(
  name: string,
  options: Pick<FakeResponse, 'status' | 'headers' | 'delayMs'> = {},
): FakeResponse {
  const bytes = fixtureBytes(name);
  const isStream = name.endsWith('.sse');
  return {
    status: options.status ?? 200,
    headers: {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      ...options.headers,
    },
    ...(isStream ? { pieces: splitSse(bytes), delayMs: options.delayMs } : { body: bytes }),
  };
}

export function json(status: number, body: unknown, headers: Record<string, string | string[]> = {}): FakeResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

/** The OpenAI error shape with a status of its own. */
export function failure(
  status: number,
  { type = 'server_error', code = null, message = 'The server had an error.', headers = {} }: FailureOptions = {},
): FakeResponse {
  return json(status, { error: { message, type, param: null, code } }, headers);
}

export interface FailureOptions {
  type?: string;
  code?: string | number | null;
  message?: string;
  headers?: Record<string, string>;
}

/** Events are objects (sent as JSON), or strings sent as the data itself. `[DONE]` is not added. */
export function sse(events: readonly unknown[], options: Pick<FakeResponse, 'delayMs' | 'headers'> = {}): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', ...options.headers },
    pieces: events.map((event) =>
      Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
    ),
    delayMs: options.delayMs,
  };
}

/** A response over a WebSocket: objects are sent as JSON, strings as they are, Buffers as binary messages. */
export function socketMessages(
  messages: readonly unknown[],
  then: number | 'cut' | 'stall' = 1000,
  options: Pick<FakeResponse, 'delayMs' | 'firstByteMs'> = {},
): FakeResponse {
  const written = messages.map((message) =>
    typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
  );
  return { socket: { messages: written, then }, ...options };
}

/** The same response in packets of the given sizes, over and over; splits characters and lines anywhere. */
export function chunked(of: string | FakeResponse, ...sizes: [number, ...number[]]): FakeResponse {
  const response = resolve(of);
  const bytes = bodyOf(response);
  const pieces: Buffer[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  // Without a pause the kernel would join the packets again.
  return { ...response, body: undefined, pieces, delayMs: response.delayMs ?? 1 };
}

export function slow(of: string | FakeResponse, intervalMs: number): FakeResponse {
  return { ...chunked(of, 1), delayMs: intervalMs };
}

/** The socket ends after so many bytes of body; a negative number ends it before the status line. */
export function cut(of: string | FakeResponse, after: number, how: 'cut' | 'reset' = 'cut'): FakeResponse {
  return { ...resolve(of), end: { after, how } };
}

/** Silence: on the new connection, instead of a response, or after so many bytes of body. */
export function stall(stage: 'accept' | 'headers'): FakeResponse;
export function stall(stage: 'body', of: string | FakeResponse, after: number): FakeResponse;
export function stall(stage: 'accept' | 'headers' | 'body', of: string | FakeResponse = {}, after = 0): FakeResponse {
  return stage === 'body' ? { ...resolve(of), end: { after, how: 'stall' } } : { stall: stage };
}

export function raw(bytes: string | Buffer): FakeResponse {
  return { raw: Buffer.from(bytes) };
}

export function huge(
  bytes: number,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): FakeResponse {
  return { status: 200, headers, generatedBytes: bytes };
}

/** Sends the request back. */
export function echo(): Script {
  return (request) =>
    json(200, {
      method: request.method,
      path: request.path,
      headers: request.headers,
      body: request.json ?? request.body.toString('utf8'),
    });
}

export function resolve(of: string | FakeResponse): FakeResponse {
  return typeof of === 'string' ? fixture(of) : of;
}

function bodyOf(response: FakeResponse): Buffer {
  return response.pieces ? Buffer.concat(response.pieces) : (response.body ?? Buffer.alloc(0));
}
