import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, json } from '../../../support/upstream-script.ts';
import { openHolds } from '../relay-checks.ts';

const mebibyte = 1024 * 1024;
const model = 'claude-sonnet-4-5-20250929';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { overloadLimits: { memoryBytes: 16 * mebibyte } });
  for (const name of ['first', 'second']) await gateway.addChannel({ type: 14, name, key: name, models: model });
  await gateway.setOption('RetryTimes', '1');
});
afterEach(async () => {
  gateway.upstream.reset();
  expect(await openHolds(gateway)).toBe(0);
});
afterAll(() => gateway.stop());

function saying(text: string): FakeResponse {
  return json(200, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: 'end_turn',
    stop_sequence: null,
    content: [{ type: 'text', text }],
    usage: { input_tokens: 20, output_tokens: 3 },
  });
}

const ask = () => gateway.chat({ model });

describe('a long response that is put into another form', () => {
  it('arrives whole, and is billed as the upstream says', async () => {
    const text = '漢字 "a"\n'.repeat(200_000);
    gateway.upstream.respond(saying(text));
    const response = await ask();
    expect(response.status).toBe(200);
    const { choices, usage } = (await response.json()) as {
      choices: { message: { content: string } }[];
      usage: object;
    };
    expect(choices[0]?.message.content === text).toBe(true);
    expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 3 });
  });

  it('is an error when it is broken, or has values without end', async () => {
    const broken = { status: 200, headers: { 'content-type': 'application/json' } };
    const bodies = [`{"content":["${'x'.repeat(2 * mebibyte)}"`, `{"content":[${'{},'.repeat(1_100_000)}{}]}`];
    for (const body of bodies) {
      gateway.upstream.always({ ...broken, body: Buffer.from(body) });
      expect((await ask()).status).toBe(502);
    }
  });

  it('is refused when there is no room for it: nothing is asked a second time, and room is given back', async () => {
    gateway.upstream.always(saying('x'.repeat(12 * mebibyte)));
    const response = await ask();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'server_overloaded' } });
    expect(gateway.upstream.requests.length).toBe(1);
    gateway.upstream.always(saying('x'.repeat(3 * mebibyte)));
    for (let call = 0; call < 5; call += 1) expect((await ask()).status).toBe(200);
  });
});

describe('a long response that passes as it is', () => {
  const plain = 'gpt-4o-mini';
  const choice = (message: object) => ({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: plain,
    choices: [message],
  });

  beforeAll(() => gateway.addChannel({ name: 'compatible', models: plain }));

  it('is mended like a short one', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(2 * mebibyte) }];
    gateway.upstream.respond(json(200, choice({ message: { content } })));
    expect(await (await gateway.chat({ model: plain })).json()).toMatchObject({
      choices: [{ index: 0, message: { role: 'assistant', content: content[0]?.text }, finish_reason: 'stop' }],
    });
  });

  it('passes where there is no room to read it, and is billed as its end says', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
    for (const length of [12 * mebibyte, 20 * mebibyte]) {
      const body = JSON.stringify({ ...choice({ message: { content: 'x'.repeat(length) } }), usage });
      const headers = { 'content-type': 'application/json' };
      gateway.upstream.respond({ status: 200, headers, body: Buffer.from(body) });
      expect((await (await gateway.chat({ model: plain })).text()) === body).toBe(true);
      expect(await gateway.lastLog()).toMatchObject({ prompt_tokens: 9, completion_tokens: 3 });
    }
  });
});
