import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const path = '/api/user/login';
const json = { 'content-type': 'application/json' };

describe('a console body', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) => {
    const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
    const reply = (await response.json()) as { success: boolean; message: string };
    expect(reply.success).toBe(false);
    expect(reply.message).not.toBe('');
    return response.status;
  };
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([
    ['B1 empty', '', 400],
    ['not JSON', '{"username":', 400],
    ['B61 with __proto__', '{"__proto__":{"role":100},"username":"a","password":"b"}', 400],
    ['B61 with __proto__ in escapes', '{"\\u005f_proto__":{"role":100}}', 400],
    ['B61 with constructor.prototype', '{"constructor":{"prototype":{"role":100}}}', 400],
    ['B62 twenty-one levels deep', nested(21), 400],
    ['B62 a thousand levels deep', nested(1000), 400],
    ['B64 with half a surrogate pair', '{"username":"\\ud800","password":"x"}', 400],
    ['with NUL', '{"username":"a\\u0000b","password":"x"}', 400],
    ['B2 null', 'null', 200],
    ['B2 a list', '[]', 200],
    ['B2 a text', '"x"', 200],
    ['B2 a number', '1', 200],
    ['B3 a name that is an object', '{"username":{"a":1},"password":"x"}', 200],
    ['B5 of a megabyte', JSON.stringify({ username: 'root', password: 'x'.repeat(1 << 20) }), 413],
  ])('%s gets a clear error', async (_name, body, status) => {
    expect(await post(body)).toBe(status);
  });

  it('B1 of no bytes is asked for where a route needs one, and is fine where it needs none', async () => {
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    const call = async (method: string, place: string, headers: Record<string, string>) => {
      const caller = { cookie: root.cookie, 'new-api-user': String(root.userId), 'accept-language': 'en' };
      const response = await fetch(`${gateway.url}${place}`, { method, headers: { ...caller, ...headers } });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    // Scripts name the type of the body on every call.
    for (const headers of [json, {}]) {
      expect(await call('DELETE', '/api/channel/disabled', headers)).toEqual([200, '']);
      expect(await call('POST', '/api/channel/fix', headers)).toEqual([200, '']);
      expect(await call('POST', '/api/channel/', headers)).toEqual([400, expect.stringContaining('body is empty')]);
    }
  });

  it('B64 that is not UTF-8 is refused', async () => {
    expect(await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(400);
    const utf16 = new Uint8Array(Buffer.from('{"username":"a"}', 'utf16le'));
    expect(await post(utf16)).toBe(400);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json\tx', ''])(
    'B63 of the type "%s" is refused',
    async (type) => {
      expect(await post('{"username":"root","password":"x"}', { 'content-type': type })).toBe(415);
    },
  );

  it('B62 of two hundred thousand keys is refused before anything is made of it', async () => {
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    // Options may be large, so this one is not turned away by its size.
    const body = `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`)}}`;
    expect(body.length).toBeLessThan(1 << 20);
    expect((await root.put('/api/option/', body)).status).toBe(400);
    expect((await root.put('/api/option/', nested(100_000))).status).toBe(400);
  });

  it('does not excuse a query: each name once (B59), none too long (B22), strange ones ignored (B60)', async () => {
    const get = async (query: string) => (await fetch(`${gateway.url}/api/status${query}`)).status;
    expect(await get('?a=1&a=2')).toBe(400);
    expect(await get(`?code=${'x'.repeat(5000)}`)).toBe(414);
    expect(await get('?a[b]=1&__proto__[x]=1&constructor=2')).toBe(200);
  });

  it('leaves prototypes alone', () => {
    expect(({} as { role?: number }).role).toBeUndefined();
  });
});
