import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginResponse, type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { type HttpRefusal, lastError, type OpenOptions, openRealtime } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { openHolds, waitFor } from '../relay-checks.ts';

const model = 'gpt-4o-realtime-preview';
/** Long enough for a busy machine, short enough for a test. */
const shortMs = 3000;
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

async function start(options: Parameters<typeof startGateway>[2]): Promise<void> {
  upstream = await startFakeRealtime();
  gateway = await startGateway('sqlite', {}, options);
  await gateway.addChannel({ name: 'realtime', models: model, base_url: upstream.url });
}

async function stop(): Promise<void> {
  await gateway.stop();
  await upstream.close();
}

describe('the time limits of a realtime session', () => {
  beforeAll(() =>
    start({
      limits: { idleMs: 2 * shortMs, headersMs: shortMs },
      realtime: { writeMs: shortMs, pingMs: 500, idleMs: shortMs, totalMs: 3 * shortMs },
    }),
  );
  beforeEach(newUser);
  afterEach(() => upstream.reset());
  afterAll(stop);

  it('R4 give up an upstream that falls silent in a response', async () => {
    const client = await open();
    await beginResponse(upstream, client);
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(lastError(client)?.error.code).toBe('upstream_idleTimeout');
    await expectOneRow('broken');
  });

  it('R4 give up, with HTTP, an upstream that takes the connection and never begins a session', async () => {
    upstream.greeting = undefined;
    const refusal = (await open().catch((error: HttpRefusal) => error)) as HttpRefusal;
    expect(refusal.status).toBe(504);
    expect(await openHolds(gateway)).toBe(0);
    await waitFor('its socket to be let go', async () => upstream.openSockets() === 0);
  });

  it('R6 hold the upstream back for a client that reads nothing, and give that up in the end', {
    timeout: 120_000,
  }, async () => {
    const client = await open();
    await client.next('session.created');
    const session = upstream.newest();
    const send = (delta: string) => session.send({ type: 'response.output_audio.delta', response_id: 'r', delta });
    send('first');
    // From here on there is something to charge, however busy the machine is.
    await client.next('response.output_audio.delta');
    client.socket.pause();
    const delta = 'x'.repeat(64 * 1024);
    for (let count = 0; count < 1024; count += 1) send(delta);
    let left = session.socket.bufferedAmount;
    const timer = setInterval(() => {
      // From the gateway's goodbye on, what is left is read and dropped.
      if (session.socket.readyState === session.socket.OPEN) left = session.socket.bufferedAmount;
    }, 20);
    await session.closed;
    clearInterval(timer);
    // Of 64 MiB the sockets in between hold some; the rest is still where it came from.
    expect(left).toBeGreaterThan(24 * 1024 * 1024);
    await expectOneRow('clientGone');
    client.socket.terminate();
  });

  it('notice a client that is gone without a word', async () => {
    const client = await open();
    await beginResponse(upstream, client);
    // Nothing comes from it any more, no pong either.
    client.socket.pause();
    await expectOneRow('clientGone');
    client.socket.terminate();
  });

  it('B139 end a session in which nothing is said for long, with a word, and settle it', async () => {
    const client = await open();
    client.send({ type: 'response.create' });
    await client.next('response.done');
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(lastError(client)?.error.code).toBe('session_idle');
    await expectOneRow('complete');
  });

  it('end a session that goes on and on', async () => {
    const client = await open();
    const timer = setInterval(() => client.send({ type: 'input_audio_buffer.clear' }), 100);
    expect(await client.closed).toMatchObject({ code: 1001 });
    clearInterval(timer);
    expect(lastError(client)?.error.code).toBe('session_expired');
  });
});

describe('a realtime session', () => {
  beforeEach(async () => {
    await start({});
    await newUser();
  });
  afterEach(stop);

  it('R7 ends when the server stops: at once between responses, else after the response; no other begins', async () => {
    const idle = await open();
    const busy = await open();
    await beginResponse(upstream, busy);
    const draining = gateway.gateway.drain(20_000);
    expect(await idle.closed).toMatchObject({ code: 1012 });
    expect(lastError(idle)?.error.code).toBe('server_draining');
    const refusal = (await open().catch((error: HttpRefusal) => error)) as HttpRefusal;
    expect(refusal.status).toBe(503);
    expect(busy.socket.readyState).toBe(busy.socket.OPEN);
    const begun = await busy.next('response.created');
    const { id } = begun.response as { id: string };
    const usage = { input_tokens: 100, output_tokens: 10 };
    upstream.sessions[1]?.send({ type: 'response.done', response: { id, status: 'completed', usage } });
    await busy.next('response.done');
    expect(await busy.closed).toMatchObject({ code: 1012 });
    await draining;
    expect((await rows()).map(({ prompt_tokens, other }) => [prompt_tokens, other.outcome])).toEqual([
      [100, 'complete'],
    ]);
  });

  it('R7 ends in its response when the time to stop is over, with what was said charged', async () => {
    const client = await open();
    await beginResponse(upstream, client);
    await gateway.gateway.drain(200);
    expect(await client.closed).toMatchObject({ code: 1012 });
    await expectOneRow('stopped');
  });
});
