import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

async function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const response = await sendRaw(gateway.url, { method, path, headers: { 'accept-language': 'en', ...headers } });
  return { ...response, body: JSON.parse(response.text) };
}

describe('an unknown path', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['DELETE', '/api/user/self/nothing/'],
    ['POST', '/api/status'],
  ])('under /api returns the envelope and what OpenAI clients read: %s %s', async (method, path) => {
    const { status, body } = await ask(`${path}?key=sk-secret`, { method });
    expect(status).toBe(404);
    const error = { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' };
    expect(body).toEqual({ success: false, message: `The route ${method} ${path} does not exist.`, error });
  });

  it('is named in Chinese to Chinese readers', async () => {
    expect((await ask('/api/nothing', { 'accept-language': 'zh' })).body.message).toContain('接口不存在');
  });

  it.each(['/v1/nothing', '/v1/chat/nothing', '/dashboard/nothing', '/pg/nothing'])(
    'on the relay responds as OpenAI does: %s',
    async (path) => {
      const { status, headers, body } = await ask(path, { authorization: `Bearer ${gateway.key}` });
      expect(status).toBe(404);
      const message = `Invalid URL (GET ${path}) (request id: ${headers['x-request-id']})`;
      const error = { message, type: 'invalid_request_error', param: '', code: '' };
      expect(body).toEqual({ error });
    },
  );

  it.each([
    ['/v1/messages/nothing', {}],
    ['/v1/nothing', { 'anthropic-version': '2023-06-01' }],
  ])('on the relay responds to an Anthropic client in its own format: %s', async (path, headers) => {
    const { status, body } = await ask(path, { method: 'PUT', ...headers });
    const error = { type: 'not_found_error', message: `Invalid URL (PUT ${path})` };
    expect([status, body]).toEqual([404, { type: 'error', error, request_id: expect.any(String) }]);
  });

  it('on the relay responds to a Gemini client in its own format', async () => {
    const { status, body } = await ask('/v1beta/nothing');
    const error = { code: 404, message: 'Invalid URL (GET /v1beta/nothing)', status: 'NOT_FOUND' };
    expect([status, body]).toEqual([404, { error }]);
  });

  it.each(['/api/', '/v1/'])('B39 is shown cut and without signs that mean something elsewhere: %s', async (start) => {
    const path = `${start}%1b[2J<script>alert("x")</script>${'a'.repeat(1000)}`;
    const { status, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).not.toMatch(/[<>[\]]|alert\(/);
    expect(text.length).toBeLessThan(800);
  });
});
