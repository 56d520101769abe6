import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeRealtime, startFakeRealtime } from '../support/fake-realtime.ts';
import { has, type ProxyServer, startCaddy, startHaproxy, startNginx } from '../support/proxy-server.ts';
import { openRealtime } from '../support/realtime-client.ts';
import { readSse } from '../support/sse.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { fixture } from '../support/upstream-script.ts';

const realtimeModel = 'gpt-4o-realtime-preview';
const proxies = [
  ['nginx', startNginx],
  ['caddy', startCaddy],
  ['haproxy', startHaproxy],
] as const;

describe.each(proxies)('Tollgate behind %s with our sample', (program, start) => {
  if (!has(program)) return it.skip(`needs ${program} on this machine`);
  let gateway: TestGateway;
  let realtime: FakeRealtime;
  let proxy: ProxyServer;
  beforeAll(async () => {
    gateway = await startGateway('sqlite', { TRUSTED_PROXIES: '127.0.0.1' });
    realtime = await startFakeRealtime();
    await gateway.addChannel({ name: 'realtime', models: realtimeModel, base_url: realtime.url });
    proxy = await start([gateway.url]);
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(async () => {
    await proxy?.stop();
    await gateway?.stop();
    await realtime?.close();
  });

  const chat = (body: object, init: RequestInit = {}) =>
    fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], ...body }),
      ...init,
    });

  /** An upstream that falls silent after its first words. */
  async function beginStream(): Promise<{ first: string; leave(): void }> {
    const whole = fixture('openai/chat.sse');
    const [head, second] = whole.pieces ?? [];
    gateway.upstream.respond({ ...whole, end: { after: (head?.length ?? 0) + (second?.length ?? 0), how: 'stall' } });
    const leaving = new AbortController();
    const response = await chat({ stream: true }, { signal: leaving.signal });
    const events = readSse(response)[Symbol.asyncIterator]();
    const { value } = await events.next();
    return { first: value?.data ?? '', leave: () => leaving.abort() };
  }

  it('sends the first words of a stream on while the upstream has not said more', async () => {
    const { first, leave } = await beginStream();
    expect(JSON.parse(first)).toHaveProperty('choices');
    leave();
  });

  it('ends the call at the upstream when the client leaves', async () => {
    const { leave } = await beginStream();
    const [call] = gateway.upstream.requests;
    leave();
    await call?.closed;
    expect(call?.aborted).toBe(true);
    // Not because the gateway gave up a silent upstream: it heard that the client left.
    const figures = async () => (await fetch(`${gateway.url}/metrics`)).text();
    await expect.poll(figures).toMatch(/^tollgate_relay_requests_total\{.*outcome="(clientGone|broken)".*$/m);
    expect(await figures()).not.toMatch(/^tollgate_relay_requests_total\{.*outcome="broken"/m);
  });

  it('takes a body larger than the usual limits of proxies', async () => {
    const content = 'x'.repeat(3_000_000);
    expect((await chat({ messages: [{ role: 'user', content }] })).status).toBe(200);
  });

  it('passes WebSockets of the Realtime API through', async () => {
    const client = await openRealtime(proxy.url, { key: gateway.key, model: realtimeModel });
    await client.next('session.created');
    client.socket.close();
    await client.closed;
  });

  it('shows the client’s address, which the client cannot invent', async () => {
    const key = await gateway.addToken(gateway.userId, { allow_ips: '127.0.0.2' });
    const callFrom = (localAddress: string, forwarded?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${key}`,
          ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
        };
        const call = request(`${proxy.url}/v1/models`, { localAddress, headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        call.on('error', reject);
        call.end();
      });
    expect(await callFrom('127.0.0.2')).toBe(200);
    expect(await callFrom('127.0.0.3')).toBe(403);
    expect(await callFrom('127.0.0.3', '127.0.0.2')).toBe(403);
  });

  it('keeps the metrics for Prometheus', async () => {
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });

  it('uses another node when one cannot be reached', async () => {
    const several = await start(['http://127.0.0.1:1', gateway.url]);
    for (let call = 0; call < 4; call++) expect((await fetch(`${several.url}/readyz`)).status).toBe(200);
    await several.stop();
  });

  it('S13 leaves no key of a Gemini client in its log', async () => {
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] });
    const path = `/v1beta/models/gpt-4o-mini:generateContent?key=${gateway.key}`;
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${proxy.url}${path}`, { method: 'POST', headers, body })).status).toBe(200);
    if (program !== 'caddy') await expect.poll(() => proxy.log()).toContain('generateContent');
    expect(proxy.log()).not.toContain(gateway.key);
  });

  it('S13 leaves no key in its log when the node is gone, and says in the words of the API when to retry', async () => {
    const other = await startGateway('sqlite', {});
    const cutOff = await start([other.url]);
    const key = other.key;
    await other.stop();
    const calls = [
      fetch(`${cutOff.url}/v1beta/models?key=${key}`),
      fetch(`${cutOff.url}/v1/models`, { headers: { 'x-api-key': key, 'x-goog-api-key': key } }),
    ];
    for (const response of await Promise.all(calls)) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await response.json()).toMatchObject({ error: { type: 'server_error', code: 'gateway_unavailable' } });
    }
    // Caddy writes nothing of what our sample responds itself.
    if (program !== 'caddy') await expect.poll(cutOff.log).toContain('/v1beta/models');
    expect(cutOff.log()).not.toContain(key);
    await cutOff.stop();
  }, 60_000);
});
