import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { openHolds } from '../relay-checks.ts';

const [native, converted] = ['gpt-4o-mini', 'claude-sonnet-4-5-20250929'];
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: converted,
  stop_reason: 'end_turn',
  stop_sequence: null,
  content: [{ type: 'text', text: 'Hi.' }],
  usage: { input_tokens: 20, output_tokens: 3 },
};
const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: native,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
};

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ type: 14, name: 'claude', key: 'claude-key', models: converted });
  await gateway.addChannel({ type: 24, name: 'google', key: 'google-key', models: 'gemini-embedding-001' });
  await gateway.setOption('ModelRatio', JSON.stringify({ [converted]: 1, 'gemini-embedding-001': 1 }));
});
afterEach(async () => {
  gateway.upstream.reset();
  expect(await openHolds(gateway)).toBe(0);
});
afterAll(() => gateway.stop());

const withArguments = (model: string, given: string[]) => ({
  model,
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: given.map((text, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name: 'f', arguments: text },
      })),
    },
    ...given.map((_, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content: 'ok' })),
  ],
});

describe('a large call that has to be converted', () => {
  it.each([
    ['in one tool call', [`{"a":[${'{},'.repeat(500_000)}{}]}`], '400000 values'],
    ['in many tool calls', new Array(50).fill(`{"a":[${'1,'.repeat(10_000)}1]}`), '400000 values'],
    ['of one long text', [JSON.stringify({ a: 'x'.repeat(9 * 1024 * 1024) })], '8 MiB'],
    ['that are not JSON', ['['.repeat(500_000)], '400000 values'],
  ])('is refused for arguments %s that take long to read, but passes as it is', async (_name, given, bound) => {
    const refused = await gateway.chat(withArguments(converted, given));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(bound);
    expect(gateway.upstream.requests).toEqual([]);
    gateway.upstream.always(json(200, completion));
    expect((await gateway.chat(withArguments(native, given))).status).toBe(200);
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it('keeps arguments that are long, word for word', async () => {
    gateway.upstream.always(json(200, message));
    const text = `{"content": ${JSON.stringify('a, [b], {c} "d"\n'.repeat(50_000))}}`;
    const response = await gateway.chat(withArguments(converted, [text]));
    expect(response.status, await response.text()).toBe(200);
    const sent = gateway.upstream.requests[0]?.json as { messages: { content: { input: unknown }[] }[] };
    expect(sent.messages[1]?.content[0]?.input).toEqual(JSON.parse(text));
  });

  it('goes out whole when it is written in steps: embeddings of long texts', async () => {
    gateway.upstream.always(json(200, { embeddings: [{ values: [0.1] }, { values: [0.2] }] }));
    const input = [`${'words "quoted" \u{1f600}\n'.repeat(20_000)}`, 'short'];
    const response = await gateway.call('/v1/embeddings', { model: 'gemini-embedding-001', input });
    expect(response.status, await response.text()).toBe(200);
    const [sent] = gateway.upstream.requests;
    const { requests } = (sent?.json ?? {}) as { requests: { content: { parts: { text: string }[] } }[] };
    expect(requests.map(({ content }) => content.parts[0]?.text)).toEqual(input);
    expect(sent?.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(sent?.json))));
  });

  it('is refused when it has more texts to embed than OpenAI takes', async () => {
    const input = new Array(2049).fill('x'.repeat(600));
    const response = await gateway.call('/v1/embeddings', { model: 'gemini-embedding-001', input });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('at most 2048');
    expect(gateway.upstream.requests).toEqual([]);
  });
});
