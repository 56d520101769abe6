import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prepareRates, priceQuota } from '../../../../core/billing/price.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { openRealtime, type RealtimeClient } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { billOf, openHolds, waitFor, withLockedUsers } from '../relay-checks.ts';

/** Ratio 2.5, completion 4, audio 20 and twice that, cached half: figures that are easy to follow. */
const model = 'gpt-4o-realtime-preview';
/** 48,000 bytes of 16-bit sound are one second. */
const second = Buffer.alloc(48_000).toString('base64');

describe.each(engines)('the bill of a realtime session on %s', (engine) => {
  let gateway: TestGateway;
  let upstream: FakeRealtime;

  beforeAll(async () => {
    upstream = await startFakeRealtime();
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'realtime', models: `${model},fixed-realtime`, base_url: upstream.url });
    await gateway.setOption('ModelPrice', JSON.stringify({ 'fixed-realtime': 0.02 }));
  });
  afterEach(async () => {
    upstream.reset();
    await waitFor('all sessions to end', async () => (await openHolds(gateway)) === 0);
    await gateway.verifyBooks();
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
  });

  async function newCaller(quota: number, input: Record<string, unknown> = {}) {
    people += 1;
    const id = await gateway.addUser(`talker${people}`, quota);
    return { id, key: await gateway.addToken(id, input) };
  }

  const open = (key: string, wanted = model) => openRealtime(gateway.url, { key, model: wanted });
  const rowsOf = async (id: number) => (await gateway.logs()).filter((row) => row.user_id === id);

  async function ask(client: RealtimeClient): Promise<void> {
    client.send({ type: 'response.create' });
    await client.next('response.done');
  }

  /** Each second of speech costs 20 tokens at 100 units: 2,000 units a millisecond. */
  async function speakOnAndOn(key: string) {
    upstream.leavesOff = true;
    const client = await open(key);
    client.send({ type: 'response.create' });
    await client.next('response.output_text.delta');
    const session = upstream.newest();
    const timer = setInterval(() => {
      session.send({ type: 'response.output_audio.delta', response_id: 'resp_long', delta: second });
    }, 1);
    return { client, stop: () => clearInterval(timer) };
  }

  async function leave(client: RealtimeClient): Promise<void> {
    client.socket.close(1000);
    await client.closed;
  }

  it('M4 charges each response by its own usage before its last event goes out, text, sound and cached apart', async () => {
    const { id, key } = await newCaller(10_000_000);
    const client = await open(key);
    for (const count of [1, 2]) {
      await ask(client);
      expect((await rowsOf(id)).length).toBe(count);
    }
    const [row] = await rowsOf(id);
    if (!row) throw new Error('no row');
    const { usage, rates, extras } = billOf(row);
    // 600 of sound with 200 cached, 400 of text with 300 cached.
    expect(usage).toMatchObject({ prompt: 1000, cachedRead: 500, audioInput: 400, completion: 500, audioOutput: 400 });
    expect(row.quota).toBe(priceQuota(prepareRates(rates), usage, extras));
    const { audioRatio, audioCompletionRatio, completionRatio, cacheRatio } = rates;
    const spoken = 400 * audioRatio + 400 * audioRatio * audioCompletionRatio;
    expect(row.quota).toBe(Math.round(2.5 * (100 + 500 * cacheRatio + 100 * completionRatio + spoken)));
    expect(row.other).toMatchObject({
      ws: true,
      audio: true,
      audio_input: 400,
      audio_output: 400,
      outcome: 'complete',
    });
    expect(row).toMatchObject({ model_name: model, content: '' });
    expect(row.is_stream).toBeTruthy();
    expect(new Set((await rowsOf(id)).map(({ other }) => other.session)).size).toBe(1);
    await leave(client);
    await waitFor('the hold to end', async () => (await gateway.quotaOf(id)) === 10_000_000 - 2 * row.quota);
  });

  it('takes a hold before the session begins and gives it back after one that asked for nothing', async () => {
    const { id, key } = await newCaller(10_000_000);
    const client = await open(key);
    expect(await gateway.quotaOf(id)).toBeLessThan(10_000_000);
    expect(await openHolds(gateway)).toBe(1);
    await leave(client);
    await waitFor('the hold to end', async () => (await gateway.quotaOf(id)) === 10_000_000);
    expect(await rowsOf(id)).toEqual([]);
  });

  it('charges a fixed price once for each response', async () => {
    const { id, key } = await newCaller(1_000_000);
    const client = await open(key, 'fixed-realtime');
    for (let count = 0; count < 3; count += 1) await ask(client);
    expect((await rowsOf(id)).map(({ quota }) => quota)).toEqual([10_000, 10_000, 10_000]);
    await leave(client);
    await waitFor('the hold to end', async () => (await gateway.quotaOf(id)) === 970_000);
  });

  it('charges for writing down speech by the model that does it, in tokens or in seconds', async () => {
    const { id, key } = await newCaller(10_000_000);
    const client = await open(key);
    const write = async (session: Record<string, unknown>, usage: Record<string, unknown> | undefined) => {
      upstream.transcriptionUsage = usage;
      client.send({ type: 'session.update', session });
      await client.next('session.updated');
      client.send({ type: 'input_audio_buffer.append', audio: second });
      client.send({ type: 'input_audio_buffer.commit' });
      await client.next('conversation.item.input_audio_transcription.completed');
    };
    const tokens = { type: 'tokens', total_tokens: 30, input_tokens: 20, output_tokens: 10 };
    await write({ audio: { input: { transcription: { model: 'gpt-4o-mini' } } } }, tokens);
    await write({ input_audio_transcription: { model: 'whisper-1' } }, { type: 'duration', seconds: 90 });
    await write({ input_audio_transcription: { model: 'whisper-1' } }, undefined);
    // Sold by tokens: its sound costs more than its text.
    await write({ input_audio_transcription: { model: 'gpt-4o-transcribe' } }, undefined);
    const rows = await rowsOf(id);
    const told = rows.map((row) => [row.model_name, row.prompt_tokens, row.completion_tokens, row.other.audio_input]);
    expect(told).toEqual([
      ['gpt-4o-mini', 20, 10, undefined],
      ['whisper-1', 300, 0, undefined],
      ['whisper-1', 4, 0, undefined],
      ['gpt-4o-transcribe', 10, 4, 10],
    ]);
    for (const row of rows) {
      const { usage, rates, extras } = billOf(row);
      expect(row.quota).toBe(priceQuota(prepareRates(rates), usage, extras));
      expect(row.other).toMatchObject({ ws: true, transcription: true });
    }
    await leave(client);
  });

  it('M7 counts what was delivered when the usage is missing or mad, and believes a second report of one response never', async () => {
    const { id, key } = await newCaller(10_000_000);
    const client = await open(key);
    upstream.words = ['one two three four'];
    upstream.sound = [second, second];
    for (const usage of [null, { input_tokens: -1, output_tokens: 5 }, { input_tokens: 1e18, output_tokens: 5 }]) {
      upstream.usage = usage;
      await ask(client);
    }
    const rows = await rowsOf(id);
    expect(rows.length).toBe(3);
    for (const row of rows) {
      expect(row.other.usage_source).toBe('counted');
      // A token of speech is 50 ms.
      expect(billOf(row).usage).toMatchObject({ audioOutput: 40, completion: 44 });
    }
    upstream.usage = { input_tokens: 10, output_tokens: 5 };
    await ask(client);
    const again = client.events.findLast(({ type }) => type === 'response.done');
    upstream.newest().send({ ...again, type: 'response.done' });
    await client.next('response.done');
    expect((await rowsOf(id)).length).toBe(4);
    await leave(client);
  });

  it('charges a client that leaves in the middle of a response for what it got', async () => {
    const { id, key } = await newCaller(10_000_000);
    upstream.leavesOff = true;
    upstream.sound = [second];
    const client = await open(key);
    client.send({ type: 'response.create' });
    await client.next('response.output_audio.delta');
    client.socket.terminate();
    const row = await waitFor('the row', async () => (await rowsOf(id))[0]);
    expect(row.other).toMatchObject({ outcome: 'clientGone', usage_source: 'counted', audio_output: 20 });
    expect(row.content).toBe('clientGone');
    await waitFor('the hold to end', async () => (await gateway.quotaOf(id)) === 10_000_000 - row.quota);
  });

  it('M2 ends a session whose balance is used up with a clear error, and charges what it had', async () => {
    const { id, key } = await newCaller(300_000);
    const client = await open(key);
    let responses = 0;
    for (;;) {
      client.send({ type: 'response.create' });
      const kind = await Promise.race([client.next('response.done'), client.closed.then(() => undefined)]);
      if (!kind) break;
      responses += 1;
    }
    expect(responses).toBeGreaterThan(1);
    const { error } = client.events.findLast(({ type }) => type === 'error') as { error?: Record<string, unknown> };
    expect(error?.code).toBe('insufficient_user_quota');
    expect(await client.closed).toMatchObject({ code: 1008 });
    const rows = await rowsOf(id);
    expect(rows.length).toBe(responses);
    const spent = rows.reduce((sum, { quota }) => sum + quota, 0);
    await waitFor('the hold to end', async () => (await gateway.quotaOf(id)) === 300_000 - spent);
    expect(spent).toBeLessThanOrEqual(300_000);
  });

  it('M2 extends the hold while one long response runs, and ends it when the balance is used up', async () => {
    const { id, key } = await newCaller(300_000);
    const { client, stop } = await speakOnAndOn(key);
    const { code } = await client.closed;
    stop();
    expect(code).toBe(1008);
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota' } });
    const left = await waitFor('the bill', async () => (await rowsOf(id)).length > 0 && gateway.quotaOf(id));
    expect(left).toBeLessThan(60_000);
    expect(left).toBeGreaterThan(-60_000);
  });

  it('M2 lets no response run far ahead of its hold while the database is slow', async () => {
    const { id, key } = await newCaller(300_000);
    const { client, stop } = await speakOnAndOn(key);
    await withLockedUsers(gateway, 1200);
    await client.closed;
    stop();
    const left = await waitFor('the bill', async () => (await rowsOf(id)).length > 0 && gateway.quotaOf(id));
    expect(left).toBeGreaterThan(-60_000);
  });

  it('books every response of many sessions at once', { timeout: 120_000 }, async () => {
    const { id, key } = await newCaller(100_000_000);
    const clients = await Promise.all(Array.from({ length: 12 }, () => open(key)));
    await Promise.all(
      clients.map(async (client) => {
        for (let count = 0; count < 5; count += 1) await ask(client);
        await leave(client);
      }),
    );
    const rows = await rowsOf(id);
    expect(rows.length).toBe(60);
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(60);
    const spent = rows.reduce((sum, { quota }) => sum + quota, 0);
    await waitFor('all holds to end', async () => (await gateway.quotaOf(id)) === 100_000_000 - spent);
  });
});

let people = 0;
