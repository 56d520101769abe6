import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createOutbound, type Outbound } from '../../../../core/integrations/outbound/outbound.ts';
import type { WebSocketRequest } from '../../../../core/integrations/outbound/web-socket.ts';
import { testCertificates } from './test-certificates.ts';

const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Echoes every message. */
async function startEcho(certificate?: string): Promise<number> {
  const server = certificate ? createHttpsServer({ key: testCertificates.key, cert: certificate }) : createHttpServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  return listen(server);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy that leads every tunnel to one port. */
async function startProxy(asked: string[], target: number): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      asked.push(bytes.toString().split('\r\n', 1)[0] ?? '');
      const far = connect(target, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 ok\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => socket.destroy());
    });
  });
  return listen(server);
}

function open(certificateAuthorities?: string): Outbound {
  const outbound = createOutbound({
    rules: { upstreamPrivate: [], closedEndpoints: [{ host: '127.0.0.1', port: 6379 }] },
    resolve: async (host) => (host.endsWith('.test') ? ['127.0.0.1'] : []),
    connectTimeoutMs: 2000,
    ...(certificateAuthorities ? { certificateAuthorities } : {}),
  });
  opened.push(() => outbound.close());
  return outbound;
}

async function ask(outbound: Outbound, url: string, more: Partial<WebSocketRequest> = {}) {
  const request = { url, headers: {}, privateAllowed: true, handshakeMs: 2000, maxBytes: 1024, ...more };
  const response = await outbound.openWebSocket(request, new AbortController().signal);
  if ('socket' in response) opened.push(() => response.socket.terminate());
  return response;
}

/** What comes back, although there was no listener when the connection was made. */
async function echoOver(outbound: Outbound, url: string, more: Partial<WebSocketRequest> = {}): Promise<string> {
  const response = await ask(outbound, url, more);
  if (!('socket' in response)) throw new Error(`refused with ${response.refusal.status}`);
  const { socket } = response;
  socket.send('hello');
  const said = new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
  socket.resume();
  return said;
}

describe('a WebSocket to the outside', () => {
  it('is opened plain, and with TLS checked by the name', async () => {
    expect(await echoOver(open(), `http://127.0.0.1:${await startEcho()}/x?y=1`)).toBe('hello');
    const { valid, expired } = testCertificates;
    const port = await startEcho(valid);
    expect(await echoOver(open(valid), `https://upstream.test:${port}/`)).toBe('hello');
    await expect(ask(open(valid), `https://other.test:${port}/`)).rejects.toMatchObject({ kind: 'tls' });
    await expect(ask(open(), `https://upstream.test:${port}/`)).rejects.toMatchObject({ kind: 'tls' });
    const late = `https://upstream.test:${await startEcho(expired)}/`;
    await expect(ask(open(expired), late)).rejects.toMatchObject({ kind: 'tls' });
  });

  it('goes through the proxy of its channel, TLS and all', async () => {
    const asked: string[] = [];
    const plain = `http://127.0.0.1:${await startProxy(asked, await startEcho())}`;
    expect(await echoOver(open(), 'http://far.test:8080/', { proxy: plain })).toBe('hello');
    const { valid } = testCertificates;
    const secure = `http://127.0.0.1:${await startProxy(asked, await startEcho(valid))}`;
    expect(await echoOver(open(valid), 'https://upstream.test/', { proxy: secure })).toBe('hello');
    expect(asked).toEqual(['CONNECT far.test:8080 HTTP/1.1', 'CONNECT upstream.test:443 HTTP/1.1']);
  });

  it.each([
    ['http://169.254.169.254/', true],
    ['http://127.0.0.1:6379/', true],
    ['http://127.0.0.1:8080/', false],
    ['http://inside.test/', false],
  ])('S10 is not opened to %s (private allowed: %s)', async (url, privateAllowed) => {
    await expect(ask(open(), url, { privateAllowed })).rejects.toMatchObject({ kind: 'refusedAddress' });
  });

  it('comes back with what a server says that will not switch, redirects too', async () => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end('elsewhere');
    });
    const response = await ask(open(), `http://127.0.0.1:${await listen(server)}/`);
    if ('socket' in response) throw new Error('a socket was opened');
    expect(response.refusal.status).toBe(302);
    expect(response.refusal.body.toString()).toBe('elsewhere');
  });

  it.each([
    ['refuses the connection', 'connect', undefined],
    ['says nothing', 'headersTimeout', () => undefined],
    ['hangs up', 'reset', (socket: Socket) => socket.destroy()],
    ['speaks something else', 'badResponse', (socket: Socket) => socket.end('SSH-2.0-x\r\n\r\n')],
    [
      'gets the handshake wrong',
      'badResponse',
      (socket: Socket) =>
        socket.write('HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: no\r\n\r\n'),
    ],
  ])('fails with a name for it when the server %s: %s', async (_name, kind, behave) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => behave?.(socket));
    });
    const port = await listen(server);
    if (!behave) server.close();
    await expect(ask(open(), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind });
  });

  it('is given up at once when the call is', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    const port = await listen(server);
    const abort = new AbortController();
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, privateAllowed: true };
    const asked = open().openWebSocket({ ...request, handshakeMs: 60_000, maxBytes: 1024 }, abort.signal);
    const [socket] = await once(server, 'connection');
    const closed = once(socket, 'close');
    socket.resume();
    abort.abort();
    await expect(asked).rejects.toMatchObject({ kind: 'aborted' });
    await closed;
  });

  it('ends when a message is longer than it may be', async () => {
    const response = await ask(open(), `http://127.0.0.1:${await startEcho()}/`, { maxBytes: 100 });
    if (!('socket' in response)) throw new Error('refused');
    const closed = new Promise((resolve) => response.socket.once('close', resolve));
    response.socket.resume();
    response.socket.send('x'.repeat(200));
    await closed;
  });
});
