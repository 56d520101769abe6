import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openRaw } from '../../relay/raw-client.ts';
import { expectCharged } from '../../relay/relay-checks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
});
afterAll(() => gateway.stop());

const gets = [
  '/v1/models',
  '/v1/models/gpt-4o-mini',
  '/v1beta/models',
  '/v1/videos',
  '/v1/dashboard/billing/subscription',
  '/dashboard/billing/usage',
];

async function ask(line: string, more: string[] = [], body = ''): Promise<string> {
  const raw = await openRaw(gateway.url);
  const lines = ['host: x', `authorization: Bearer ${gateway.key}`, 'connection: close', ...more];
  raw.socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  await raw.closed;
  return raw.text();
}
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1]);

describe('the head of a keyed response', () => {
  it.each(gets)('is given alone, as it is with a body: %s', async (path) => {
    const [get, head] = [await ask(`GET ${path}`), await ask(`HEAD ${path}`)];
    expect([statusOf(get), statusOf(head)]).toEqual([200, 200]);
    const [heads, body] = head.split('\r\n\r\n');
    expect(body).toBe('');
    const names = (text = '') => [...text.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
    expect(names(heads)).toEqual(names(get.split('\r\n\r\n')[0]));
  });

  it('needs the key, too', async () => {
    const { status } = await fetch(`${gateway.url}/v1/models`, { method: 'HEAD' });
    expect(status).toBe(401);
  });
});

describe('a request that names the whole address', () => {
  const host = 'http://gate.example.com:3000';
  it.each([...gets, '/v1beta/models?key=', '/api/status', '/healthz'])(
    'is served as one that names the path: %s',
    async (path) => {
      const query = path.endsWith('key=') ? gateway.key : '';
      const [plain, whole] = [await ask(`GET ${path}${query}`), await ask(`GET ${host}${path}${query}`)];
      expect([statusOf(plain), statusOf(whole)]).toEqual([200, 200]);
      expect(whole).not.toContain('gate.example.com');
    },
  );

  it('is served on the relay, and charged', async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const more = ['content-type: application/json', `content-length: ${body.length}`];
    expect(statusOf(await ask(`POST ${host}/v1/chat/completions`, more, body))).toBe(200);
    await expectCharged(gateway, { prompt: 20 });
  });

  it.each([
    ['GET http://x/v1/nothing', 404],
    ['GET ftp://x/v1/models', 404],
    ['GET *', 404],
    ['OPTIONS *', 404],
  ])('%s gets %d', async (line, status) => {
    expect(statusOf(await ask(line))).toBe(status);
  });

  it.each(['HTTP://x', 'http://x?x=1'])('of the first page is %s', async (whole) => {
    expect(statusOf(await ask(`GET ${whole}`))).toBe(statusOf(await ask('GET /')));
  });

  it('may be asked about by a page', async () => {
    const more = ['origin: https://a.example', 'access-control-request-method: GET'];
    const text = await ask(`OPTIONS ${host}/v1/models`, more);
    expect(statusOf(text)).toBe(204);
    expect(text).toContain('access-control-allow-origin: *');
  });
});
