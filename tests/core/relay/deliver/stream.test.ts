import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { speechBytes } from '../../../support/openai-results.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { failure, fixture, json } from '../../../support/upstream-script.ts';
import { expectCharged, waitFor } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ name: 'all', models: 'gpt-3.5-turbo-instruct,gpt-image-1,gpt-4o-transcribe,tts-1' });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

function lastBody(): Record<string, unknown> {
  return gateway.upstream.requests.at(-1)?.json as Record<string, unknown>;
}

const asking = { stream: true, stream_options: { include_usage: true } };

describe('the usage of a stream', () => {
  it('is asked for behind the client’s back, and kept from it', async () => {
    const { chunks, done: ends } = await collectSse(await gateway.chat({ stream: true }));
    expect(lastBody().stream_options).toEqual({ include_usage: true });
    expect(ends).toBe(1);
    expect(chunks.some(({ choices }) => (choices as unknown[]).length === 0)).toBe(false);
    await expectCharged(gateway, { prompt: 20, completion: 10 });
  });

  it('is not said to be none in the meantime, unless the client asked for it', async () => {
    const words = ['Say ', ',"usage":null}', 'é\n', ' and', ' more', ' {"usage": null}'];
    const none = (event: object) => ({ ...event, usage: null });
    const spaced = 'data: {"id": "c", "choices": [{"index": 0, "delta": {"content": "."}}], "usage": null, "x": 1}\n\n';
    const parts = [...words.map((word) => none(says(word))), spaced, none(stops), uses(20, 10), done];
    for (const [more, expected] of [
      [{}, []],
      [{ stream_options: { include_usage: false } }, []],
      [asking, Array(words.length + 2).fill(null)],
    ] as const) {
      gateway.upstream.respond(streamOf(parts));
      const { chunks, text, done: ends } = await collectSse(await gateway.chat({ stream: true, ...more }));
      const told = chunks.filter((chunk) => 'usage' in chunk).map(({ usage }) => usage);
      expect(told.slice(0, words.length + 2)).toEqual(expected);
      expect([text, ends]).toEqual([`${words.join('')}.`, 1]);
      await expectCharged(gateway, { prompt: 20, completion: 10 });
    }
  });

  it('is shown to a client that asked, once', async () => {
    const { chunks } = await collectSse(await gateway.chat(asking));
    const shown = chunks.filter(({ usage }) => usage);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10 } });
    expect(chunks.at(-1)).toBe(shown[0]);
  });

  it('is made up for a client that asked when the upstream tells none, under the name of the stream', async () => {
    gateway.upstream.respond('compatible/usage-missing.sse');
    const { chunks, done: ends } = await collectSse(await gateway.chat(asking));
    const row = await expectCharged(gateway);
    expect(row.other.usage_source).toBe('counted');
    expect(ends).toBe(1);
    expect(chunks.at(-1)).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: row.prompt_tokens, completion_tokens: row.completion_tokens },
    });
  });

  it('that is on a chunk with text passes with it', async () => {
    gateway.upstream.respond('compatible/usage-every-chunk.sse');
    const { text } = await collectSse(await gateway.chat({ stream: true }));
    expect(text).toBe('你好');
    await expectCharged(gateway, { prompt: 3, completion: 2 });
  });

  it('is not asked for where the channel says that its upstream does not know how', async () => {
    await gateway.addChannel({ name: 'old', models: 'gpt-4o', setting: '{"stream_options":false}' });
    await collectSse(await gateway.chat({ ...asking, model: 'gpt-4o' }));
    expect(lastBody()).not.toHaveProperty('stream_options');
    expect((await expectCharged(gateway)).other.usage_source).toBe('counted');
  });

  it('is not asked for with FORCE_STREAM_OPTION off, unless the client does', async () => {
    const plain = await startGateway('sqlite', { FORCE_STREAM_OPTION: 'false' });
    await collectSse(await plain.chat({ stream: true }));
    expect(plain.upstream.requests[0]?.json).not.toHaveProperty('stream_options');
    expect((await expectCharged(plain)).other.usage_source).toBe('counted');
    await collectSse(await plain.chat(asking));
    expect((await expectCharged(plain)).other.usage_source).toBe('upstream');
    await plain.stop();
  });
});

describe('the option general_setting.ping_interval_enabled', () => {
  const pings = (text: string) => text.split(': ping\n\n').length - 1;
  const event = (part: object) => `data: ${JSON.stringify(part)}\n\n`;
  const rest = [says('llo'), stops, uses(20, 10)].map(event).join('');
  const silent = streamOf([says('He'), rest + done], { delayMs: 2300 });

  it('keeps a stream alive through the upstream’s silence with comments that no client sees', async () => {
    await gateway.setOption('general_setting.ping_interval_seconds', '1');
    await gateway.setOption('general_setting.ping_interval_enabled', 'true');
    gateway.upstream.respond(silent);
    const response = await gateway.chat({ stream: true });
    const raw = await response.text();
    expect(pings(raw)).toBeGreaterThan(1);
    expect(raw.trimEnd().endsWith('data: [DONE]')).toBe(true);
    await expectCharged(gateway);
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    gateway.upstream.respond(silent);
    let text = '';
    const stream = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello');
  });

  it('is off by default', async () => {
    await gateway.setOption('general_setting.ping_interval_enabled', 'false');
    gateway.upstream.respond(silent);
    expect(pings(await (await gateway.chat({ stream: true })).text())).toBe(0);
  });
});

describe('a stream', () => {
  it('has the headers that keep proxies from holding it back', async () => {
    const response = await gateway.chat({ stream: true });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    await response.text();
  });

  it('goes on as it comes: the first words are there while the rest is not', async () => {
    gateway.upstream.respond(streamOf([says('a'), says('b'), stops, done], { delayMs: 400 }));
    const { events } = await collectSse(await gateway.chat({ stream: true }));
    expect((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)).toBeGreaterThan(800);
  });

  it('R4 longer than RELAY_TIMEOUT ends visibly, and its part is charged', async () => {
    const timed = await startGateway('sqlite', { RELAY_TIMEOUT: '1' });
    timed.upstream.respond(streamOf(new Array(200).fill(says('word ')), { delayMs: 50 }));
    const { chunks, done: ends } = await collectSse(await timed.chat({ stream: true }));
    expect(ends).toBe(0);
    expect(chunks.at(-1)).toMatchObject({ error: { code: 'upstream_totalTimeout' } });
    const row = await expectCharged(timed);
    expect(row.other.outcome).toBe('broken');
    expect(row.completion_tokens).toBeLessThan(100);
    await timed.stop();
  });

  it('passes on what we do not know, byte for byte', async () => {
    const odd = { ...says('x'), service_tier: 'default', vendor: { deep: [1, null, '\u2028'] } };
    gateway.upstream.respond(
      streamOf([': comment\n\n', 'event: ping\n\n', 'event: odd\ndata: {}\n\n', odd, stops, done]),
    );
    const body = await (await gateway.chat({ stream: true })).text();
    expect(body).toBe(
      `: comment\n\nevent: odd\ndata: {}\n\ndata: ${JSON.stringify(odd)}\n\ndata: ${JSON.stringify(stops)}\n\n${done}`,
    );
  });

  it('of an SDK raises a typed error when it breaks, and reads whole when it does not', async () => {
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const ask = () =>
      client.chat.completions.create({
        model: 'gpt-4o-mini',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      });
    let text = '';
    for await (const chunk of await ask()) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello from upstream. 你好!');
    gateway.upstream.respond('openai/chat-error-midway.sse');
    const read = async () => {
      for await (const _chunk of await ask());
    };
    await expect(read()).rejects.toThrow(OpenAI.APIError);
    gateway.upstream.always(failure(429, { headers: { 'retry-after': '30' } }));
    await expect(ask()).rejects.toThrow(OpenAI.RateLimitError);
    await expect(
      new OpenAI({ apiKey: 'sk-x', baseURL: `${gateway.url}/v1`, maxRetries: 0 }).models.list(),
    ).rejects.toThrow(OpenAI.AuthenticationError);
    await gateway.verifyBooks();
    gateway.gateway.relay.breaker.succeed(1);
  });

  it('of completions, transcriptions and pictures ends right and is charged by its own usage', async () => {
    gateway.upstream.respond('openai/completion.sse');
    const words = await collectSse(
      await gateway.call('/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'x', stream: true }),
    );
    expect([words.text, words.done]).toEqual([' Oslo.', 1]);
    await expectCharged(gateway, { prompt: 5, completion: 3 });

    gateway.upstream.respond('openai/image.sse');
    const picture = await gateway.call('/v1/images/generations', { model: 'gpt-image-1', prompt: 'x', stream: true });
    expect(await picture.text()).toBe(Buffer.concat(fixture('openai/image.sse').pieces ?? []).toString());
    await expectCharged(gateway, { prompt: 50, completion: 272, imageInput: 40 });

    const form = new FormData();
    form.set('model', 'gpt-4o-transcribe');
    form.set('stream', 'true');
    form.set('file', new Blob([Buffer.alloc(4000)]), 'a.mp3');
    const headers = { authorization: `Bearer ${gateway.key}` };
    const url = `${gateway.url}/v1/audio/transcriptions`;
    const spoken = await (await fetch(url, { method: 'POST', headers, body: form })).text();
    expect(spoken).toContain('transcript.text.done');
    expect(spoken).not.toContain('[DONE]');
    await expectCharged(gateway, { prompt: 20, completion: 10, audioInput: 20 });
  });

  it('of a transcription that comes as plain text has that text', async () => {
    const form = new FormData();
    form.set('model', 'gpt-4o-transcribe');
    form.set('stream', 'true');
    form.set('response_format', 'text');
    form.set('file', new Blob([Buffer.alloc(4000)]), 'a.mp3');
    const headers = { authorization: `Bearer ${gateway.key}` };
    for (const said of ['Date: the 1st of May. 你好\n', '{"not": JSON']) {
      const plain = { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(said) };
      gateway.upstream.respond(plain);
      const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect((await collectSse(response)).chunks).toEqual([
        { type: 'transcript.text.delta', delta: said },
        { type: 'transcript.text.done', text: said },
      ]);
      expect((await expectCharged(gateway)).quota).toBeGreaterThan(0);
    }
    const page = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('<html>Sign in</html>') };
    gateway.upstream.always(page);
    const refused = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    expect(refused.status).toBe(502);
    gateway.gateway.relay.breaker.succeed(1);
  });

  it('of speech is sound, byte for byte, and charged by the characters spoken', async () => {
    const response = await gateway.call('/v1/audio/speech', { model: 'tts-1', input: 'Hello 你好', voice: 'alloy' });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await response.arrayBuffer()).equals(speechBytes)).toBe(true);
    await expectCharged(gateway, { prompt: 8 });
  });
});

describe('a client that reads slowly', () => {
  const event = Buffer.from(`data: ${JSON.stringify(says('x'.repeat(60_000)))}\n\n`);
  const events = 1200;

  it('F17 holds the upstream back instead of filling our memory, and gets every byte in the end', async () => {
    const reply = streamOf([...new Array(events).fill(event), stops, uses(1, 1), done]);
    const pieces = reply.pieces ?? [];
    let taken = 0;
    // Counts what the upstream gets rid of: it stops without a reader.
    pieces[Symbol.iterator] = function* () {
      for (let index = 0; index < pieces.length; index += 1) {
        taken += 1;
        yield pieces.at(index) ?? event;
      }
      return undefined;
    };
    gateway.upstream.respond(reply);
    const response = await gateway.chat({ stream: true });
    const reader = response.body?.getReader();
    let bytes = 0;
    for (let turn = 0; turn < 15; turn += 1) {
      bytes += (await reader?.read())?.value?.length ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // Of 72 MB; what is not with the client lies mostly in the system's socket buffers, of which there are four.
    expect(taken).toBeLessThan(events / 2);
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) bytes += part.value.length;
    expect(bytes).toBe(event.length * events + `data: ${JSON.stringify(stops)}\n\n`.length + done.length);
    await expectCharged(gateway, { prompt: 1, completion: 1 });
  });

  it('F18 and at last not at all is given up, and its upstream with it', async () => {
    const strict = await startGateway('sqlite', {}, { limits: { writeMs: 1000 } });
    strict.upstream.respond(streamOf([...new Array(events).fill(event), stops, done]));
    const response = await strict.chat({ stream: true });
    await waitFor('the upstream call is over', async () => strict.upstream.requests[0]?.aborted, 8000);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await waitFor('the call is settled', async () => (await strict.logCount()) === 1);
    expect((await expectCharged(strict)).other.outcome).toBe('clientGone');
    await strict.stop();
  });
});

describe('a stream of several responses', () => {
  const piece = (index: number, text: string, finish: string | null) => ({
    ...says(''),
    choices: [{ index, delta: { content: text }, finish_reason: finish }],
  });
  const ask = () => gateway.chat({ n: 2, stream: true, max_tokens: 10 });

  it('is broken when the connection ends after one of them, and the part that came is charged', async () => {
    gateway.upstream.respond(streamOf([piece(0, 'one', null), piece(0, '', 'stop')]));
    const text = await (await ask()).text();
    expect(text).toContain('"content":"one"');
    expect(text).toContain('upstream_broken');
    expect(text).not.toContain('[DONE]');
    expect((await gateway.lastLog())?.quota).toBeGreaterThan(0);
  });

  it.each([
    ['with both', [piece(0, 'one', 'stop'), piece(1, 'two', 'stop')]],
    ['with one, of a vendor that ignores n and says that it is done', [piece(0, 'one', 'stop'), done]],
  ])('is whole %s', async (_name, events) => {
    gateway.upstream.respond(streamOf(events));
    const { done } = await collectSse(await ask());
    expect(done).toBe(1);
  });

  it('is whole when a document with one response comes in its place', async () => {
    const message = { role: 'assistant', content: 'one' };
    gateway.upstream.respond(
      json(200, { ...says(''), object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    );
    const { done, text } = await collectSse(await ask());
    expect([done, text]).toEqual([1, 'one']);
  });
});
