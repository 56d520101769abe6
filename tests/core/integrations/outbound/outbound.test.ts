import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { AddressRules } from '../../../../core/integrations/outbound/address-rules.ts';
import { createConnect } from '../../../../core/integrations/outbound/connection.ts';
import { createOutbound, type OutboundDependencies } from '../../../../core/integrations/outbound/outbound.ts';
import type { OutboundRequest } from '../../../../core/integrations/outbound/outbound-request.ts';
import { createResolveHost } from '../../../../core/integrations/outbound/resolve-host.ts';
import { createUpstreamClient } from '../../../../core/integrations/outbound/upstream-client.ts';
import { createPoolRegistry } from '../../../../core/integrations/outbound/upstream-pool.ts';
import { createWebSocketDoor } from '../../../../core/integrations/outbound/web-socket.ts';
import { httpResponse, type RawServer, startRawServer } from './raw-server.ts';
import { testCertificates } from './test-certificates.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const noRules: AddressRules = { upstreamPrivate: [], closedEndpoints: [] };
const toLoopback = async () => ['127.0.0.1'];

function open(dependencies: Partial<OutboundDependencies> = {}) {
  const outbound = createOutbound({ rules: noRules, resolve: toLoopback, ...dependencies });
  closers.push(outbound.close);
  return outbound;
}

async function start(...options: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...options);
  closers.push(server.close);
  return server;
}

const responding = () => start((socket) => socket.write(httpResponse('{"ok":true}')));

function get(url: string, change: Partial<OutboundRequest> = {}): OutboundRequest {
  const limits = { headersMs: 5_000, idleMs: 5_000 };
  return { url, method: 'GET', headers: {}, body: null, limits, privateAllowed: true, ...change };
}

describe('host name', () => {
  it('leads to the address it resolves to, with its own Host header', async () => {
    const server = await responding();
    const response = await open().upstream.send(get(`http://upstream.test:${server.port}/v1`));
    expect((await response.readAll()).toString()).toBe('{"ok":true}');
    expect(server.received[0]).toContain(`host: upstream.test:${server.port}`);
  });

  it('tries the next address when the first does not respond', async () => {
    const server = await responding();
    const resolve = async () => ['127.0.0.77', '127.0.0.1']; // the first has no listener
    expect((await open({ resolve }).upstream.send(get(`http://upstream.test:${server.port}`))).status).toBe(200);
  });

  it('is refused when any of its addresses is', async () => {
    const server = await responding();
    const resolve = async () => ['127.0.0.1', '169.254.169.254'];
    const sent = open({ resolve }).upstream.send(get(`http://upstream.test:${server.port}`));
    await expect(sent).rejects.toMatchObject({ kind: 'refusedAddress', refusal: 'special-address', sentNothing: true });
    expect(server.sockets).toHaveLength(0);
  });

  it('that changes to an inside address between two calls is refused the second time', async () => {
    const server = await start((socket) => socket.end(httpResponse('{}', 'connection: close\r\n')));
    const responses = [['127.0.0.1'], ['169.254.169.254']];
    const connection = createConnect({
      rules: noRules,
      resolve: async () => responses.shift() ?? [],
      connectTimeoutMs: 2_000,
    });
    const pools = createPoolRegistry({ open: connection, rules: noRules });
    closers.push(pools.close);
    const { send } = createUpstreamClient(pools, createWebSocketDoor({ open: connection, rules: noRules }));
    const url = `http://rebinding.test:${server.port}`;
    await (await send(get(url))).readAll();
    await expect(send(get(url))).rejects.toMatchObject({ kind: 'refusedAddress' });
    await expect(send(get(url))).rejects.toMatchObject({ kind: 'dns' });
    expect(server.sockets).toHaveLength(1);
  });

  it('that is private is refused for an admin, served for root and when it is listed', async () => {
    const server = await responding();
    const url = `http://upstream.test:${server.port}`;
    const refused = open().upstream.send(get(url, { privateAllowed: false }));
    await expect(refused).rejects.toMatchObject({ kind: 'refusedAddress', refusal: 'private-address' });
    const listed = open({ rules: { ...noRules, upstreamPrivate: ['upstream.test'] } });
    expect((await listed.upstream.send(get(url, { privateAllowed: false }))).status).toBe(200);
  });

  it('does not lend its connection to a caller with fewer rights', async () => {
    const server = await responding();
    const { upstream } = open();
    const url = `http://upstream.test:${server.port}`;
    await (await upstream.send(get(url))).readAll();
    await wait(50);
    await expect(upstream.send(get(url, { privateAllowed: false }))).rejects.toMatchObject({ kind: 'refusedAddress' });
  });

  it('that is unknown fails as such, and so does one that takes too long', async () => {
    const unknown = async () => Promise.reject(new Error('ENOTFOUND'));
    const sent = open({ resolve: unknown }).upstream.send(get('http://nobody.test'));
    await expect(sent).rejects.toMatchObject({ kind: 'dns', sentNothing: true });
    const slow = () => new Promise<string[]>(() => {});
    const late = open({ resolve: slow, connectTimeoutMs: 200 }).upstream.send(get('http://slow.test'));
    await expect(late).rejects.toMatchObject({ kind: 'connect', sentNothing: true });
  });

  it('that is slow to resolve does not hold up others', async () => {
    const server = await responding();
    const resolve = (host: string) => (host === 'slow.test' ? new Promise<string[]>(() => {}) : toLoopback());
    const { upstream } = open({ resolve, connectTimeoutMs: 1_500 });
    const slow = upstream.send(get('http://slow.test')).catch((error: unknown) => error);
    expect((await upstream.send(get(`http://upstream.test:${server.port}`))).status).toBe(200);
    expect(await slow).toMatchObject({ kind: 'connect' });
  });

  it('is asked for once while the response is fresh or on its way', async () => {
    let asked = 0;
    const resolve = createResolveHost(async () => {
      asked++;
      await wait(20);
      return ['127.0.0.1'];
    });
    await Promise.all([resolve('a.test'), resolve('a.test')]);
    await resolve('a.test');
    await resolve('b.test');
    expect(asked).toBe(2);
  });

  it('localhost works with the system resolver, without a name server', async () => {
    const server = await responding();
    const outbound = createOutbound({ rules: noRules });
    closers.push(outbound.close);
    expect((await outbound.upstream.send(get(`http://localhost:${server.port}`))).status).toBe(200);
  });
});

describe('address that may not be called', () => {
  it('is never connected to when it is written as such', async () => {
    const server = await responding();
    const { upstream } = open();
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost', 'a.localhost']) {
      const sent = upstream.send(get(`http://${host}:${server.port}/`, { privateAllowed: false }));
      await expect(sent, host).rejects.toMatchObject({ kind: 'refusedAddress', refusal: 'private-address' });
    }
    for (const url of [
      'http://169.254.169.254/latest',
      'http://metadata.google.internal/',
      'http://0.0.0.0/',
      'ftp://x/',
    ]) {
      await expect(upstream.send(get(url)), url).rejects.toMatchObject({ kind: 'refusedAddress' });
    }
    await expect(upstream.send(get('nonsense'))).rejects.toMatchObject({ kind: 'invalidRequest' });
    expect(server.sockets).toHaveLength(0);
  });

  it('is our own listener or database, under any name, even for root', async () => {
    const server = await responding();
    const rules = { ...noRules, closedEndpoints: [{ host: 'db.test', port: server.port }] };
    const { upstream } = open({ rules });
    for (const host of ['127.0.0.1', 'db.test', 'another.test', '[::ffff:7f00:1]']) {
      const sent = upstream.send(get(`http://${host}:${server.port}/`));
      await expect(sent, host).rejects.toMatchObject({ kind: 'refusedAddress', refusal: 'own-endpoint' });
    }
    expect(server.sockets).toHaveLength(0);
  });

  it('is known by the time of the call, not of the start', async () => {
    const closedEndpoints: { host: string; port: number }[] = [];
    const { upstream } = open({ rules: { upstreamPrivate: [], closedEndpoints } });
    const server = await responding();
    closedEndpoints.push({ host: '0.0.0.0', port: server.port });
    await expect(upstream.send(get(server.url))).rejects.toMatchObject({ refusal: 'own-endpoint' });
  });
});

describe('connection', () => {
  it('that is refused fails at once and may be repeated', async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const { upstream } = open();
    for (let turn = 0; turn < 3; turn++) {
      await expect(upstream.send(get(server.url))).rejects.toMatchObject({ kind: 'connect', sentNothing: true });
    }
  });

  it('works again as soon as the upstream is back', async () => {
    const { upstream } = open();
    const probe = await startRawServer(() => {});
    await probe.close();
    await expect(upstream.send(get(probe.url))).rejects.toMatchObject({ kind: 'connect' });
    const server = createServer((socket) => void socket.end(httpResponse('{}')));
    server.listen(probe.port, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => server.close());
    expect((await upstream.send(get(probe.url))).status).toBe(200);
  });
});

describe('TLS', () => {
  const { key, valid, expired } = testCertificates;
  const secure = (cert: string) => start((socket) => socket.write(httpResponse('{}')), { tls: { key, cert } });

  it('accepts a certificate that is trusted and names the host', async () => {
    const server = await secure(valid);
    const { upstream } = open({ certificateAuthorities: valid });
    for (let turn = 0; turn < 2; turn++) {
      expect((await upstream.send(get(`https://upstream.test:${server.port}`))).status).toBe(200);
    }
  });

  it.each([
    ['an unknown issuer', 'upstream.test', valid, undefined],
    ['another name', 'other.test', valid, valid],
    ['a date in the past', 'upstream.test', expired, expired],
    ['a bare address', '127.0.0.1', valid, valid],
  ])('refuses %s', async (_name, host, cert, certificateAuthorities) => {
    const server = await secure(cert);
    const outbound = open(certificateAuthorities ? { certificateAuthorities } : {});
    const sent = outbound.upstream.send(get(`https://${host}:${server.port}`));
    await expect(sent).rejects.toMatchObject({ kind: 'tls', sentNothing: true });
    expect(server.received).toHaveLength(0);
  });

  it('fails when the upstream hangs up in the handshake, speaks plain HTTP, or says nothing', async () => {
    const hangsUp = await start(() => {}, {
      onConnection: (socket) => void socket.once('data', () => socket.destroy()),
    });
    const plain = await start(() => {}, { onConnection: (socket) => void socket.write(httpResponse('{}')) });
    const silent = await start(() => {});
    const { upstream } = open({ connectTimeoutMs: 500 });
    const https = ({ port }: RawServer) => get(`https://upstream.test:${port}`);
    await expect(upstream.send(https(hangsUp))).rejects.toMatchObject({ kind: 'tls', sentNothing: true });
    await expect(upstream.send(https(plain))).rejects.toMatchObject({ kind: 'tls', sentNothing: true });
    await expect(upstream.send(https(silent))).rejects.toMatchObject({ kind: 'connect', sentNothing: true });
    await expect.poll(() => silent.openCount()).toBe(0);
  });
});

describe('proxy', () => {
  const join = (left: Socket, right: Socket) => {
    left.on('error', () => {}).on('close', () => right.destroy());
    right.on('error', () => {}).on('close', () => left.destroy());
    left.pipe(right);
    right.pipe(left);
  };

  async function listen(onSocket: (socket: Socket) => void): Promise<number> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      onSocket(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  function startHttpProxy(requests: string[], targetPort: number, reply = 'HTTP/1.1 200 ok\r\n\r\n') {
    return listen((socket) => {
      socket.once('data', (bytes) => {
        requests.push(bytes.toString());
        socket.write(reply);
        if (reply.includes(' 200 ')) join(socket, connect(targetPort, '127.0.0.1'));
      });
    });
  }

  function startSocksProxy(seen: Buffer[], targetPort: number) {
    return listen(async (socket) => {
      const next = async () => {
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        seen.push(bytes);
        return bytes;
      };
      const greeting = await next();
      socket.write(Buffer.from([5, greeting[2] ?? 0]));
      if (greeting[2] === 2) {
        await next();
        socket.write(Buffer.from([1, 0]));
      }
      await next();
      // The response comes in single bytes: a reader must not expect them together.
      for (const byte of [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]) socket.write(Buffer.from([byte]));
      join(socket, connect(targetPort, '127.0.0.1'));
    });
  }

  it('over HTTP is asked for a tunnel, with name and password', async () => {
    const server = await responding();
    const requests: string[] = [];
    const port = await startHttpProxy(requests, server.port);
    const proxy = `http://me:p%40ss@127.0.0.1:${port}`;
    const response = await open().upstream.send(get('http://far.test:8080/v1', { proxy }));
    expect((await response.readAll()).toString()).toBe('{"ok":true}');
    expect(requests[0]).toMatch(/^CONNECT far\.test:8080 HTTP\/1\.1\r\n/);
    expect(requests[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    expect(server.received[0]).not.toContain('Proxy');
  });

  it('carries TLS to the target, checked by its name', async () => {
    const { key, valid } = testCertificates;
    const server = await start((socket) => socket.write(httpResponse('{}')), { tls: { key, cert: valid } });
    const seen: Buffer[] = [];
    const proxies = [
      `http://127.0.0.1:${await startHttpProxy([], server.port)}`,
      `socks5://127.0.0.1:${await startSocksProxy(seen, server.port)}`,
    ];
    for (const proxy of proxies) {
      const { upstream } = open({ certificateAuthorities: valid });
      expect((await upstream.send(get('https://upstream.test/', { proxy }))).status).toBe(200);
      await expect(upstream.send(get('https://other.test/', { proxy }))).rejects.toMatchObject({ kind: 'tls' });
    }
  });

  it('over SOCKS 5 gets the name, not our idea of its address', async () => {
    const server = await responding();
    const seen: Buffer[] = [];
    const port = await startSocksProxy(seen, server.port);
    const proxy = `socks5://me:secret@127.0.0.1:${port}`;
    expect((await open().upstream.send(get('http://far.test:8080/', { proxy }))).status).toBe(200);
    expect(seen[1]?.toString('latin1')).toBe('\u0001\u0002me\u0006secret');
    expect(seen[2]?.toString('latin1')).toBe('\u0005\u0001\u0000\u0003\u0008far.test\u001f\u0090');
  });

  it.each([
    ['refuses', 'HTTP/1.1 403 no\r\n\r\n'],
    ['wants a password', 'HTTP/1.1 407 auth\r\n\r\n'],
    ['talks nonsense', 'SSH-2.0-x\r\n\r\n'],
    ['talks without end', 'x'.repeat(50_000)],
  ])('that %s fails the call before anything is sent', async (_name, reply) => {
    const port = await startHttpProxy([], 1, reply);
    const sent = open().upstream.send(get('http://far.test/', { proxy: `http://127.0.0.1:${port}` }));
    await expect(sent).rejects.toMatchObject({ kind: 'connect', sentNothing: true });
  });

  it('that wants a password says whether one was missing or wrong', async () => {
    const wantsOne = await listen((socket) => socket.once('data', () => socket.end(Buffer.from([5, 0xff]))));
    for (const [status, user, text] of [
      ['407', '', 'proxy.signInNeeded'],
      ['407', 'me:wrong@', 'proxy.refused'],
      ['401', 'me:wrong@', 'proxy.refused'],
    ]) {
      const port = await startHttpProxy([], 1, `HTTP/1.1 ${status} auth\r\n\r\n`);
      const sent = open().upstream.send(get('http://far.test/', { proxy: `http://${user}127.0.0.1:${port}` }));
      await expect(sent).rejects.toMatchObject({ coded: expect.stringContaining(text ?? '') });
    }
    const sent = open().upstream.send(get('http://far.test/', { proxy: `socks5://127.0.0.1:${wantsOne}` }));
    await expect(sent).rejects.toMatchObject({ coded: expect.stringContaining('proxy.signInNeeded') });
  });

  it('that is not there is named as what cannot be reached', async () => {
    const sent = open().upstream.send(get('http://far.test/', { proxy: 'http://127.0.0.1:1' }));
    await expect(sent).rejects.toMatchObject({
      kind: 'connect',
      isBrief: true,
      coded: expect.stringContaining('proxy.unreachable'),
    });
  });

  it('that says nothing or hangs up fails within the connect limit', async () => {
    const silent = await listen(() => {});
    const hangsUp = await listen((socket) => socket.destroy());
    const { upstream } = open({ connectTimeoutMs: 300 });
    for (const proxy of [
      `http://127.0.0.1:${silent}`,
      `socks5://127.0.0.1:${silent}`,
      `socks5://127.0.0.1:${hangsUp}`,
    ]) {
      const sent = upstream.send(get('http://far.test/', { proxy }));
      await expect(sent, proxy).rejects.toMatchObject({ kind: 'connect', sentNothing: true });
    }
  });

  it('is judged like any address, and so is what it would be asked for', async () => {
    const server = await responding();
    const port = await startHttpProxy([], server.port);
    const proxy = `http://127.0.0.1:${port}`;
    const resolve = async (host: string) => [host === 'inside.test' ? '169.254.169.254' : '8.8.8.8'];
    const { upstream } = open({ resolve });
    const byAdmin = upstream.send(get('http://far.test/', { proxy, privateAllowed: false }));
    await expect(byAdmin).rejects.toMatchObject({ refusal: 'private-address' });
    await expect(upstream.send(get('http://inside.test/', { proxy }))).rejects.toMatchObject({
      refusal: 'special-address',
    });
    await expect(upstream.send(get('http://169.254.169.254/', { proxy }))).rejects.toMatchObject({
      refusal: 'special-address',
    });
    await expect(upstream.send(get('http://far.test/', { proxy: 'socks4://127.0.0.1' }))).rejects.toMatchObject({
      kind: 'connect',
    });
    expect(server.sockets).toHaveLength(0);
  });
});

describe('pool', () => {
  it('that was unused for a while is closed; one in use is not', async () => {
    const server = await start((socket, index) => {
      if (index === 0) socket.write(httpResponse('{}'));
      else socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n');
    });
    const connection = createConnect({ rules: noRules, resolve: toLoopback, connectTimeoutMs: 2_000 });
    const pools = createPoolRegistry({ open: connection, rules: noRules, idlePoolMs: 200 });
    closers.push(pools.close);
    const { send } = createUpstreamClient(pools, createWebSocketDoor({ open: connection, rules: noRules }));
    await (await send(get(server.url))).readAll();
    expect(pools.size()).toBe(1);
    await expect.poll(() => pools.size()).toBe(0);
    await expect.poll(() => server.openCount()).toBe(0);
    const response = await send(get(server.url));
    await wait(800);
    expect(pools.size()).toBe(1);
    response.abort();
    await expect.poll(() => pools.size()).toBe(0);
  });

  it('fails the calls it still has when everything is closed', async () => {
    const server = await start(() => {});
    const outbound = createOutbound({ rules: noRules });
    const sent = outbound.upstream.send(get(server.url));
    sent.catch(() => {});
    await expect.poll(() => server.received.length).toBe(1);
    await outbound.close();
    await expect(sent).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('small call', () => {
  it('returns the parsed body, whatever the status', async () => {
    const server = await start((socket) => {
      socket.write('HTTP/1.1 401 No\r\ncontent-length: 13\r\n\r\n{"error":"x"}');
    });
    const response = await open().fetchJson(`${server.url}/a`, {
      profile: 'operatorPrivate',
      headers: { authorization: 'k' },
    });
    expect(response).toMatchObject({ status: 401, body: { error: 'x' } });
    expect(server.received[0]).toContain('accept: application/json');
    expect(server.received[0]).toContain('authorization: k');
  });

  it('has no body when it is not JSON', async () => {
    const server = await start((socket) => socket.write(httpResponse('<html>')));
    expect((await open().fetchJson(server.url, { profile: 'operatorPrivate' })).body).toBeUndefined();
  });

  it('does not follow a redirect to the inside', async () => {
    const server = await start((socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:22/\r\ncontent-length: 0\r\n\r\n');
    });
    expect((await open().fetchBytes(server.url, { profile: 'operatorPrivate' })).status).toBe(302);
  });

  it('is refused for a user address inside, in one way for every kind of inside', async () => {
    const { fetchBytes } = open();
    for (const url of [
      'http://127.0.0.1/a.png',
      'http://inside.test/',
      'http://example.com:22/',
      'file:///etc/passwd',
      'x',
    ]) {
      await expect(fetchBytes(url, { profile: 'user' }), url).rejects.toMatchObject({
        code: 'outbound.refused',
        status: 400,
      });
    }
  });

  it('ends when the response is endless, too large or never comes', async () => {
    const endless = await start(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      while (!socket.destroyed) {
        socket.write('x'.repeat(10));
        await wait(20);
      }
    });
    const large = await start((socket) => socket.write(httpResponse('x'.repeat(1_000_000))));
    const silent = await start(() => {});
    const { fetchBytes } = open();
    const options = { profile: 'operatorPrivate' as const, timeoutMs: 400, maxBytes: 5_000 };
    for (const server of [endless, large, silent]) {
      const failure = { code: 'outbound.unreachable', status: 502 };
      await expect(fetchBytes(server.url, options)).rejects.toMatchObject(failure);
      await expect.poll(() => server.openCount()).toBe(0);
    }
  });
});
