import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunDecoder } from '../../../../core/providers/cloudflare/completion.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { chunked, json, sse } from '../../../support/upstream-script.ts';
import { send } from '../call.ts';

let gateway: TestGateway;
let openai: OpenAI;
const model = '@cf/meta/llama-3.1-8b-instruct';
const draws = '@cf/stabilityai/stable-diffusion';
const hears = '@cf/openai/whisper-large-v3-turbo';
const usage = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ type: 39, key: 'token', other: 'acc1', models: `${model},${draws},${hears}` });
  await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1, [draws]: 1, [hears]: 1 }));
  openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const charged = async () => await gateway.lastLog();

describe('chat of Workers AI', () => {
  it('is in the words of OpenAI where older models leave out or misspell what its clients read', async () => {
    const called = { function: { name: 'look', arguments: { at: 'sea' } } };
    gateway.upstream.respond(
      json(200, { choices: [{ index: 0, message: { content: null, tool_calls: [called] }, finish_reason: 'stop' }] }),
    );
    const response = await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Say' }] });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model,
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            tool_calls: [
              { id: expect.any(String), type: 'function', function: { name: 'look', arguments: '{"at":"sea"}' } },
            ],
          },
        },
      ],
    });
  });
});

describe('completions of Workers AI', () => {
  it('are runs of the model, whole', async () => {
    const result = { response: 'Hello', usage };
    gateway.upstream.respond(json(200, { result, success: true, errors: [], messages: [] }));
    const response = await openai.completions.create({ model, prompt: 'Say', temperature: 0.5 });
    expect(response).toMatchObject({ object: 'text_completion', model, choices: [{ text: 'Hello' }], usage });
    const [sent] = gateway.upstream.requests.slice(-1);
    expect(sent?.path).toBe(`/client/v4/accounts/acc1/ai/run/${model}`);
    expect(sent?.json).toEqual({ prompt: 'Say', max_tokens: 2048, stream: false, temperature: 0.5 });
    expect(await charged()).toMatchObject({ prompt_tokens: 11, completion_tokens: 2 });
  });

  it('are runs of the model, streamed, wherever the bytes are cut', async () => {
    const events = [{ response: 'Hel', p: 'abc' }, { response: 'lö' }, { response: '', usage }, '[DONE]'];
    gateway.upstream.respond(chunked(sse(events), 1, 5, 3));
    let text = '';
    for await (const { choices } of await openai.completions.create({ model, prompt: 'Say', stream: true }))
      text += choices[0]?.text ?? '';
    expect(text).toBe('Hellö');
    expect(await charged()).toMatchObject({ prompt_tokens: 11, completion_tokens: 2 });
  });

  it('take one text', () => {
    const build = (prompt: unknown) =>
      send(39, { model, prompt }, { protocol: 'openai-completion', channel: { other: 'a' } }).body;
    expect(build(['one'])).toMatchObject({ prompt: 'one' });
    expect(() => build(['one', 'two'])).toThrow(/lists/);
    expect(() => build([1, 2])).toThrow(/token ids/);
  });
});

describe('pictures of Workers AI', () => {
  it('may come as their own bytes', async () => {
    const picture = Buffer.from('89504e470d0a1a0a00ff', 'hex');
    gateway.upstream.always({ status: 200, headers: { 'content-type': 'image/png' }, body: picture });
    const { data } = await openai.images.generate({ model: draws, prompt: 'A fjord', size: '512x512' });
    expect(data).toEqual([{ b64_json: picture.toString('base64') }]);
    expect(gateway.upstream.requests.at(-1)?.json).toEqual({ prompt: 'A fjord', width: 512, height: 512 });
    const asked = { model: draws, prompt: 'A fjord', response_format: 'url' as const };
    const address = `data:image/png;base64,${picture.toString('base64')}`;
    expect((await openai.images.generate(asked)).data).toEqual([{ url: address }]);
    gateway.upstream.reset();
  });

  it('are one at a time', () => {
    const options = { protocol: 'openai-image', channel: { other: 'a' } } as const;
    expect(() => send(39, { model: draws, prompt: 'x', n: 2 }, options)).toThrow(/n\b/);
  });
});

describe('the decoder of runs', () => {
  it.each([
    'data: {"choices":[{"delta":{"content":"\\"response\\""}}]}\n\n',
    'event: response.created\ndata: {"type":"response.created","response":{"id":"r"}}\n\n',
    '{"success":false,"errors":[]}',
    'data: [DONE]',
  ])('leaves alone what is not a run: %s', (text) => {
    expect(createRunDecoder().push(Buffer.from(text))).toBe(text);
  });
});

describe('transcripts of Workers AI', () => {
  const result = { text: 'Hello there.', vtt: 'WEBVTT\n\n00.000 --> 01.000\nHello there.' };
  const told = json(200, { result, success: true, errors: [], messages: [] });
  /** Longer than what is kept in memory, and no multiple of three. */
  const sound = Buffer.alloc(300_001, 'sound');

  it('send the newest model the sound as base64, whatever its length', async () => {
    gateway.upstream.respond(told);
    const file = await toFile(sound, 'voice.mp3', { type: 'audio/mpeg' });
    expect(await openai.audio.transcriptions.create({ model: hears, file })).toEqual({ text: 'Hello there.' });
    const [sent] = gateway.upstream.requests.slice(-1);
    expect(sent?.headers['content-length']).toBe(String(sent?.body.length));
    const { audio = '' } = (sent?.json ?? {}) as { audio?: string };
    expect(Buffer.from(audio, 'base64').equals(sound)).toBe(true);
  });

  it('come as text or captions where those are asked for; other forms are refused', async () => {
    const ask = async (response_format: 'text' | 'vtt' | 'srt') =>
      openai.audio.transcriptions.create({ model: hears, file: await toFile(sound, 'voice.mp3'), response_format });
    gateway.upstream.respond(told);
    expect(await ask('text')).toBe('Hello there.\n');
    gateway.upstream.respond(told);
    expect(await ask('vtt')).toBe(result.vtt);
    await expect(ask('srt')).rejects.toMatchObject({ status: 400, param: 'response_format' });
  });
});
