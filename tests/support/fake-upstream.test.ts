import { connect } from 'node:net';
import OpenAI, { toFile } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { speechBytes } from './openai-results.ts';
import { collectSse } from './sse.ts';
import {
  chunked,
  cut,
  echo,
  failure,
  fixture,
  fixtureBytes,
  huge,
  json,
  raw,
  slow,
  sse,
  stall,
} from './upstream-script.ts';

let upstream: FakeUpstream;
let client: OpenAI;
const messages = [{ role: 'user' as const, content: 'hi' }];

beforeEach(async () => {
  upstream = await startFakeUpstream();
  client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'sk-fake', maxRetries: 0 });
});
afterEach(() => upstream.close());

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: 'Bearer sk-fake', 'content-type': 'application/json' };
  return fetch(`${upstream.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

const chat = (signal?: AbortSignal) => post('/v1/chat/completions', { model: 'gpt-4o-mini', messages }, signal);

describe('fake upstream without a script', () => {
  it('serves a chat as the official client expects, plain, streamed and with tools', async () => {
    const plain = await client.chat.completions.create({ model: 'gpt-4o-mini', messages });
    expect(plain.choices[0]?.message.content).toBe(upstream.defaults.text);
    expect(plain.usage?.total_tokens).toBe(30);

    const stream = client.chat.completions.stream({
      model: 'gpt-4o-mini',
      messages,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(upstream.defaults.text);
    expect(final.usage?.completion_tokens).toBe(10);

    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
    const called = await client.chat.completions
      .stream({ model: 'gpt-4o-mini', messages, tools })
      .finalChatCompletion();
    expect(called.choices[0]?.finish_reason).toBe('tool_calls');
    expect(called.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'weather', arguments: '{"city":"Oslo"}' },
    });
  });

  it('leaves the usage chunk out unless it was asked for', async () => {
    const without = await collectSse(await post('/v1/chat/completions', { model: 'm', messages, stream: true }));
    expect(without.chunks.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(without.done).toBe(1);
  });

  it('serves embeddings, images, audio, moderation and models to the official client', async () => {
    const embedding = await client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
    expect(embedding.data.map((item) => item.embedding.length)).toEqual([8, 8]);
    const image = await client.images.generate({ model: 'gpt-image-1', prompt: 'dot', n: 2 });
    expect(image.data).toHaveLength(2);
    const file = await toFile(Buffer.from('sound'), 'a.wav');
    const edit = await client.images.edit({ model: 'dall-e-2', prompt: 'dot', image: file });
    expect(edit.data?.[0]?.url).toContain('https://');
    const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hi' });
    expect(Buffer.from(await speech.arrayBuffer())).toEqual(speechBytes);
    const text = await client.audio.transcriptions.create({ model: 'whisper-1', file });
    expect(text).toMatchObject({ text: upstream.defaults.text, usage: { type: 'duration', seconds: 4 } });
    expect(upstream.requests.at(-1)?.form?.files[0]).toMatchObject({ filename: 'a.wav', body: Buffer.from('sound') });
    const verdict = await client.moderations.create({ input: 'hi' });
    expect(Object.keys(verdict.results[0]?.categories ?? {})).toHaveLength(13);
    expect((await client.models.list()).data.map((model) => model.id)).toContain('gpt-4o-mini');
  });

  it('knows the Azure deployment paths and its key header', async () => {
    const path = '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21';
    const body = JSON.stringify({ messages });
    const response = await fetch(upstream.url + path, { method: 'POST', headers: { 'api-key': 'k' }, body });
    expect(await response.json()).toMatchObject({ model: 'gpt-4o' });
  });

  it('refuses a call without a key, and an unknown path', async () => {
    expect((await fetch(`${upstream.url}/v1/models`)).status).toBe(401);
    expect((await post('/v1/v1/chat/completions', {})).status).toBe(404);
  });
});

describe('fake upstream with a script', () => {
  it('serves queued responses first, then the path, then the standing one', async () => {
    upstream.always(json(200, { from: 'always' }));
    upstream.route('/v1/embeddings', json(200, { from: 'route' }));
    upstream.respond('openai/chat.json', failure(429, { headers: { 'retry-after': '7' } }));
    expect(await (await chat()).json()).toMatchObject({ id: 'chatcmpl-fx2' });
    expect((await chat()).headers.get('retry-after')).toBe('7');
    expect(await (await post('/v1/embeddings', {})).json()).toEqual({ from: 'route' });
    expect(await (await chat()).json()).toEqual({ from: 'always' });
  });

  it('sends a recorded stream byte for byte, however it is cut into packets', async () => {
    upstream.respond('compatible/usage-every-chunk.sse', chunked('openai/chat.sse', 1, 7, 3), slow(sse(['[DONE]']), 1));
    expect(await (await chat()).text()).toBe(fixtureBytes('compatible/usage-every-chunk.sse').toString());
    expect((await collectSse(await chat())).text).toBe('Hi there. 你好。');
    expect(await (await chat()).text()).toBe('data: [DONE]\n\n');
  });

  it('ends the connection after exactly so many bytes', async () => {
    upstream.always(cut('openai/chat.sse', 100));
    const received: Buffer[] = [];
    const reading = (async () => {
      for await (const part of (await chat()).body ?? []) received.push(Buffer.from(part));
    })();
    await expect(reading).rejects.toThrow();
    expect(Buffer.concat(received)).toEqual(fixtureBytes('openai/chat.sse').subarray(0, 100));
    upstream.always(cut('openai/chat.json', -1, 'reset'));
    await expect(chat()).rejects.toThrow();
    expect(upstream.requests.map((request) => request.aborted)).toEqual([false, false]);
  });

  it('falls silent at each stage, and tells when the caller gives up', async () => {
    for (const script of [stall('accept'), stall('headers'), stall('body', 'openai/chat.sse', 50)]) {
      const before = upstream.requests.length;
      upstream.respond(script);
      const caller = new AbortController();
      const reading = chat(caller.signal).then((response) => response.text());
      const outcome = Promise.race([reading, new Promise((done) => setTimeout(done, 150, 'silent'))]);
      expect(await outcome).toBe('silent');
      caller.abort();
      await expect(reading).rejects.toThrow();
      const record = upstream.requests[before];
      await record?.closed;
      expect(record?.aborted).toBe(script.stall === 'accept' ? undefined : true);
    }
  });

  it('puts raw bytes on the wire, makes long bodies, and echoes', async () => {
    upstream.respond(raw('HTTP/1.1 299 Odd\r\ncontent-length: 2\r\n\r\nok'), huge(3_000_000), echo());
    expect((await chat()).status).toBe(299);
    expect((await (await chat()).arrayBuffer()).byteLength).toBe(3_000_000);
    expect(await (await chat()).json()).toMatchObject({ path: '/v1/chat/completions', body: { model: 'gpt-4o-mini' } });
  });

  it('lists a call while its body is still coming, and counts open sockets', async () => {
    const socket = connect(upstream.port, '127.0.0.1');
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12345');
    const [request] = await upstream.waitForRequests(1);
    await expect.poll(() => request?.receivedBytes).toBe(5);
    expect(request?.complete).toBe(false);
    expect(upstream.openSockets()).toBe(1);
    socket.destroy();
    await expect.poll(() => upstream.openSockets()).toBe(0);
    expect(request?.aborted).toBe(true);
  });

  it('takes status and headers beside a fixture', async () => {
    upstream.respond(fixture('openai/error-quota.json', { status: 429, headers: { 'x-test': '1' } }));
    const response = await chat();
    expect([response.status, response.headers.get('x-test')]).toEqual([429, '1']);
  });
});
