import { rmSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../dashboard/support/build-dashboard.ts';
import { sendRaw } from '../../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const probes = ['assets/probe.woff2', 'probe.webmanifest', 'probe.png'].map(
  (name) => new URL(`../../../../dist/dashboard/${name}`, import.meta.url),
);
const html = { accept: 'text/html,application/xhtml+xml' };

describe('the pages of the dashboard', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    buildDashboard();
    for (const name of probes) writeFileSync(name, 'probe');
    gateway = await startGateway('sqlite', { TRUSTED_PROXIES: '127.0.0.1', GLOBAL_WEB_RATE_LIMIT: '20' });
  });
  afterAll(async () => {
    for (const name of probes) rmSync(name, { force: true });
    await gateway.stop();
  });

  let callers = 0;
  const ask = (path: string, headers: Record<string, string> = html, method = 'GET') => {
    callers += 1;
    return fetch(`${gateway.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'x-forwarded-for': `192.0.2.${callers}`, ...headers },
    });
  };

  it.each(['/', '/login', '/token?p=2', '/no/such/page', '/dashboard'])(
    'are served under every address: %s',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  it.each(['/api/no-such-route', '/v1/no-such-route', '/pg/none', '/mj/none', '/suno/none', '/dashboard/billing/none'])(
    'do not affect programs: %s stays JSON',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('application/json');
    },
  );

  it('are for those who ask for a page: other calls and methods get a 404 in JSON', async () => {
    expect((await ask('/token', { accept: 'application/json' })).status).toBe(404);
    expect((await ask('/token', html, 'POST')).status).toBe(404);
    expect((await ask('/token', html, 'HEAD')).status).toBe(200);
  });

  it('S15 bring a policy with a nonce of their own each time, and no other script may run', async () => {
    const [first, second] = [await ask('/login'), await ask('/login')];
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? '';
    const page = await first.text();
    expect(nonce.length).toBeGreaterThanOrEqual(20);
    expect(await second.text()).not.toContain(nonce);
    expect(page).not.toContain('__NONCE__');
    for (const [tag] of page.matchAll(/<script[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}';`);
    for (const rule of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain('unsafe');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(first.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('S15 let in the human check and the payment form only where the operator has turned them on', async () => {
    await gateway.setOption('ServerAddress', 'http://gateway.example.com');
    await gateway.setOption('PayAddress', 'https://pay.example.com/epay');
    await gateway.setOption('TurnstileSiteKey', 'site');
    await gateway.setOption('TurnstileSecretKey', 'secret');
    await gateway.setOption('TurnstileCheckEnabled', 'true');
    const policy = (await ask('/login')).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src [^;]*https:\/\/challenges\.cloudflare\.com/);
    expect(policy).toContain("form-action 'self' https://pay.example.com;");
    await gateway.setOption('TurnstileCheckEnabled', 'false');
  });

  it('files are kept for a year and come packed as the browser likes it', async () => {
    const page = await (await ask('/')).text();
    // The bundler's own script, which comes first, is too small to be packed.
    const script = [...page.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].at(-1)?.[1] ?? '';
    const plain = await sendRaw(gateway.url, { method: 'GET', path: script, headers: {} });
    expect(plain.status).toBe(200);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.vary).toBe('accept-encoding');
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, packing] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      const response = await fetchBytes(`${gateway.url}${script}`, accepted);
      expect(response.encoding).toBe(packing);
      expect(unpack[packing](response.bytes).length).toBe(Number(plain.headers['content-length']));
    }
  });

  it('files that the browser has already are not sent again, and a part of one is sent as a part', async () => {
    // `fetch` would ask every cache on the way to fetch the file again.
    const askRaw = (headers: Record<string, string>) =>
      sendRaw(gateway.url, { method: 'GET', path: '/favicon.svg', headers });
    const first = await askRaw({});
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/".+"$/);
    expect(first.headers).not.toHaveProperty('last-modified');
    expect(await askRaw({ 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(await askRaw({ 'if-none-match': '"another"' })).toMatchObject({ status: 200, text: first.text });
    expect(await askRaw({ range: 'bytes=1-3' })).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes 1-3/${first.headers['content-length']}` },
      text: first.text.slice(1, 4),
    });
  });

  it.each([
    ['/favicon.svg', 'image/svg+xml'],
    ['/assets/probe.woff2', 'font/woff2'],
    ['/probe.webmanifest', 'application/manifest+json'],
    ['/probe.png', 'image/png'],
  ])('files of every kind are sent under their own type: %s', async (path, type) => {
    const response = await ask(path, { accept: '*/*' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('no path leads out of the folder, and no packed file is served by its own name', async () => {
    for (const path of [
      '/assets/..%2f..%2fbin%2ftollgate.cjs',
      '/assets/%2e%2e/index.html',
      '/index.html',
      '/assets/x.js.br',
    ]) {
      const response = await ask(path, { accept: '*/*' });
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
    }
  });

  it('GLOBAL_WEB_RATE_LIMIT counts pages, never files', async () => {
    const headers = { ...html, 'x-forwarded-for': '198.51.100.7' };
    const statuses: number[] = [];
    for (let call = 0; call < 21; call += 1) statuses.push((await ask('/login', headers)).status);
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
    expect(statuses[20]).toBe(429);
    expect((await ask('/favicon.svg', headers)).status).toBe(200);
  });
});

it('FRONTEND_BASE_URL redirects only page requests on a slave to the console', async () => {
  buildDashboard();
  const slave = await startGateway('sqlite', {
    NODE_TYPE: 'slave',
    FRONTEND_BASE_URL: 'https://console.example.com/',
  });
  const page = await fetch(`${slave.url}/token?p=2`, { headers: html, redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([301, 'https://console.example.com/token?p=2']);
  expect((await fetch(`${slave.url}/api/status`, { headers: html })).status).toBe(200);
  await slave.stop();
});

async function fetchBytes(url: string, accepted: string) {
  const { request } = await import('node:http');
  return new Promise<{ encoding: string; bytes: Buffer }>((resolve, reject) => {
    const call = request(url, { headers: { 'accept-encoding': accepted } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ encoding: String(response.headers['content-encoding'] ?? ''), bytes: Buffer.concat(parts) }),
      );
    });
    call.on('error', reject).end();
  });
}
