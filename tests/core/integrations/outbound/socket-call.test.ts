import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import type { OutboundRequest } from '../../../../core/integrations/outbound/outbound-request.ts';
import type { UpstreamResponse } from '../../../../core/integrations/outbound/upstream-client.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { json, socketMessages, stall } from '../../../support/upstream-script.ts';

let upstream: FakeUpstream;
let outbound: Outbound;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.reset();
  outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
});
afterEach(() => outbound.close());

const isLast = (message: string) => message.includes('"last"');

function ask(change: Partial<OutboundRequest> = {}) {
  return outbound.upstream.start({
    url: `${upstream.url}/v1/chat?authorization=a%2Bb&date=Tue%2C+14+Nov+2023`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '12', authorization: 'Bearer k' },
    body: Buffer.from('{"ask":"grüß"}'),
    limits: { headersMs: 5_000, idleMs: 5_000 },
    privateAllowed: true,
    socket: { isLast },
    ...change,
  });
}

/** The events a reader gets; `over` resolves with the failure, or undefined for a proper end. */
function listen(response: UpstreamResponse) {
  const chunks: string[] = [];
  const over = new Promise<unknown>((resolve) => {
    response.consume({ data: (chunk) => chunks.push(chunk.toString()), end: () => resolve(undefined), error: resolve });
  });
  return { over, chunks };
}

/** Until the connection is gone at both ends. */
async function allClosed(): Promise<void> {
  await expect.poll(() => upstream.openSockets()).toBe(0);
}

describe('a call over a WebSocket', () => {
  it('says its body as one message, and each message that comes back is one event', async () => {
    upstream.respond(socketMessages([{ part: 'Grüße' }, '{\r\n"part":\n"🙂"}', { last: true }]));
    const response = await ask().response;
    expect(response.status).toBe(200);
    expect(response.headers).toEqual({ 'content-type': 'text/event-stream' });
    const body = await response.readAll();
    expect(body.toString()).toBe('data: {"part":"Grüße"}\n\ndata: { "part": "🙂"}\n\ndata: {"last":true}\n\n');
    const [request] = upstream.requests;
    expect(request?.json).toEqual({ ask: 'grüß' });
    expect(request?.path).toBe('/v1/chat?authorization=a%2Bb&date=Tue%2C+14+Nov+2023');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer k', upgrade: 'websocket' });
    expect(request?.headers).not.toHaveProperty('content-length');
    await allClosed();
  });

  it('sends a body that comes in pieces as one message', async () => {
    upstream.respond(socketMessages([{ last: true }]));
    await (await ask({ body: Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')]) }).response).readAll();
    expect(upstream.requests[0]?.json).toEqual({ a: 1 });
  });

  it('is over with its last message, although the upstream keeps the socket open', async () => {
    upstream.respond(socketMessages([{ last: true }, { more: true }], 'stall'));
    const body = await (await ask().response).readAll();
    expect(body.toString()).toBe('data: {"last":true}\n\n');
    await allClosed();
  });

  it.each([
    ['closed in good order before its last message', 1000, undefined],
    ['closed without a word', 'cut' as const, 'reset'],
    ['closed with a code of trouble', 1011, 'reset'],
  ])('that is %s keeps what came, and ends as %s: %s', async (_what, then, kind) => {
    upstream.respond(socketMessages([{ part: 1 }], then));
    const { over, chunks } = listen(await ask().response);
    const failure = await over;
    expect(chunks).toEqual(['data: {"part":1}\n\n']);
    expect(failure).toEqual(kind === undefined ? undefined : expect.objectContaining({ kind }));
    await allClosed();
  });

  it('fails at a binary message', async () => {
    upstream.respond(socketMessages([{ part: 1 }, Buffer.from('{}')], 'stall'));
    const { over, chunks } = listen(await ask().response);
    expect(await over).toMatchObject({ kind: 'badResponse' });
    expect(chunks).toHaveLength(1);
    await allClosed();
  });

  it('fails when the upstream falls silent, and when it takes too long as a whole', async () => {
    upstream.always(socketMessages([{ part: 1 }], 'stall'));
    const silent = listen(await ask({ limits: { headersMs: 5_000, idleMs: 50 } }).response);
    expect(await silent.over).toMatchObject({ kind: 'idleTimeout' });
    const long = await ask({ limits: { headersMs: 5_000, idleMs: 5_000, totalMs: 200 } }).response;
    long.pause();
    expect(await listen(long).over).toMatchObject({ kind: 'totalTimeout' });
    await allClosed();
  });

  it('does not count the time in which its reader wants nothing', async () => {
    upstream.respond(socketMessages([{ part: 1 }, { last: true }], 1000, { delayMs: 30 }));
    const response = await ask({ limits: { headersMs: 5_000, idleMs: 400 } }).response;
    const { over, chunks } = listen(response);
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 900));
    response.resume();
    expect(await over).toBeUndefined();
    expect(chunks).toHaveLength(2);
  });

  it('loses no message before it is read, and pauses the upstream without a reader', async () => {
    const long = JSON.stringify({ part: 'x'.repeat(50_000) });
    upstream.respond(socketMessages([...Array.from({ length: 40 }, () => long), { last: true }]));
    const response = await ask().response;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(String(await response.readAll()).match(/data: /g)).toHaveLength(41);
  });
});

describe('a WebSocket that an upstream refuses', () => {
  it.each([401, 403, 503])('with %i is that response, with its body', async (status) => {
    const message = 'HMAC signature cannot be verified';
    upstream.respond(json(status, { message }, { date: 'Tue, 14 Nov 2023 22:13:20 GMT' }));
    const response = await ask().response;
    expect(response.status).toBe(status);
    expect(response.headers.date).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
    expect(JSON.parse(String(await response.readAll()))).toEqual({ message });
    await allClosed();
  });

  it('with a page that says all is well is not a response', async () => {
    upstream.respond(json(200, {}));
    await expect(ask().response).rejects.toMatchObject({ kind: 'badResponse' });
  });

  it('by silence fails in time', async () => {
    upstream.respond(stall('headers'));
    const limits = { headersMs: 60, idleMs: 5_000 };
    await expect(ask({ limits }).response).rejects.toMatchObject({ kind: 'headersTimeout' });
    await allClosed();
  });

  it('at an address that may not be called is never opened', async () => {
    await expect(ask({ privateAllowed: false }).response).rejects.toMatchObject({ kind: 'refusedAddress' });
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('a WebSocket call that is given up', () => {
  it('before the handshake ends at once, and leaves no connection', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const call = ask({ url: `http://127.0.0.1:${port}/` });
    const connected = once(silent, 'connection');
    call.abort();
    await expect(call.response).rejects.toMatchObject({ kind: 'aborted' });
    const [socket] = (await connected) as [Socket];
    if (!socket.closed) await once(socket.resume(), 'close');
    silent.close();
  });

  it('in the middle of its response closes the connection, and its reader hears nothing more', async () => {
    upstream.respond(socketMessages([{ part: 1 }, { part: 2 }], 'stall', { delayMs: 50 }));
    const call = ask();
    const response = await call.response;
    const chunks: string[] = [];
    const first = new Promise<void>((resolve) => {
      response.consume({
        data: (chunk) => {
          chunks.push(String(chunk));
          resolve();
        },
        end: () => chunks.push('end'),
        error: () => chunks.push('error'),
      });
    });
    await first;
    call.abort();
    await upstream.requests[0]?.closed;
    expect(chunks).toEqual(['data: {"part":1}\n\n']);
    expect(upstream.requests[0]?.aborted).toBe(true);
    await allClosed();
  });

  it('while all of it is awaited rejects', async () => {
    upstream.respond(socketMessages([{ part: 1 }], 'stall'));
    const call = ask();
    const whole = (await call.response).readAll();
    call.abort();
    await expect(whole).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('by a signal ends as any other call does', async () => {
    upstream.respond(stall('headers'));
    const cancel = new AbortController();
    const request = { method: 'POST', headers: {}, body: '{}', limits: { headersMs: 5_000, idleMs: 5_000 } };
    const url = `${upstream.url}/v1/chat`;
    const use = { privateAllowed: true, socket: { isLast } };
    const response = outbound.upstream.send({ ...request, ...use, url }, cancel.signal);
    await upstream.waitForRequests(1);
    cancel.abort();
    await expect(response).rejects.toMatchObject({ kind: 'aborted' });
    await allClosed();
  });
});
