import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { finish } from '../../../../core/lib/steps.ts';
import { chatClients } from '../../../../core/wire/chat-client.ts';
import { readingOf } from '../../../../core/wire/chat-reading.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { drawing } from '../../../support/vendor/qwen.ts';
import { adapterOf, channelOf, hello, send } from '../call.ts';

const nativeChannel = channelOf(17, { setting: { native: true } });

function write(body: Record<string, unknown>, model = 'qwen-plus') {
  const request = finish(chatClients['openai-chat'].readRequest({ model, messages: hello, ...body }));
  const codec = adapterOf(17).ownChat?.(model, nativeChannel)?.codec;
  const written = codec && finish(codec.writeRequest(request, { defaultMaxOutput: 9, model }));
  return { body: written?.body, losses: written?.losses.map(({ field, kind }) => `${field} ${kind}`) };
}

describe('a native chat call for Qwen', () => {
  it('has everything but the conversation among its parameters', () => {
    const { body, losses } = write({
      stream: true,
      max_tokens: 50,
      temperature: 2,
      top_p: 1,
      top_k: 9,
      seed: 3,
      stop: ['a'],
      presence_penalty: 1,
      frequency_penalty: 1,
      user: 'me',
      repetition_penalty: 1.1,
      search_options: { forced_search: true },
    });
    expect(body).toEqual({
      model: 'qwen-plus',
      input: { messages: hello },
      parameters: {
        max_tokens: 50,
        temperature: 1.99,
        top_p: 0.9999,
        top_k: 9,
        seed: 3,
        stop: ['a'],
        presence_penalty: 1,
        repetition_penalty: 1.1,
        search_options: { forced_search: true },
        incremental_output: true,
        result_format: 'message',
      },
    });
    expect(losses).toEqual(['frequency_penalty dropped', 'safety_identifier dropped']);
  });

  it.each([
    ['qwen-plus-internet', {}, { model: 'qwen-plus', parameters: { enable_search: true } }],
    ['qwen3-32b', {}, { parameters: { enable_thinking: false } }],
    ['qwen-plus', { reasoning_effort: 'none' }, { parameters: { enable_thinking: false } }],
    ['qwen-plus', { reasoning_effort: 'high' }, { parameters: { enable_thinking: true } }],
    [
      'qwen-plus',
      { enable_thinking: true, thinking_budget: 5 },
      { parameters: { enable_thinking: true, thinking_budget: 5 } },
    ],
  ])('of %s with %o', (model, body, expected) => {
    expect(write(body, model).body).toMatchObject(expected);
  });

  it('is the way to models that only it has, which hear', () => {
    expect(adapterOf(17).ownChat?.('qwen-plus', channelOf(17))).toBeUndefined();
    expect(adapterOf(17).ownChat?.('qwen-audio-turbo', channelOf(17))).toBeDefined();
    const sound = { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What?' }, sound] }];
    expect(write({ messages }, 'qwen-audio-turbo').body?.input).toEqual({
      messages: [{ role: 'user', content: [{ text: 'What?' }, { audio: 'data:audio/wav;base64,AA' }] }],
    });
    expect(() => write({ messages })).toThrow(/messages/);
  });

  it('may get a response in the older form, without a message', () => {
    const codec = adapterOf(17).ownChat?.('qwen-plus', nativeChannel)?.codec;
    const context = { identity: { id: 'x', model: 'm', created: 9 } };
    const usage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 };
    const events =
      codec?.readResponse({ output: { text: 'Hi', finish_reason: 'stop' }, usage, request_id: 'r' }, context) ?? [];
    expect(readingOf(events)).toMatchObject({ text: 'Hi', finished: true, usage: { prompt: 3, completion: 1 } });
  });
});

describe('a compatible call for Qwen', () => {
  it.each(['https://d.example', 'https://d.example/api/v1/', 'https://d.example/compatible-mode/v1'])(
    'finds its way from %s, and so do ranks',
    (base_url) => {
      const chat = send(17, { model: 'm', messages: hello }, { channel: { base_url } });
      expect(chat.url).toBe('https://d.example/compatible-mode/v1/chat/completions');
      const rank = send(
        17,
        { model: 'm', query: 'q', documents: ['a'] },
        { protocol: 'rerank', channel: { base_url } },
      );
      expect(rank.url).toBe('https://d.example/api/v1/services/rerank/text-rerank/text-rerank');
    },
  );

  it('keeps an open model from thinking where it would refuse a whole response', () => {
    const asked = { model: 'qwen3-32b', messages: hello };
    expect(send(17, asked).body).toMatchObject({ enable_thinking: false });
    expect(send(17, { ...asked, stream: true }).body).not.toHaveProperty('enable_thinking');
    expect(send(17, { ...asked, enable_thinking: true }).body).toMatchObject({ enable_thinking: true });
  });
});

describe('a picture of Qwen', () => {
  let gateway: TestGateway;
  const model = 'wanx2.1-t2i-turbo';

  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    await gateway.addChannel({ type: 17, name: 'wanx', models: model, key: 'sk-wanx' });
    await gateway.setOption('ModelPrice', JSON.stringify({ [model]: 0.02 }));
  });
  afterEach(async () => {
    gateway.upstream.reset();
    await gateway.verifyBooks();
  });
  afterAll(() => gateway.stop());

  const draw = (body: object = {}) => gateway.call('/v1/images/generations', { model, prompt: 'a cat', ...body });

  it('is asked for until it is there, and paid once', async () => {
    gateway.upstream.always(drawing());
    const before = await gateway.quotaOf(gateway.userId);
    const response = await draw({ size: '1024x720', seed: 5, style: '<anime>' });
    expect(await response.json()).toMatchObject({ data: [{ url: 'https://img.example/1.png' }] });
    const [begun, ...questions] = gateway.upstream.requests;
    expect(begun?.json).toEqual({
      model,
      input: { prompt: 'a cat' },
      parameters: { size: '1024*720', n: 1, seed: 5, style: '<anime>' },
    });
    expect(questions.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill('GET /api/v1/tasks/t-1'));
    expect(questions[0]?.headers).toMatchObject({ authorization: 'Bearer sk-wanx' });
    expect(questions[0]?.headers).not.toHaveProperty('x-dashscope-async');
    expect(before - (await gateway.quotaOf(gateway.userId))).toBe(10_000);
  });

  it.each([
    ['DataInspectionFailed', 400],
    ['InternalError.Algo', 503],
  ])('that failed with %s costs nothing, and says why', async (code, status) => {
    const before = await gateway.quotaOf(gateway.userId);
    gateway.upstream.always(({ method }) => {
      const output =
        method === 'POST' ? { task_status: 'PENDING' } : { task_status: 'FAILED', code, message: 'It failed.' };
      return json(200, { output: { task_id: 't-1', ...output }, request_id: 'r' });
    });
    const response = await draw();
    expect(response.status).toBe(status);
    expect(await response.text()).toContain('It failed.');
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });

  it('is given up with its client', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    gateway.upstream.always(() => json(200, { output: { task_id: 't-1', task_status: 'PENDING' } }));
    const leaving = new AbortController();
    const body = { model, prompt: 'a cat' };
    const call = gateway.call('/v1/images/generations', body, { signal: leaving.signal }).catch(() => undefined);
    await gateway.upstream.waitForRequests(2);
    leaving.abort();
    await call;
    await gateway.gateway.drain(5000);
    const asked = gateway.upstream.requests.length;
    expect(asked).toBeLessThan(5);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
  });
});
