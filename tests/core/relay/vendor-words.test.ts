import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json, sse } from '../../support/upstream-script.ts';

const message = { role: 'assistant', content: 'Hi' };
const usage = { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 };
/** Model, what the upstream writes, what a client of OpenAI reads. */
const reasons = [
  ['glm-4', 'sensitive', 'content_filter'],
  ['glm-4', 'model_context_window_exceeded', 'length'],
  ['glm-4', 'tool_calls', 'tool_calls'],
  ['ernie-4.0-8k', 'normal', 'stop'],
  ['ernie-4.0-8k', 'content_filter', 'content_filter'],
] as const;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 26, name: 'zhipu', key: 'id.secret', models: 'glm-4' });
  await gateway.addChannel({ type: 15, name: 'baidu', key: 'bce-v3/ALTAK-x/y', models: 'ernie-4.0-8k' });
  await gateway.addChannel({ type: 18, name: 'spark', key: 'password', models: 'Spark-Max' });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

describe('what a vendor words in its own way', () => {
  it.each(reasons)('the end of %s: %s is %s', async (model, given, own) => {
    const common = { id: 'own', created: 1_700_000_000, model };
    gateway.upstream.respond(json(200, { ...common, choices: [{ index: 0, finish_reason: given, message }], usage }));
    expect(await (await gateway.chat({ model })).json()).toMatchObject({
      ...common,
      choices: [{ finish_reason: own }],
      usage,
    });

    const first = { ...common, choices: [{ index: 0, delta: message }] };
    const last = { ...common, choices: [{ index: 0, finish_reason: given, delta: {} }], usage };
    gateway.upstream.respond(sse([first, last, '[DONE]']));
    expect(await (await gateway.chat({ model, stream: true })).text()).toContain(`"finish_reason":"${own}"`);
  });

  it('a response of Spark, which names neither itself nor its end', async () => {
    const spark = { code: 0, message: 'Success', sid: 'cha1' };
    gateway.upstream.respond(json(200, { ...spark, choices: [{ index: 0, message }], usage }));
    const response = await (await gateway.chat({ model: 'Spark-Max' })).json();
    expect(response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'Spark-Max',
      choices: [{ message, finish_reason: 'stop' }],
    });

    const [first, last] = ['Hi', ''].map((content) => ({ ...spark, choices: [{ index: 0, delta: { content } }] }));
    gateway.upstream.respond(sse([first, { ...last, usage }, '[DONE]']));
    const text = await (await gateway.chat({ model: 'Spark-Max', stream: true })).text();
    const ids = [...text.matchAll(/"id":"(chatcmpl-[^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(text.match(/"role":"assistant"/g)).toHaveLength(1);
    expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
  });
});
