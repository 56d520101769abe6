import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite', { RELAY_BODY_LIMIT: '1' });
});
afterAll(() => gateway.stop());

const manyHeaders = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1']));
const longBody = JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) });
const json = { 'content-type': 'application/json' };

const cases: [what: string, status: number, call: (path: string) => RawRequest][] = [
  ['an unknown path', 404, (path) => ({ method: 'POST', path: `${path}/nothing` })],
  ['an unknown path that a browser opens', 404, (path) => ({ ...page, path: `${path}/nothing` })],
  ['a path that cannot be decoded', 404, (path) => ({ method: 'GET', path: `${path}/%zz` })],
  ['NUL in the address', 400, (path) => ({ method: 'GET', path: `${path}/fetch/%00` })],
  ['NUL in an unknown address', 400, (path) => ({ method: 'GET', path: `${path}/no%00thing` })],
  ['too many headers', 431, (path) => ({ method: 'GET', path: `${path}/fetch`, headers: manyHeaders })],
  ['an address that is too long', 414, (path) => ({ method: 'GET', path: `${path}/${'a'.repeat(9000)}` })],
  ['a body that is too large', 413, (path) => ({ method: 'POST', path, headers: json, body: longBody })],
  ['a call without a key', 401, (path) => ({ method: 'POST', path, headers: json, body: '{}' })],
];
const page = { method: 'GET', headers: { accept: 'text/html' } };

async function ask({ headers, ...call }: RawRequest, isKeyed: boolean) {
  const key: Record<string, string> = isKeyed ? { authorization: `Bearer ${gateway.key}` } : {};
  const response = await sendRaw(gateway.url, {
    ...call,
    headers: { host: 'x', 'accept-language': 'en', ...key, ...headers },
  });
  return { status: response.status, body: JSON.parse(response.text) as unknown };
}

describe.each(cases)('%s', (what, status, call) => {
  const isKeyed = what !== 'a call without a key';
  /** The two that are judged by the handler need a path that has one. */
  const isServed = status === 413 || status === 401;

  it('below /suno gets an error as from a Suno server', async () => {
    const path = isServed ? '/suno/submit/music' : '/suno';
    expect(await ask(call(path), isKeyed)).toEqual({
      status,
      body: { code: expect.any(String), message: expect.stringMatching(/\(request id: .+\)$/), data: null },
    });
  });

  it.each(['/mj', '/mj-fast/mj'])('below %s gets an error as from midjourney-proxy', async (prefix) => {
    const path = isServed ? `${prefix}/submit/imagine` : prefix;
    expect(await ask(call(path), isKeyed)).toEqual({
      status,
      body: { code: 4, description: expect.stringMatching(/\(request id: .+\)$/), type: 'new_api_error' },
    });
  });
});

it('the console’s own list of drawings keeps the envelope', async () => {
  const { body } = await ask({ method: 'GET', path: '/api/mj/nothing' }, false);
  expect(body).toMatchObject({ success: false, message: expect.stringContaining('/api/mj/nothing') });
});
