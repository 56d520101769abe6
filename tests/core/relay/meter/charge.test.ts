import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { cut, type FakeResponse, failure, fixtureBytes, json, stall } from '../../../support/upstream-script.ts';
import { openRaw } from '../raw-client.ts';
import {
  billOf,
  expectCharged,
  expectErrorShape,
  expectRefused,
  openHolds,
  waitFor,
  withLockedUsers,
} from '../relay-checks.ts';
import { chatResponse, done, says, stops, streamOf, uses } from '../responses.ts';

function words(count: number, delayMs = 20): FakeResponse {
  return streamOf([...Array.from({ length: count }, () => says('word ')), stops, done], { delayMs });
}

describe.each(engines)('the charge of a call (%s)', (engine) => {
  let gateway: TestGateway;
  let names = 0;

  beforeAll(async () => {
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'pictures', models: 'dall-e-3,dall-e-2,gpt-4o' });
    await gateway.setOption('RetryTimes', '0');
  });
  afterEach(() => {
    gateway.upstream.reset();
    gateway.gateway.relay.breaker.succeed(1);
  });
  afterAll(() => gateway.stop());

  async function poorUser(quota: number): Promise<{ id: number; key: string }> {
    names += 1;
    const id = await gateway.addUser(`poor${names}`, quota);
    return { id, key: await gateway.addToken(id) };
  }

  const logged = (count: number) =>
    waitFor(`${count} log rows`, async () => (await gateway.logCount()) === count || undefined);

  it('is what the upstream counted, taken from user, token and channel at once', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    await gateway.chat({ max_tokens: 5000 });
    const row = await expectCharged(gateway, { prompt: 20, completion: 10 });
    // 20 x 0.075 + 10 x 4 x 0.075 = 4.5, halves up
    expect(row.quota).toBe(5);
    expect(before - (await gateway.quotaOf(gateway.userId))).toBe(5);
  });

  it('is settled before the client sees the end', async () => {
    for (const stream of [false, true]) {
      const before = await gateway.logCount();
      const response = await gateway.chat({ stream });
      const reader = response.body?.getReader();
      let text = '';
      while (!/\[DONE\]|"system_fingerprint"/.test(text))
        text += Buffer.from((await reader?.read())?.value ?? '').toString();
      expect(await gateway.logCount()).toBe(before + 1);
      expect(await openHolds(gateway)).toBe(0);
      await reader?.cancel();
    }
  });

  it('is nothing when every channel fails, however often', async () => {
    gateway.upstream.always(failure(500));
    for (let call = 0; call < 5; call += 1) {
      await expectRefused(gateway, () => gateway.chat({ stream: call % 2 === 0 }), { status: 500, upstreamCalls: 1 });
    }
    await gateway.verifyBooks();
  });

  it('F8 follows what was delivered, wherever the stream is cut: an SDK raises, or has the whole response', {
    timeout: 240_000,
  }, async () => {
    const bytes = fixtureBytes('openai/chat.sse');
    const whole = 'Hi there. 你好。';
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    for (let at = 0; at <= bytes.length; at += engine === 'sqlite' ? 7 : 23) {
      gateway.upstream.respond(cut({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: bytes }, at));
      const rows = await gateway.logCount();
      let text = '';
      let raised = false;
      try {
        const stream = await client.chat.completions.create({
          model: 'gpt-4o-mini',
          stream: true,
          messages: [{ role: 'user', content: 'hi' }],
        });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      } catch (error) {
        expect(error).toBeInstanceOf(OpenAI.APIError);
        raised = true;
      }
      if (!raised) expect(text, `cut at ${at}`).toBe(whole);
      expect(whole.startsWith(text)).toBe(true);
      const logs = await gateway.logs();
      if (text === '') {
        expect(logs.length, `cut at ${at}`).toBe(rows);
        continue;
      }
      const row = logs.at(-1);
      if (logs.length !== rows + 1 || !row) throw new Error(`cut at ${at}: ${logs.length - rows} rows`);
      const { usage } = billOf(row);
      if (row.other.usage_source === 'counted') expect(usage.completion, `cut at ${at}`).toBe(countTokens(text));
      else expect(usage).toMatchObject({ prompt: 1024, completion: 256 });
      gateway.gateway.relay.breaker.succeed(1);
    }
    await expectCharged(gateway, { prompt: 1024, completion: 256 });
  });

  it('is nothing for a response that breaks before its first word, pings or not', async () => {
    await gateway.setOption('general_setting.ping_interval_enabled', 'true');
    await gateway.setOption('general_setting.ping_interval_seconds', '1');
    const before = await gateway.quotaOf(gateway.userId);
    const role = { ...says(''), choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] };
    gateway.upstream.always(streamOf([role, ': still here\n\n', role], { delayMs: 800 }));
    const content = 'a prompt of many words '.repeat(400);
    const response = await gateway.chat({ stream: true, messages: [{ role: 'user', content }] });
    const text = await response.text();
    expect(text).toContain(': ping');
    expect(text).toContain('upstream_broken');
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    expect(await expectCharged(gateway)).toMatchObject({ quota: 0, prompt_tokens: 0, completion_tokens: 0 });
    gateway.upstream.always(undefined);
    await gateway.setOption('general_setting.ping_interval_enabled', 'false');
  });

  it('F14 is the delivered part when the client leaves, and its upstream is closed', async () => {
    const rows = await gateway.logCount();
    gateway.upstream.respond(words(500));
    const leaving = new AbortController();
    const response = await gateway.chat({ stream: true }, { signal: leaving.signal });
    const reader = response.body?.getReader();
    for (let part = 0; part < 5; part += 1) await reader?.read();
    leaving.abort();
    await gateway.upstream.requests[0]?.closed;
    await logged(rows + 1);
    const row = await expectCharged(gateway);
    expect(row.other).toMatchObject({ outcome: 'clientGone', usage_source: 'counted' });
    expect(row.completion_tokens).toBeGreaterThanOrEqual(5);
    expect(row.completion_tokens).toBeLessThan(100);
  });

  it('F15 is the whole response when the client leaves just before the terminal event', async () => {
    const rows = await gateway.logCount();
    gateway.upstream.respond({ ...streamOf([says('all'), stops, uses(9, 1), done]), delayMs: 150 });
    const leaving = new AbortController();
    const response = await gateway.chat({ stream: true }, { signal: leaving.signal });
    const reader = response.body?.getReader();
    for (let text = ''; !text.includes('"stop"'); ) text += Buffer.from((await reader?.read())?.value ?? '').toString();
    await new Promise((resolve) => setTimeout(resolve, 200));
    leaving.abort();
    await logged(rows + 1);
    await expectCharged(gateway, { prompt: 9, completion: 1 });
  });

  it('F13 is nothing when the client leaves before anything was said', async () => {
    for (const [stream, response] of [
      [true, stall('headers')],
      [false, stall('headers')],
      [true, stall('body', words(3), 0)],
    ] as const) {
      gateway.upstream.reset();
      gateway.upstream.respond(response);
      const before = await gateway.quotaOf(gateway.userId);
      const leaving = new AbortController();
      const call = gateway.chat({ stream }, { signal: leaving.signal });
      await gateway.upstream.waitForRequests(1);
      leaving.abort();
      await expect(call).rejects.toThrow();
      await gateway.upstream.requests[0]?.closed;
      await waitFor('nothing is held', async () => (await openHolds(gateway)) === 0);
      expect(await gateway.quotaOf(gateway.userId)).toBe(before);
      await gateway.verifyBooks();
    }
  });

  it('R3 is settled once for each of 100 clients that leave at random moments, and no upstream call stays open', async () => {
    gateway.upstream.always(() => words(40, 5));
    const balance = await gateway.quotaOf(gateway.userId);
    const rows = await gateway.logCount();
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const leaving = new AbortController();
        setTimeout(() => leaving.abort(), Math.random() * 600);
        const call = gateway.chat({ stream: index % 3 !== 0 }, { signal: leaving.signal });
        await call.then((response) => response.text()).catch(() => undefined);
      }),
    );
    const over = Promise.all(gateway.upstream.requests.map(({ closed }) => closed)).then(() => 'over');
    expect(await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 2000, 'late'))])).toBe('over');
    await waitFor(
      'nothing is held',
      async () => (await openHolds(gateway)) === 0 && gateway.gateway.relay.inFlight() === 0,
    );
    const charged = async () => (await gateway.logs()).slice(rows).reduce((sum, { quota }) => sum + quota, 0);
    // A busy server may take in a call only after its client has left.
    await expect.poll(async () => balance - (await gateway.quotaOf(gateway.userId)) - (await charged())).toBe(0);
    await waitFor('nothing is held any more', async () => (await openHolds(gateway)) === 0);
    await gateway.verifyBooks();
  });

  it('F16 is booked once for a client that closes its half of the connection', async () => {
    const rows = await gateway.logCount();
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const call = await openRaw(gateway.url);
    const head = `host: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    call.socket.end(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    await call.closed;
    await waitFor('the call is over', async () => gateway.gateway.relay.inFlight() === 0 || undefined);
    expect((await gateway.logCount()) - rows).toBeLessThanOrEqual(1);
    expect(await openHolds(gateway)).toBe(0);
    await gateway.verifyBooks();
  });

  it('F20 is right for 300 calls sent at once on one connection, whose responses come in order', {
    timeout: 240_000,
  }, async () => {
    gateway.upstream.always((request) => {
      const { user } = request.json as { user: string };
      return json(200, chatResponse({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }, `n${user}.`));
    });
    const call = await openRaw(gateway.url);
    const calls = Array.from({ length: 300 }, (_, index) => {
      const body = JSON.stringify({
        model: 'gpt-4o-mini',
        user: String(index),
        messages: [{ role: 'user', content: 'hi' }],
      });
      const head = `host: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
      return `POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n${body}`;
    });
    call.socket.write(calls.join(''));
    const order = () => [...call.text().matchAll(/"content":"n(\d+)\."/g)].map(([, number]) => Number(number));
    const responses = () => call.text().split('HTTP/1.1 ').slice(1);
    const refused = () => responses().filter((response) => !response.startsWith('200'));
    await waitFor('300 responses', async () => responses().length === 300, 180_000);
    expect(refused(), refused()[0]).toEqual([]);
    await waitFor('300 answers', async () => order().length === 300);
    expect(order()).toEqual(Array.from({ length: 300 }, (_, index) => index));
    call.socket.destroy();
    await gateway.verifyBooks();
  });

  describe('of a user whose balance runs out', () => {
    it('M2 ends the stream with the quota error, settled, and hardly below nothing', async () => {
      const { id, key } = await poorUser(200);
      gateway.upstream.respond(words(4000, 1));
      const response = await gateway.chat({ stream: true, max_tokens: 10 }, { key });
      const { chunks, done: ends } = await collectSse(response);
      expect(ends).toBe(0);
      const error = expectErrorShape(chunks.at(-1), response.headers.get('x-request-id') ?? '');
      expect(error.code).toBe('insufficient_user_quota');
      const row = await expectCharged(gateway);
      expect(row.other.outcome).toBe('stopped');
      expect(row.user_id).toBe(id);
      expect(await gateway.quotaOf(id)).toBeGreaterThan(-100);
      expect(gateway.upstream.requests[0]?.aborted).toBe(true);
    });

    it('M2 lets no stream run far ahead of its hold while the database is slow', async () => {
      const { id, key } = await poorUser(100);
      gateway.upstream.respond(words(4000, 1));
      const response = await gateway.chat({ stream: true, max_tokens: 10 }, { key });
      await withLockedUsers(gateway, 1200);
      const { chunks, done: ends } = await collectSse(response);
      expect(ends).toBe(0);
      const error = expectErrorShape(chunks.at(-1), response.headers.get('x-request-id') ?? '');
      expect(error.code).toBe('insufficient_user_quota');
      await expectCharged(gateway);
      expect(await gateway.quotaOf(id)).toBeGreaterThan(-20);
    });

    it('runs on with QuotaHardStop off, and goes below nothing', async () => {
      await gateway.setOption('QuotaHardStop', 'false');
      const { id, key } = await poorUser(100);
      gateway.upstream.respond(words(700, 1));
      const { done: ends } = await collectSse(await gateway.chat({ stream: true, max_tokens: 10 }, { key }));
      expect(ends).toBe(1);
      const row = await expectCharged(gateway);
      expect(row.completion_tokens).toBeGreaterThanOrEqual(700);
      expect(await gateway.quotaOf(id)).toBe(100 - row.quota);
      await gateway.setOption('QuotaHardStop', 'true');
    });

    it('M1 lets in as many calls at once as the balance covers', async () => {
      // One call holds 1000 x 4 x 0.075 for its response and a little for its prompt.
      const { id, key } = await poorUser(10 * 305);
      gateway.upstream.always({
        ...json(200, chatResponse({ prompt_tokens: 20, completion_tokens: 10 })),
        // Longer than a busy machine needs to take in all of them.
        firstByteMs: 3000,
      });
      const calls = Array.from({ length: 40 }, () => gateway.chat({ max_tokens: 1000 }, { key }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      const served = statuses.filter((status) => status === 200).length;
      expect(served).toBeGreaterThanOrEqual(9);
      expect(served).toBeLessThanOrEqual(10);
      expect(statuses.filter((status) => status === 403)).toHaveLength(40 - served);
      expect(await gateway.quotaOf(id)).toBe(3050 - served * 5);
      await expectCharged(gateway);
    });
  });

  it('of pictures is by their number, size and quality, and none for a refusal', async () => {
    const picture = { model: 'dall-e-3', prompt: 'a dot', n: 1, size: '1792x1024', quality: 'hd' };
    expect((await gateway.call('/v1/images/generations', picture)).status).toBe(200);
    const row = await expectCharged(gateway);
    expect(row.quota).toBeGreaterThan(0);
    expect(billOf(row).extras).toMatchObject({ calls: 1 });
    gateway.upstream.respond(failure(400, { code: 'content_policy_violation', type: 'image_generation_user_error' }));
    await expectRefused(gateway, () => gateway.call('/v1/images/generations', picture), {
      status: 400,
      upstreamCalls: 1,
    });
  });

  it('counts the pictures that came, where fewer came than were asked for', async () => {
    await gateway.setOption('ModelPrice', JSON.stringify({ 'dall-e-2': 0.02 }));
    const picture = { url: 'https://cdn.example/1.png' };
    const drawn = async (data: object[]) => {
      gateway.upstream.respond(json(200, { created: 1, data }));
      const asked = { model: 'dall-e-2', prompt: 'a cat', n: 4 };
      expect((await gateway.call('/v1/images/generations', asked)).status).toBe(200);
      return (await expectCharged(gateway)).quota;
    };
    const all = await drawn([picture, picture, picture, picture]);
    expect(all).toBeGreaterThan(0);
    expect(await drawn([picture])).toBe(all / 4);
    expect(await drawn([picture, picture, picture, picture, picture])).toBe(all);
    expect(await drawn([])).toBe(0);
  });

  it('counts pictures under the names that SiliconCloud has for their number and size', async () => {
    await gateway.addChannel({ type: 40, name: 'flux', models: 'flux' });
    await gateway.setOption('ModelPrice', JSON.stringify({ flux: 0.02 }));
    const images = Array.from({ length: 4 }, () => ({ url: 'https://cdn.example/1.png' }));
    gateway.upstream.always(json(200, { images }));
    const draw = (more: object) => gateway.call('/v1/images/generations', { model: 'flux', prompt: 'a cat', ...more });
    for (const [more, quota] of [
      [{ batch_size: 4 }, 40_000],
      [{ n: 4, batch_size: 4, image_size: '256x256' }, 16_000],
    ] as const) {
      expect((await draw(more)).status).toBe(200);
      expect((await expectCharged(gateway)).quota).toBe(quota);
      expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({ batch_size: 4 });
    }
    for (const [more, param] of [
      [{ n: 1, batch_size: 4 }, 'batch_size'],
      [{ size: '256x256', image_size: '1024x1024' }, 'image_size'],
    ] as const) {
      await expectRefused(gateway, () => draw(more), { status: 400, param, says: /affects the price/ });
    }
  });

  it('A-072 is booked without a log row while LogConsumeEnabled is off', async () => {
    await gateway.setOption('LogConsumeEnabled', 'false');
    const rows = await gateway.logCount();
    const before = await gateway.quotaOf(gateway.userId);
    await (await gateway.chat()).text();
    await collectSse(await gateway.chat({ stream: true }));
    expect(await gateway.logCount()).toBe(rows);
    expect(before - (await gateway.quotaOf(gateway.userId))).toBe(10);
    await gateway.verifyBooks();
    await gateway.setOption('LogConsumeEnabled', 'true');
    await gateway.verifyBooks();
  });

  it('leaves no hold behind in any of these cases', async () => {
    expect(await openHolds(gateway)).toBe(0);
    expect(gateway.gateway.relay.inFlight()).toBe(0);
    await gateway.app.services.users.adjustQuota(systemActor, { id: gateway.userId, amount: 1, note: '' });
    await gateway.verifyBooks();
  });
});

describe.each(engines)('a stopping gateway (%s)', (engine) => {
  it('R7 takes no new calls, lets running ones end, ends the rest visibly, and settles all of them', async () => {
    const gateway = await startGateway(engine);
    const keptAlive = await openRaw(gateway.url);
    const short = Array.from({ length: 10 }, () => words(10, 20));
    const long = Array.from({ length: 10 }, () => words(2000, 20));
    const silent = Array.from({ length: 5 }, () => stall('headers'));
    gateway.upstream.respond(...short, ...long, ...silent);
    const calls = Array.from({ length: 25 }, () => gateway.chat({ stream: true }));
    await gateway.upstream.waitForRequests(25);
    const drained = gateway.gateway.drain(1500);
    keptAlive.socket.write(`GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n`);
    await waitFor('not ready', async () => keptAlive.text().includes(' 503 ') || undefined);
    // The port is closed; a connection that is still open is told so.
    const late = await gateway.chat().catch(() => undefined);
    expect(late?.status ?? 503).toBe(503);

    const streams = await Promise.allSettled(
      calls.map(async (call) => {
        const response = await call;
        if (response.status !== 200) return { status: response.status, done: 0, chunks: [await response.json()] };
        return { status: 200, ...(await collectSse(response)) };
      }),
    );
    await drained;
    const ends = streams.map((stream) => (stream.status === 'fulfilled' ? stream.value : undefined));
    expect(ends.filter((end) => end?.done === 1)).toHaveLength(10);
    const stopped = ends.filter((end) => end?.done === 0);
    expect(stopped).toHaveLength(15);
    for (const end of stopped) expect(end?.chunks.at(-1)).toMatchObject({ error: { code: 'server_draining' } });
    expect(stopped.filter((end) => end?.status === 503)).toHaveLength(5);
    expect(await openHolds(gateway)).toBe(0);
    const outcomes = (await gateway.logs()).map(({ other }) => other.outcome);
    expect(outcomes.filter((outcome) => outcome === 'complete')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'stopped')).toHaveLength(10);
    await gateway.verifyBooks();
    keptAlive.socket.destroy();
    await gateway.stop();
  });

  it('R7 responds with 503 to a call on a connection that is still open and closes it', async () => {
    const gateway = await startGateway(engine);
    gateway.upstream.respond(words(20, 50));
    const running = gateway.chat({ stream: true });
    await gateway.upstream.waitForRequests(1);
    const kept = await openRaw(gateway.url);
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    kept.socket.write(head.slice(0, 30));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const drained = gateway.gateway.drain(5000);
    kept.socket.write(head.slice(30) + body);
    await kept.closed;
    expect(kept.text()).toMatch(/^HTTP\/1\.1 503 /);
    expect(kept.text()).toMatch(/retry-after: \d/i);
    expect(kept.text()).toMatch(/connection: close/i);
    expect((await collectSse(await running)).done).toBe(1);
    await drained;
    expect(gateway.upstream.requests).toHaveLength(1);
    await gateway.verifyBooks();
    await gateway.stop();
  });
});
