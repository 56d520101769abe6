import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json, sse } from '../../support/upstream-script.ts';

const model = 'glm-4';
const common = { id: '8000fx', created: 1_700_000_000, model };
const usage = { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 };
const key = '0123456789abcdef0123456789abcdef.s3cretS3cret1234';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 26, name: 'zhipu', key, models: model });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

describe('the end of a response of GLM', () => {
  it.each([
    ['sensitive', 'content_filter'],
    ['model_context_window_exceeded', 'length'],
    ['tool_calls', 'tool_calls'],
    ['stop', 'stop'],
  ])('%s is %s for a client of OpenAI', async (given, own) => {
    const message = { role: 'assistant', content: 'Hi' };
    gateway.upstream.respond(json(200, { ...common, choices: [{ index: 0, finish_reason: given, message }], usage }));
    expect(await (await gateway.chat({ model })).json()).toMatchObject({ choices: [{ finish_reason: own }], usage });

    const choice = { index: 0, delta: { role: 'assistant', content: 'Hi' } };
    const last = { index: 0, finish_reason: given, delta: { role: 'assistant', content: '' } };
    gateway.upstream.respond(sse([{ ...common, choices: [choice] }, { ...common, choices: [last], usage }, '[DONE]']));
    const text = await (await gateway.chat({ model, stream: true })).text();
    expect(text).toContain(`"finish_reason":"${own}"`);
  });
});
