import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnChatCall } from '../../../../core/providers/adapter.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { fastGpt, fastGptChunk, named } from '../../../support/vendor/fastgpt.ts';
import { adapterOf, channelOf } from '../call.ts';

let gateway: TestGateway;
let openai: OpenAI;
const model = 'my-app';
const messages = [{ role: 'user' as const, content: 'Hi' }];

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ type: 22, key: 'fastgpt-a-b', models: model });
  await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
  openai = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const identity = { id: expect.stringMatching(/^chatcmpl-./), created: expect.any(Number), model };

describe('an app of FastGPT', () => {
  it.each([
    ['', 'https://fastgpt.run/api/openapi/v1/chat/completions'],
    ['https://kb.example/api', 'https://kb.example/api/v1/chat/completions'],
  ])('at the address %j gets the key whole', (base_url, url) => {
    const channel = channelOf(22, { base_url, key: 'fastgpt-demo-64f' });
    const built = adapterOf(22)
      .ownChat?.('m', channel)
      ?.buildRequest({} as OwnChatCall, channel);
    expect(built).toMatchObject({ url, headers: { authorization: 'Bearer fastgpt-demo-64f' } });
  });

  it('gets a name, a kind and a time for its whole responses, and usage as we count it', async () => {
    gateway.upstream.respond(fastGpt.chat?.text.whole ?? '');
    const response = await openai.chat.completions.create({ model, messages });
    expect(response).toMatchObject({ ...identity, object: 'chat.completion' });
    expect(response.created).toBeGreaterThan(0);
    const row = await gateway.lastLog();
    expect(row?.other).toMatchObject({ usage_source: 'counted' });
    expect(response.usage).toMatchObject({
      prompt_tokens: row?.prompt_tokens,
      completion_tokens: row?.completion_tokens,
    });
    expect(row?.completion_tokens).toBeGreaterThan(1);
  });

  it('gets them for every piece of a stream', async () => {
    gateway.upstream.respond(fastGpt.chat?.text.stream ?? '');
    for await (const chunk of await openai.chat.completions.create({ model, messages, stream: true })) {
      expect(chunk).toMatchObject({ ...identity, object: 'chat.completion.chunk' });
      expect(chunk.created).toBeGreaterThan(0);
    }
  });

  it('may mix events of its flow into the response, and the client sees the response alone', async () => {
    gateway.upstream.respond(
      named(
        ['flowNodeStatus', { status: 'running', name: 'AI' }],
        ['answer', fastGptChunk({ role: 'assistant', content: 'Hel' })],
        ['toolCall', { tool: { id: 't', toolName: 'x' } }],
        ['fastAnswer', fastGptChunk({ content: 'lo' })],
        ['answer', fastGptChunk({}, 'stop')],
        ['answer', '[DONE]'],
        ['flowResponses', [{ message: 'not an error' }]],
      ),
    );
    const asked = { model, messages, stream: true as const, detail: true, chatId: 'c1' };
    let text = '';
    for await (const chunk of await openai.chat.completions.create(asked))
      text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello');
    expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({ detail: true, chatId: 'c1' });
  });

  it('that asks back responds with a list of texts', async () => {
    const content = [
      { type: 'text', text: { content: 'Which ' } },
      { type: 'text', text: { content: 'one?' } },
    ];
    gateway.upstream.respond(json(200, { choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }));
    const response = await openai.chat.completions.create({ model, messages });
    expect(response.choices[0]?.message.content).toBe('Which one?');
  });
});
