import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { fixture } from '../../support/upstream-script.ts';
import { chatHead, openRaw } from '../relay/raw-client.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const patienceMs = 5000;

interface RawResponse {
  status: number;
  text: string;
  /** The server ended the connection. */
  isClosed: boolean;
}

/** Sends exactly these bytes; resolves when the connection ends, or a whole response has come and it stays open. */
async function send(text: string): Promise<RawResponse> {
  const raw = await openRaw(gateway.url);
  let isClosed = false;
  void raw.closed.then(() => {
    isClosed = true;
  });
  raw.socket.write(Buffer.from(text, 'latin1'));
  const deadline = Date.now() + patienceMs;
  const mustClose = () => /\r\nconnection: close\r\n/i.test(raw.text());
  const isWhole = () => {
    const [head = '', body = ''] = raw.text().split('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    return length !== undefined && body.length >= Number(length);
  };
  while (!isClosed && !(isWhole() && !mustClose()) && Date.now() < deadline)
    await new Promise((go) => setTimeout(go, 5));
  raw.socket.destroy();
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(raw.text())?.[1] ?? 0), text: raw.text(), isClosed };
}

const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['host: x', ...headers].join('\r\n')}\r\n\r\n`;
const post = (headers: string[], body: string) =>
  `POST /api/user/login HTTP/1.1\r\n${['host: x', 'content-type: application/json', ...headers].join('\r\n')}\r\n\r\n${body}`;

function expectShort({ text }: RawResponse): void {
  expect(text.length).toBeLessThan(1000);
  expect(text).not.toMatch(/node:|\.ts:|\.js:|HPE_|Error:/);
}

describe('a request that is not HTTP', () => {
  it.each<[string, string]>([
    ['a length and chunks', post(['content-length: 5', 'transfer-encoding: chunked'], '0\r\n\r\n')],
    ['chunks and a length', post(['transfer-encoding: chunked', 'content-length: 5'], '0\r\n\r\n')],
    ['two lengths', post(['content-length: 5', 'content-length: 6'], 'hello!')],
    ['the same length twice', post(['content-length: 5', 'content-length: 5'], 'hello')],
    ['an invalid length', post(['content-length: +5'], 'hello')],
    ['a list of lengths', post(['content-length: 5, 5'], 'hello')],
    ['an invalid chunk', post(['transfer-encoding: chunked'], 'ZZ\r\nhello\r\n0\r\n\r\n')],
    ['bytes behind a chunk', post(['transfer-encoding: chunked'], '5\r\nhelloXX\r\n0\r\n\r\n')],
    ['a coding that only looks like chunks', post(['transfer-encoding: xchunked'], '0\r\n\r\n')],
    ['a coding twice', post(['transfer-encoding: chunked, chunked'], '0\r\n\r\n')],
    ['a folded header', get('/api/status', 'x-a: one\r\n two')],
    ['NUL in a header', get('/api/status', 'x-a: o\0e')],
    ['a space before the colon', get('/api/status', 'content-length : 5')],
    ['a bare line feed in a header', 'GET /api/status HTTP/1.1\r\nhost: x\r\nx-a: 1\nx-b 2\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('B33 %s: 400, in one line, and the connection ends', async (_what, bytes) => {
    const response = await send(bytes);
    expect(response).toMatchObject({ status: 400, isClosed: true });
    expectShort(response);
  });

  it('B33 does not charge for an invalid relay call', async () => {
    const quota = await gateway.quotaOf(gateway.userId);
    const seen = gateway.upstream.requests.length;
    const { status } = await send(
      `${chatHead(gateway.key, { 'transfer-encoding': 'chunked' })}5\r\nhelloXX\r\n0\r\n\r\n`,
    );
    expect(status).toBe(400);
    expect((await gateway.chat()).status).toBe(200);
    expect(gateway.upstream.requests.length).toBe(seen + 1);
    expect(await gateway.quotaOf(gateway.userId)).toBeLessThan(quota);
    await gateway.verifyBooks();
  });

  it('B33 never puts its response into the middle of another one on the same connection', async () => {
    gateway.upstream.respond(fixture('openai/chat.sse', { delayMs: 150 }));
    const body = JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    const raw = await openRaw(gateway.url);
    raw.socket.write(`${chatHead(gateway.key, { 'content-length': body.length })}${body}`);
    while (!raw.text().includes('data: ')) await new Promise((go) => setTimeout(go, 5));
    raw.socket.write('no request at all\r\n\r\n');
    await raw.closed;
    expect(raw.text()).not.toContain('400 Bad Request');
    expect(raw.text()).not.toContain('[DONE]');
    await gateway.verifyBooks();
  });
});

describe('a request that is too large before its body', () => {
  it('B29 a header of 64 KiB, or more than 100 headers: 431', async () => {
    const large = await send(get('/api/status', `authorization: Bearer ${'a'.repeat(65_536)}`));
    expect(large).toMatchObject({ status: 431, isClosed: true });
    expectShort(large);
    const many = Array.from({ length: 120 }, (_, index) => `x-${index}: 1`);
    expect(await send(get('/api/status', ...many))).toMatchObject({ status: 431 });
    expect(await send(get('/v1/models', ...many))).toMatchObject({ status: 431 });
    expect(await send(get('/api/status', ...many.slice(0, 90)))).toMatchObject({ status: 200 });
  });

  it.each([5000, 9000, 65_536])('a request line with %d characters: 414', async (length) => {
    for (const path of ['/api/status', '/v1/models', '/nothing']) {
      expect(await send(get(`${path}?${'a'.repeat(length)}`))).toMatchObject({ status: 414 });
    }
  });
});

describe('a method', () => {
  it.each<[string, number]>([
    ['TRACE /api/status', 404],
    ['CONNECT example.com:443', 405],
    ['PROPFIND /v1/models', 404],
    ['FETCH /api/status', 501],
    ['get /api/status', 400],
  ])('B36 %s gets %d', async (line, status) => {
    const response = await send(`${line} HTTP/1.1\r\nhost: x\r\ncookie: session=secret\r\nx-mark: echo\r\n\r\n`);
    expect(response.status).toBe(status);
    // TRACE would show a script the cookie.
    expect(response.text).not.toMatch(/secret|x-mark/);
  });
});

describe('the Host of a request', () => {
  it('B34 may not be missing', async () => {
    expect(await send('GET /api/status HTTP/1.1\r\n\r\n')).toMatchObject({ status: 400, isClosed: true });
  });

  it.each(['evil.example', 'a@evil.example', 'x/evil.example', 'evil.example:1', '[evil.example'])(
    'B34 has no effect on the response (%s)',
    async (host) => {
      for (const extra of [[], ['x-forwarded-host: evil.example', 'forwarded: host=evil.example']]) {
        const lines = [`host: ${host}`, ...extra].join('\r\n');
        const response = await send(`GET /api/status HTTP/1.1\r\n${lines}\r\n\r\n`);
        expect([200, 400]).toContain(response.status);
        expect(response.text).not.toContain('evil.example');
      }
    },
  );

  it('B34 has no effect in the request line either', async () => {
    const response = await send('GET http://evil.example/api/status HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(response.text).not.toContain('evil.example');
  });
});

describe('a call from another page', () => {
  it('B37, B38 with the cookie of a session is refused, whatever it says it is', async () => {
    const console = createConsoleClient(gateway.url);
    await console.data(console.signIn('alice', 'correct horse battery'));
    const { host, origin } = new URL(gateway.url);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `https://${host}.evil.example` },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      expect((await console.post('/api/user/topup', { key: 'x' }, headers)).status).toBe(403);
      expect((await console.get('/api/user/self', headers)).status).toBe(403);
    }
    expect((await console.get('/api/user/self', { origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    // As behind a proxy that sends a Host of its own.
    const proxied = { origin: 'https://gate.example.com', 'sec-fetch-site': 'same-origin' };
    expect((await console.get('/api/user/self', proxied)).status).toBe(200);
    const form = await fetch(`${gateway.url}/api/user/topup`, {
      method: 'POST',
      headers: {
        cookie: console.cookie,
        'new-api-user': String(console.userId),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'key=x',
    });
    expect([403, 415]).toContain(form.status);
  });
});
