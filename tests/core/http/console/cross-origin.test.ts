import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const page = { origin: 'https://chat.example.com' };
const preflight = {
  ...page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-stainless-os',
};

describe('a page of another origin', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const ask = (path: string, headers: Record<string, string> = preflight, method = 'OPTIONS') =>
    fetch(`${gateway.url}${path}`, { method, headers });

  it.each([
    '/v1/chat/completions',
    '/v1/models/gpt-4o',
    '/dashboard/billing/usage',
    '/v1/dashboard/billing/subscription',
    '/v2/rerank',
    '/rerank',
    '/suno/submit/MUSIC',
    '/mj/submit/imagine',
    '/mj-fast/mj/task/1/fetch',
    '/api/log/token?key=x',
  ])('may send its key to %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
  });

  it('reads responses, errors too', async () => {
    for (const key of [gateway.key, 'sk-wrong']) {
      const response = await gateway.chat({}, { key, headers: page });
      await response.text();
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id');
    }
    const missing = await ask('/v1/nothing/here', page, 'GET');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('reads what is left of its limits, as both SDKs name it', async () => {
    const { limits } = gateway.app.services;
    const subject = String(gateway.userId);
    for (const measure of ['requests', 'tokens', 'input_tokens', 'output_tokens'])
      await limits.create(
        systemActor,
        limitCreateSchema.parse({ subject_kind: 'user', subject, measure, amount: 90_000 }),
      );
    await gateway.gateway.refresh();
    const headers = { ...page, authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
    for (const [path, count] of [
      ['/v1/chat/completions', 6],
      ['/v1/messages', 12],
    ] as const) {
      const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
      await response.text();
      const shown = [...response.headers.keys()].filter((name) => name.includes('-ratelimit-'));
      expect(shown).toHaveLength(count);
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(shown));
    }
  });

  it('reads what a rerank, a song and a drawing say', async () => {
    for (const path of ['/v2/rerank', '/rerank', '/suno/fetch', '/mj/submit/imagine', '/mj-fast/mj/submit/imagine']) {
      const response = await gateway.call(path, {}, { headers: page });
      await response.text();
      expect(response.status, path).toBeLessThan(500);
      expect(response.headers.get('access-control-allow-origin'), path).toBe('*');
    }
  });

  it.each(['/api/user/self', '/api/status', '/pg/chat/completions', '/api/log/self', '/api/mj/self', '/'])(
    'gets no leave for %s, where a session counts',
    async (path) => {
      expect((await ask(path)).headers.get('access-control-allow-origin')).toBeNull();
      expect((await ask(path, page, 'GET')).headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('cannot write headers of its own into the response', async () => {
    const response = await ask('/v1/models', { ...preflight, 'access-control-request-headers': 'x; y="<script>"' });
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
  });

  it('shares one look-up when many calls begin with one key at once', async () => {
    const key = await gateway.addToken(gateway.userId, { name: 'burst' });
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => ask('/v1/models', { authorization: `Bearer ${key}` }, 'GET')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await Promise.all(responses.map((response) => response.text()));
  });
});
