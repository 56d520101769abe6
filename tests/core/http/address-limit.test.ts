import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../support/console-client.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';

let gateway: TestGateway;
afterEach(() => gateway.stop());

const defaultCriticalCalls = 20;

function limited(calls: number, seconds: number, environment: Record<string, string> = {}): Promise<TestGateway> {
  const limit = {
    GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
    GLOBAL_API_RATE_LIMIT: String(calls),
    GLOBAL_API_RATE_LIMIT_DURATION: String(seconds),
  };
  return startGateway('sqlite', { ...limit, ...environment }, { criticalCalls: defaultCriticalCalls });
}

/** Statuses of so many calls one after the other. */
async function statuses(path: string, count: number, headers: (index: number) => Record<string, string> = () => ({})) {
  const seen: number[] = [];
  for (let call = 0; call < count; call += 1) {
    seen.push((await fetch(`${gateway.url}${path}`, { headers: headers(call) })).status);
  }
  return seen;
}

function tryToSignIn(headers: Record<string, string> = {}): Promise<Response> {
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(`${gateway.url}/api/user/login`, { method: 'POST', headers: all, body: '{}' });
}

describe('the calls of one address', () => {
  it('are limited under /api and on the balance routes together, and nowhere else', async () => {
    gateway = await limited(5, 180);
    const key = { authorization: `Bearer ${gateway.key}` };
    expect(await statuses('/api/status', 3)).toEqual([200, 200, 200]);
    expect(await statuses('/dashboard/billing/usage', 3, () => key)).toEqual([200, 200, 429]);

    const refused = await fetch(`${gateway.url}/api/status`, { headers: { 'accept-language': 'en' } });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(150);
    expect(seconds).toBeLessThanOrEqual(180);
    const message = `Too many requests from your address. Retry in ${seconds} s.`;
    expect(await refused.json()).toEqual({ success: false, message });

    const balance = await fetch(`${gateway.url}/v1/dashboard/billing/subscription`, { headers: key });
    expect(balance.status).toBe(429);
    expect(balance.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await balance.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });

    for (const method of ['GET', 'HEAD'])
      expect((await fetch(`${gateway.url}/api/user/self`, { method })).status).toBe(429);
    expect(await statuses('/healthz', 10)).toEqual(Array(10).fill(200));
    expect(await statuses('/v1/models', 10, () => key)).toEqual(Array(10).fill(200));
    expect((await gateway.chat()).status).toBe(200);
  });

  it('may go on when the window has passed, however often it was tried meanwhile', async () => {
    gateway = await limited(3, 5);
    expect(await statuses('/api/status', 3)).toEqual([200, 200, 200]);
    const taken = Date.now();
    while (Date.now() < taken + 1500) {
      expect(await statuses('/api/status', 1)).toEqual([429]);
      await wait(50);
    }
    await wait(taken + 5200 - Date.now());
    expect(await statuses('/api/status', 3)).toEqual([200, 200, 200]);
  });

  it('B11, S8 get 20 tries at signing in and the like in 20 minutes, in one bucket; the rest of the console goes on', async () => {
    gateway = await limited(100_000, 180);
    const console = createConsoleClient(gateway.url);
    await console.data(console.signIn('alice', 'correct horse battery'));
    for (let call = 1; call < defaultCriticalCalls; call += 1) expect((await tryToSignIn()).status).toBe(200);
    let refused = 0;
    for (let round = 0; round < 40; round += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => tryToSignIn()));
      for (const response of responses) {
        await response.arrayBuffer();
        if (response.status === 429 && Number(response.headers.get('retry-after')) > 1000) refused += 1;
      }
    }
    expect(refused).toBe(2000);
    const right = await console.signIn('alice', 'correct horse battery');
    expect(right).toMatchObject({ status: 429, success: false });
    expect((await console.get('/api/user/self')).status).toBe(200);
    expect((await console.get('/api/user/logout')).status).toBe(200);
  });

  it('B12, S9 are the same bucket whatever address a client says it has', async () => {
    gateway = await limited(3, 180);
    const forged = (call: number) => ({
      'x-forwarded-for': `198.51.100.${call}`,
      'x-real-ip': `198.51.100.${call}`,
      'cf-connecting-ip': `198.51.100.${call}`,
      forwarded: `for=198.51.100.${call}`,
    });
    expect(await statuses('/api/status', 5, forged)).toEqual([200, 200, 200, 429, 429]);
  });

  it('B12, S9 are told apart behind a trusted proxy, by what that proxy wrote', async () => {
    gateway = await limited(2, 180, { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    const from = (address: string) => () => ({ 'x-forwarded-for': address });
    expect(await statuses('/api/status', 3, from('192.0.2.1'))).toEqual([200, 200, 429]);
    expect(await statuses('/api/status', 1, from('192.0.2.1, 10.0.0.7'))).toEqual([429]);
    // What the client itself sent stands to the left.
    const rotating = (call: number) => ({ 'x-forwarded-for': `203.0.113.${call}, 192.0.2.2` });
    expect(await statuses('/api/status', 4, rotating)).toEqual([200, 200, 429, 429]);
    // A port is no other client.
    const ports = (call: number) => ({ 'x-forwarded-for': `192.0.2.3:${5000 + call}` });
    expect(await statuses('/api/status', 4, ports)).toEqual([200, 200, 429, 429]);
    const network = (call: number) => ({
      'x-forwarded-for': call % 2 ? `2001:db8::${call}` : `[2001:db8::${call}]:80`,
    });
    expect(await statuses('/api/status', 4, network)).toEqual([200, 200, 429, 429]);
    expect(await statuses('/api/status', 1, from('2001:db8:0:1::1'))).toEqual([200]);
  });

  it('of users who are signed in are counted for each of them, by a larger figure, whatever strangers do at their address', async () => {
    gateway = await limited(5, 180);
    const alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', 'correct horse battery'));
    expect((await alice.get('/api/user/self')).status).toBe(200);
    expect((await statuses('/api/status', 5)).at(-1)).toBe(429);
    // Twenty times as many, of routes for users and for all together.
    const seen: number[] = [];
    for (let call = 0; call < 51; call += 1) {
      seen.push((await alice.get('/api/user/self')).status, (await alice.get('/api/status')).status);
    }
    expect(seen.indexOf(429)).toBe(100);
    expect(seen.slice(100)).toEqual([429, 429]);
    expect((await alice.get('/api/status')).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('are not lifted by a made-up or an expired cookie', async () => {
    gateway = await limited(8, 180);
    const madeUp = (call: number) => ({ cookie: `session=${String(call).padEnd(43, 'x')}`, 'new-api-user': '1' });
    expect(await statuses('/api/user/self', 4, madeUp)).toEqual([401, 401, 401, 401]);
    const alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', 'correct horse battery'));
    expect((await alice.get('/api/user/self')).status).toBe(200);
    const { cookie } = alice;
    expect((await alice.get('/api/user/logout')).status).toBe(200);
    const old = () => ({ cookie, 'new-api-user': String(alice.userId) });
    expect(await statuses('/api/user/self', 3, old)).toEqual([401, 401, 429]);
  });

  it('a person who opens a page too often gets a page that says so and opens again by itself', async () => {
    gateway = await limited(1, 180, { GLOBAL_WEB_RATE_LIMIT: '1' });
    const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'accept-language': 'en' };
    expect(await statuses('/api/status', 1)).toEqual([200]);
    for (const path of ['/', '/channel', '/api/status']) {
      const response = await sendRaw(gateway.url, { method: 'GET', path, headers: navigation });
      if (response.status === 200 || response.status === 404) continue;
      expect(response.status).toBe(429);
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
      const seconds = response.headers['retry-after'];
      expect(seconds).toMatch(/^\d+$/);
      expect(response.text).toContain('Too many requests');
      expect(response.text).toContain(`content="${seconds}"`);
    }
    const program = await fetch(`${gateway.url}/api/status`, { headers: { accept: 'application/json' } });
    expect(program.status).toBe(429);
    expect(program.headers.get('content-type')).toContain('application/json');
  });

  it('a day of work fits the limits that are shipped: two live lists, a test of 150 channels, 60 page loads', async () => {
    gateway = await startGateway('sqlite', { GLOBAL_API_RATE_LIMIT_ENABLE: 'true' });
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    // What the pages ask for in three minutes: two lists a tab and five seconds; the run's progress and its list each second;
    // eight calls for each page.
    const calls = 2 * 2 * 36 + 2 * 180 + 60 * 8;
    const seen = new Set<number>();
    for (let call = 0; call < calls; call += 1) seen.add((await root.get('/api/user/self')).status);
    expect(seen).toEqual(new Set([200]));
  });

  it('are not limited when that is switched off, but signing in is', async () => {
    gateway = await startGateway('sqlite', { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }, { criticalCalls: 2 });
    expect(new Set(await statuses('/api/status', 300))).toEqual(new Set([200]));
    expect([(await tryToSignIn()).status, (await tryToSignIn()).status, (await tryToSignIn()).status]).toEqual([
      200, 200, 429,
    ]);
  });
});
