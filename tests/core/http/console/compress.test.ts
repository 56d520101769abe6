import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

let gateway: TestGateway;
let session: Record<string, string>;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('About', 'All about this gateway. '.repeat(200));
  const root = createConsoleClient(gateway.url);
  await root.signIn('root', 'correct horse battery');
  session = { cookie: root.cookie, 'new-api-user': String(root.userId) };
});
afterAll(() => gateway.stop());

interface Bytes {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** The response as it crosses the line: `fetch` would unpack it. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: unknown): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const call = request(`${gateway.url}${path}`, { method, agent: false, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const received = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: received, bytes: Buffer.concat(parts) });
      });
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const gzip = { 'accept-encoding': 'gzip, deflate, br' };

describe('a response of the console', () => {
  it('comes packed to a client that takes gzip, and says what it depends on', async () => {
    const plain = await ask('/api/about');
    const packed = await ask('/api/about', gzip);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
    for (const { headers, bytes } of [plain, packed]) {
      expect(headers.get('vary')).toBe('accept-encoding');
      expect(headers.get('content-length')).toBe(String(bytes.length));
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each([
    ['GZIP', true],
    ['br;q=1.0, gzip;q=0.8', true],
    ['*', true],
    ['gzip;q=0, *', false],
    ['br', false],
    ['identity', false],
    ['', false],
  ])('to a client that accepts "%s" comes packed: %s', async (accepted, isPacked) => {
    const { headers } = await ask('/api/about', { 'accept-encoding': accepted });
    expect(headers.get('content-encoding') === 'gzip').toBe(isPacked);
  });

  it('is left alone when it is short', async () => {
    const { headers, bytes } = await ask('/api/notice', gzip);
    expect(headers.get('content-encoding')).toBeNull();
    expect(bytes.length).toBeLessThan(1024);
  });

  it('has the same head for HEAD as for GET', async () => {
    const [get, head] = [await ask('/api/about', gzip), await ask('/api/about', gzip, 'HEAD')];
    expect(head.bytes.length).toBe(0);
    expect(head.headers.get('content-encoding')).toBe('gzip');
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it('is packed piece by piece when it is an export', async () => {
    const [plain, packed] = [
      await ask('/api/log/export', session),
      await ask('/api/log/export', { ...session, ...gzip }),
    ];
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString());
    expect(plain.bytes.toString()).toContain('alice');
  });

  it('is never packed when it shows whole keys or codes', async () => {
    const key = { ...session, ...gzip, 'content-type': 'application/json' };
    for (let at = 0; at < 10; at += 1) await ask('/api/token/', key, 'POST', tokenNamed(`key ${at}`));
    const made = await ask('/api/redemption/', key, 'POST', { name: 'code', count: 40, quota: 500_000 });
    const lists = [made, await ask('/api/token/?size=10', key), await ask('/api/token/search?keyword=key', key)];
    lists.push(await ask('/api/redemption/?page_size=100', key));
    for (const { status, headers, bytes } of lists) {
      expect(status).toBe(200);
      expect(bytes.length).toBeGreaterThan(1024);
      expect(headers.get('content-encoding')).toBeNull();
    }
  });

  it('says of every route that shows one secret that it is never packed', () => {
    const plain = gateway.gateway.routes.filter((route) => 'handle' in route && route.showsSecret);
    expect(plain.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /api/channel/:id/key',
        'POST /api/token/:id/key',
        'GET /api/token/:id',
        'GET /api/user/token',
        'POST /api/user/token',
        'POST /api/user/reset',
      ]),
    );
  });
});

describe('a response of the relay', () => {
  it('is never packed', async () => {
    const models = Array.from({ length: 40 }, (_, at) => `model-${at}`).join(',');
    await gateway.app.services.options.set(systemActor, 'SelfUseModeEnabled', 'true');
    await gateway.addChannel({ name: 'many', models });
    const { headers, bytes } = await ask('/v1/models', { ...gzip, authorization: `Bearer ${gateway.key}` });
    expect(bytes.length).toBeGreaterThan(1024);
    expect(headers.get('content-encoding')).toBeNull();
  });
});

const tokenNamed = (name: string) => ({ name, remain_quota: 0, unlimited_quota: true, expired_time: -1 });
