import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { chatHead } from '../../relay/raw-client.ts';

const mebibyte = 1024 * 1024;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite', { RELAY_BODY_LIMIT: String(4 * mebibyte) });
});
afterAll(() => gateway.stop());

/** A client that reads nothing before all is sent, as most programs that are not written around events. */
function sendThenRead(head: string, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    let isBroken = false;
    socket.pause();
    socket.on('error', () => {
      isBroken = true;
    });
    socket.on('close', () => resolve(isBroken ? 'broken' : text));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    // 'data' has set it in motion.
    socket.pause();
    socket.write(head);
    socket.write(Buffer.alloc(bytes, 'x'), () => socket.resume());
  });
}

const refused: [string, number, () => string][] = [
  ['a wrong key', 401, () => chatHead('sk-wrong000000000', { 'content-length': 12 * mebibyte })],
  ['a body that is too large', 413, () => chatHead(gateway.key, { 'content-length': 12 * mebibyte })],
  [
    'a body of another type',
    415,
    () => chatHead(gateway.key, { 'content-type': 'text/plain', 'content-length': 12 * mebibyte }),
  ],
  [
    'a call of the console without a session',
    401,
    () =>
      `POST /api/channel/ HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${12 * mebibyte}\r\n\r\n`,
  ],
];

describe('a client that sends all of a long body before it reads', () => {
  it.each(refused)('is told that it is refused for %s: %d', async (_what, status, head) => {
    const text = await sendThenRead(head(), 12 * mebibyte);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('is told so by the limit of its calls, too', async () => {
    await gateway.setOption('UserConcurrencyLimit', '1');
    gateway.upstream.respond({ stall: 'headers' });
    const leaving = new AbortController();
    const first = gateway.chat({}, { signal: leaving.signal });
    first.catch(() => undefined);
    await gateway.upstream.waitForRequests(1);
    expect(await sendThenRead(chatHead(gateway.key, { 'content-length': 3 * mebibyte }), 3 * mebibyte)).toMatch(
      /^HTTP\/1\.1 429 /,
    );
    leaving.abort();
    await gateway.setOption('UserConcurrencyLimit', '0');
  });
});

/** A client that goes on although the other side has said its last word. */
async function openHalf() {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await once(socket, 'connect');
  /** Only what it writes tells it that the other side is gone. */
  async function gone(): Promise<void> {
    const before = performance.now();
    const drip = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(drip);
    expect(performance.now() - before).toBeLessThan(1500);
  }
  return { socket, text: () => text, closed, gone };
}

describe('a connection whose last response is out', () => {
  const length = 2 * mebibyte;
  const head = () => chatHead('sk-wrong000000000', { 'content-length': length });

  it('serves no other call on it', async () => {
    const calls = gateway.upstream.requests.length;
    const raw = await openHalf();
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    raw.socket.write(head());
    await expect.poll(raw.text).toContain(' 401 ');
    const next = `${chatHead(gateway.key, { 'content-length': body.length })}${body}`;
    raw.socket.write(Buffer.concat([Buffer.alloc(length, 'x'), Buffer.from(next)]));
    await raw.gone();
    expect(raw.text().split('HTTP/1.1 ')).toHaveLength(2);
    expect(gateway.upstream.requests.length).toBe(calls);
  });

  it('is closed after a moment when nothing more comes', async () => {
    const raw = await openHalf();
    raw.socket.write(head());
    await once(raw.socket, 'end');
    await wait(4500);
    await raw.gone();
    expect(raw.text()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is closed in the end when more and more comes', { timeout: 60_000 }, async () => {
    const raw = await openHalf();
    const startedAt = performance.now();
    raw.socket.write(chatHead('sk-wrong000000000', { 'content-length': 500 * mebibyte }));
    const drip = setInterval(() => raw.socket.write('x'.repeat(1000)), 100);
    await raw.closed;
    clearInterval(drip);
    expect(raw.text()).toMatch(/^HTTP\/1\.1 401 /);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
