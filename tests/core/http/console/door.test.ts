import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../../support/console-client.ts';
import { type RawResponse, sendRaw } from '../../../support/raw-request.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { waitFor } from '../../relay/relay-checks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { bodyTimeMs: 1000 });
});
afterAll(() => gateway.stop());

/** A connection written by hand; `text` grows with what comes back. */
async function openLine(): Promise<{ socket: Socket; text(): string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text, closed };
}

describe('an address with NUL in it', () => {
  it('is 400 on every route there is, in the words of the route', async () => {
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    const headers = {
      cookie: root.cookie,
      'new-api-user': String(root.userId),
      'accept-language': 'en',
      'content-type': 'application/json',
    };
    const wrong: string[] = [];
    for (const { method, path } of gateway.gateway.routes) {
      const place = path.replace(/:\w+|\*/g, '1');
      for (const address of [`${place}?keyword=%00`, `${place}?username=a%00b&page=1`]) {
        const response = await sendRaw(gateway.url, { method, path: address, headers });
        if (response.status !== 400 || !saysNul(response)) wrong.push(`${method} ${address}: ${response.status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect((await sendRaw(gateway.url, { method: 'GET', path: '/api/user/%00', headers })).status).toBe(400);
  });

  const saysNul = ({ text }: RawResponse) =>
    text.includes('NUL') && /"(success|error|message|description)":|^fail$/.test(text);
});

describe('the body of a console call', () => {
  const head = (length: number) =>
    `POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n`;

  it('has a limit of time: a byte now and then does not keep the connection', async () => {
    const line = await openLine();
    line.socket.write(`${head(500)}\r\n`);
    const drip = setInterval(() => line.socket.write(' '), 50);
    await line.closed;
    clearInterval(drip);
    expect(line.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(line.text()).toContain('"success":false');
  });

  it('is asked for (100 Continue) once the caller is known, and read then', async () => {
    const line = await openLine();
    const body = '{"username":"root","password":"correct horse battery"}';
    line.socket.write(`${head(body.length)}expect: 100-continue\r\n\r\n`);
    await waitFor('the invitation', async () => line.text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    line.socket.write(body);
    await waitFor('the answer', async () => line.text().includes('"success":true'));
    line.socket.destroy();
  });

  it.each([
    ['/v1/chat/completions', 'authorization: Bearer sk-wrong'],
    ['/v1/embeddings', 'x-nothing: 1'],
    ['/v1beta/models/gemini-2:generateContent', 'x-goog-api-key: wrong'],
    ['/pg/chat/completions', 'x-nothing: 1'],
    ['/api/channel/', 'x-nothing: 1'],
  ])('is not requested and not read when the caller is unknown: %s', async (path, credential) => {
    const line = await openLine();
    const length = 30 * 1024 * 1024;
    const lines = [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', `content-length: ${length}`];
    line.socket.write(`${[...lines, credential, 'expect: 100-continue'].join('\r\n')}\r\n\r\n`);
    await line.closed;
    expect(line.text()).toMatch(/^HTTP\/1\.1 401 /);
    expect(line.text()).toMatch(/\r\nconnection: close\r\n/i);

    const eager = await openLine();
    let isOver = false;
    void eager.closed.then(() => {
      isOver = true;
    });
    eager.socket.write(`${[...lines, credential].join('\r\n')}\r\n\r\n`);
    let taken = 0;
    for (const chunk = Buffer.alloc(64 * 1024, 0x20); !isOver && taken < length; taken += chunk.length) {
      if (!eager.socket.write(chunk)) await Promise.race([once(eager.socket, 'drain').catch(() => {}), eager.closed]);
    }
    await eager.closed;
    // What the system in between holds was taken; the rest was not.
    expect(taken).toBeLessThan(length);
  });

  it('of a few bytes does not cost the connection when the key is wrong', async () => {
    const line = await openLine();
    const call = [
      'POST /v1/chat/completions HTTP/1.1',
      'host: x',
      'content-type: application/json',
      'content-length: 2',
      'authorization: Bearer sk-wrong',
    ];
    for (const count of [1, 2]) {
      line.socket.write(`${call.join('\r\n')}\r\n\r\n{}`);
      await waitFor('the answer', async () => line.text().split('HTTP/1.1 401 ').length === count + 1);
    }
    expect(line.text()).not.toMatch(/connection: close/i);
    line.socket.destroy();
  });
});

describe('the contract of the console', () => {
  const path = '/api/openapi.json';

  it('is the same bytes each time, plain or packed, and is not sent again to those who have it', async () => {
    const plain = await sendRaw(gateway.url, { method: 'GET', path });
    const packed = await fetch(`${gateway.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('accept-encoding');
    expect(await packed.json()).toEqual(JSON.parse(plain.text));
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
    const { etag } = plain.headers;
    expect(etag).toBe(packed.headers.get('etag'));
    const again = await sendRaw(gateway.url, { method: 'GET', path, headers: { 'if-none-match': String(etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await sendRaw(gateway.url, { method: 'GET', path, headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('A-187 wraps what every route gives in success, message and data', async () => {
    type Schema = { required?: string[]; anyOf?: Schema[]; $ref?: string };
    const contract = JSON.parse((await sendRaw(gateway.url, { method: 'GET', path })).text);
    const operations = Object.entries<Record<string, unknown>>(contract.paths)
      .filter(([at]) => at.startsWith('/api/'))
      .flatMap(([at, methods]) => Object.entries(methods).map(([method, one]) => [`${method} ${at}`, one] as const));
    const formsOf = (schema: Schema): Schema[] =>
      schema.$ref
        ? formsOf(contract.components.schemas[schema.$ref.split('/').at(-1) ?? ''])
        : (schema.anyOf?.flatMap(formsOf) ?? [schema]);
    const others = new Set<string>();
    for (const [name, one] of operations) {
      const { responses } = one as { responses: Record<string, { content?: Record<string, { schema: Schema }> }> };
      const schema = responses['200']?.content?.['application/json']?.schema;
      for (const { required = [] } of schema ? formsOf(schema) : [])
        if (!required.includes('success') || !required.includes('message')) others.add(name);
    }
    // What the consoles of this family read differently, and the contract itself.
    expect([...others].sort()).toEqual([
      'get /api/openapi.json',
      'get /api/pricing',
      'get /api/usage/token/',
      'post /api/user/amount',
      'post /api/user/pay',
    ]);
    expect(operations.length).toBeGreaterThan(150);
  });

  it('is packed so that it unpacks', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n`);
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    expect(JSON.parse(gunzipSync(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)).toString())).toHaveProperty('openapi');
  });
});

describe('signing out', () => {
  it('is not done for a page elsewhere', async () => {
    const alice = createConsoleClient(gateway.url);
    await alice.data(alice.signIn('alice', 'correct horse battery'));
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://elsewhere.example' },
    ];
    for (const headers of elsewhere) {
      expect((await alice.get('/api/user/logout', headers)).status).toBe(403);
      expect((await alice.get('/api/user/self')).success).toBe(true);
    }
    expect((await alice.get('/api/user/logout', { 'sec-fetch-site': 'same-origin' })).success).toBe(true);
  });
});
