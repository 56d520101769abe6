import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { beginResponse, type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { type HttpRefusal, lastError, type OpenOptions, openRealtime } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
let gateway: TestGateway;
let upstream: FakeRealtime;
let people = 0;
let owner: number;
let key: string;

const open = (options: Partial<OpenOptions> = {}) => openRealtime(gateway.url, { key, model, ...options });

/** A user without charges yet. */
async function newUser(): Promise<void> {
  people += 1;
  owner = await gateway.addUser(`user${people}`, 10_000_000);
  key = await gateway.addToken(owner);
}

const rows = async () => (await gateway.logs()).filter((row) => row.user_id === owner);

async function expectOneRow(outcome: string): Promise<void> {
  await waitFor('the row', async () => (await rows()).length > 0);
  expect((await rows()).map(({ other }) => other.outcome)).toEqual([outcome]);
  await waitFor('the hold to end', async () => (await openHolds(gateway)) === 0);
  await gateway.verifyBooks();
}

beforeAll(async () => {
  upstream = await startFakeRealtime();
  gateway = await startGateway('sqlite', {}, { realtime: { recheckMs: 1000 } });
  await gateway.addChannel({ name: 'realtime', models: model, base_url: upstream.url });
});
beforeEach(newUser);
afterEach(() => upstream.reset());
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('the upstream of a realtime session', () => {
  it('R2 that breaks off in a response is seen as an error and a close code, and what it said is charged', async () => {
    const client = await open();
    await beginResponse(upstream, client);
    upstream.newest().socket.terminate();
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(lastError(client)?.error).toMatchObject({ type: 'upstream_error', code: 'upstream_reset' });
    await expectOneRow('broken');
  });

  it('R2 that breaks off between responses is seen, too, and costs nothing', async () => {
    const client = await open();
    await client.next('session.created');
    upstream.newest().socket.terminate();
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(lastError(client)?.error).toMatchObject({ type: 'upstream_error', code: 'upstream_reset' });
    expect(await rows()).toEqual([]);
  });

  it('that says goodbye is quoted', async () => {
    const client = await open();
    await client.next('session.created');
    upstream
      .newest()
      .send({ type: 'error', error: { type: 'invalid_request_error', code: 'session_expired', message: 'over' } });
    upstream.newest().socket.close(1001, 'session expired');
    expect(await client.closed).toEqual({ code: 1001, reason: 'session expired' });
    expect(lastError(client)?.error.code).toBe('session_expired');
  });

  it('without a listener gives way to the next channel', async () => {
    await gateway.setOption('RetryTimes', '1');
    const dead = await gateway.addChannel({ name: 'dead', models: model, base_url: 'http://127.0.0.1:9', priority: 9 });
    const client = await open();
    // It was asked once more, which leaves the one retry to the other.
    expect(client.headers['x-tollgate-served']).toContain('attempt=3');
    client.socket.close();
    await client.closed;
    await gateway.app.services.channels.remove(systemActor, [dead]);
    await gateway.gateway.refresh();
  });

  it('S10 may not be this server itself, nor a private address an admin gave', async () => {
    const own = await gateway.addChannel({ name: 'own', models: 'loop-realtime', base_url: 'http://127.0.0.1:9' });
    await gateway.app.database.channels.update({ base_url: gateway.url }, { where: { id: own } });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'loop-realtime': 1 }));
    await gateway.gateway.refresh();
    const refusal = (await open({ model: 'loop-realtime' }).catch((error: HttpRefusal) => error)) as HttpRefusal;
    expect(refusal.status).toBe(502);
    expect(refusal.body).toMatchObject({ error: { code: 'upstream_refusedAddress' } });
  });
});

describe('the client of a realtime session', () => {
  it('R6 that reads slowly gets everything, in order', async () => {
    const client = await open();
    const session = upstream.newest();
    for (let count = 0; count < 40; count += 1) {
      session.send({ type: 'conversation.item.created', count, filling: 'x'.repeat(256 * 1024) });
    }
    for (let pauses = 0; pauses < 10; pauses += 1) {
      client.socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 30));
      client.socket.resume();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const created = () => client.events.filter(({ type }) => type === 'conversation.item.created');
    await waitFor('all events', async () => created().length === 40, 30_000);
    expect(created().map(({ count }) => count)).toEqual(Array.from({ length: 40 }, (_, count) => count));
    client.socket.close();
    await client.closed;
  });

  it('B138 that sends a message of 17 MiB is closed with 1009', async () => {
    const client = await open();
    client.socket.on('error', () => undefined);
    client.send({ type: 'input_audio_buffer.append', audio: 'x'.repeat(17 * 1024 * 1024) });
    expect(await client.closed).toMatchObject({ code: 1009 });
    await waitFor('the upstream to be let go', async () => upstream.openSockets() === 0);
    expect(await openHolds(gateway)).toBe(0);
  });

  it('B138 that sends an unmasked frame is closed with 1002', async () => {
    const socket = await rawSession();
    socket.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
    expect(await closeCodeOf(socket)).toBe(1002);
  });

  it('B138 that floods with pings is closed with 1002', async () => {
    const socket = await rawSession();
    const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
    socket.write(Buffer.concat(Array.from({ length: 2000 }, () => ping)));
    expect(await closeCodeOf(socket)).toBe(1002);
    await waitFor('the upstream to be let go', async () => upstream.openSockets() === 0);
  });
});

describe('a realtime session ends with a clear error', () => {
  it.each([
    [
      'S4 when its user is banned',
      async () => gateway.app.services.users.manage(systemActor, { id: owner, action: 'disable' }),
      /disabled|banned/i,
    ],
    ['when its token is disabled', () => changeToken({ status: 2 }), /disabled/i],
    ['when its token expires', () => changeToken({ expired_time: 1 }), /expired/i],
  ])('%s', async (_name, change, says) => {
    const client = await open();
    await beginResponse(upstream, client);
    await change();
    await gateway.gateway.refresh();
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(String(lastError(client)?.error.message)).toMatch(says);
    await expectOneRow('stopped');
    await waitFor('the upstream to be let go', async () => upstream.openSockets() === 0);
  });
});

async function changeToken(values: Record<string, number>): Promise<void> {
  await gateway.app.database.tokens.update(values, { where: { user_id: owner } });
}

/** A session over a bare socket, for frames no library would send. */
async function rawSession(): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `GET /v1/realtime?model=${model} HTTP/1.1`,
    'host: x',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    `authorization: Bearer ${key}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((resolve) => {
    let text = '';
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (!text.includes('session.created')) return;
      socket.off('data', read);
      resolve();
    };
    socket.on('data', read);
  });
  return socket;
}

/** Of the close frame among whatever else still comes. */
function closeCodeOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    socket.on('data', (bytes) => parts.push(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const bytes = Buffer.concat(parts);
      let at = 0;
      while (at < bytes.length && bytes[at] !== 0x88) at += 2 + ((bytes[at + 1] ?? 0) & 0x7f);
      resolve(at < bytes.length ? bytes.readUInt16BE(at + 2) : 0);
    });
  });
}
