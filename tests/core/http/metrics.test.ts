import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

describe('the figures for Prometheus', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway('sqlite', { METRICS_TOKEN: 'right-token', TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => gateway.stop());

  const read = (headers: Record<string, string> = {}) =>
    sendRaw(gateway.url, { method: 'GET', path: '/metrics', headers });
  /** Samples whose name and labels contain all of these words, added up. */
  async function sum(name: string, ...words: string[]): Promise<number> {
    const { text } = await read();
    const lines = text.split('\n').filter((line) => new RegExp(`^tollgate_${name}[ {]`).test(line));
    return lines
      .filter((line) => words.every((word) => line.includes(word)))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
  }

  it('S19 are for this machine, or for callers with the token, through any proxy', async () => {
    expect(await read()).toMatchObject({ status: 200 });
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      expect((await read({ [name]: '127.0.0.1' })).status, name).toBe(401);
    }
    const proxied = { 'x-forwarded-for': '127.0.0.1' };
    for (const authorization of ['Bearer wrong-token', 'Bearer ', 'right-token', `Bearer ${gateway.key}`]) {
      const { status, text } = await read({ ...proxied, authorization });
      expect(status, authorization).toBe(401);
      expect(text).not.toContain('right-token');
    }
    const allowed = await read({ ...proxied, authorization: 'Bearer right-token' });
    expect(allowed.status).toBe(200);
    expect(allowed.headers['content-type']).toContain('text/plain; version=0.0.4');
  });

  it('S19 are not for a page whose own name suddenly means this machine', async () => {
    for (const host of ['evil.example', 'evil.example:21100', '127.0.0.1.evil.example', 'localhost@evil.example'])
      expect((await read({ host })).status, host).toBe(401);
    for (const host of ['127.0.0.1', 'localhost:21100', '[::1]:21100', 'gateway-host:21100'])
      expect((await read({ host })).status, host).toBe(200);
    expect((await read({ host: 'evil.example', authorization: 'Bearer right-token' })).status).toBe(200);
  });

  it('count calls, tokens and quota by model, protocol and outcome', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    expect((await gateway.chat()).status).toBe(200);
    expect(
      await sum('relay_requests_total', 'model="gpt-4o-mini"', 'channel_type="openai"', 'outcome="complete"'),
    ).toBe(1);
    expect(await sum('relay_quota_total', 'model="gpt-4o-mini"')).toBe(
      before - (await gateway.quotaOf(gateway.userId)),
    );
    const [row] = await gateway.logs();
    expect(await sum('relay_tokens_total', 'direction="prompt"')).toBe(row?.prompt_tokens);
    expect(await sum('relay_tokens_total', 'direction="completion"')).toBe(row?.completion_tokens);
    expect(await sum('relay_duration_seconds_count')).toBe(1);
    expect(await sum('relay_in_flight')).toBe(0);
    expect(await sum('channel_enabled', 'channel="1"')).toBe(1);
    expect(await sum('build_info')).toBe(1);
  });

  it('count what failed, and tries on channels by their reason', async () => {
    gateway.upstream.always({ status: 500 });
    const failed = await gateway.chat();
    expect(failed.status).toBeGreaterThanOrEqual(500);
    gateway.upstream.reset();
    expect(await sum('relay_requests_total', 'outcome="upstream"', 'model="gpt-4o-mini"')).toBe(1);
    expect(await sum('relay_attempts_total', 'reason="retry"')).toBeGreaterThanOrEqual(1);
    expect(await sum('relay_attempts_total', 'reason="ok"')).toBe(1);
  });

  it('S13 contain no name that a caller made up, no user, key or path', async () => {
    await gateway.addChannel({ name: 'free text of an admin', models: 'gpt-4-gizmo-*' });
    for (const model of ['secret-model-1', 'secret-model-2', 'gpt-4-gizmo-secret-3']) await gateway.chat({ model });
    await gateway.call('/v1/chat/completions', '{}', { key: 'sk-secret-4' });
    await fetch(`${gateway.url}/api/secret-5?secret=6`);
    const { text } = await read();
    expect(text).not.toMatch(/secret|alice|free text|sk-/);
    expect(await sum('relay_requests_total', 'model="other"')).toBeGreaterThanOrEqual(2);
    expect(await sum('http_requests_total', 'route="none"', 'status="404"')).toBe(1);
  });
});
