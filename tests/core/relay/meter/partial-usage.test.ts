import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, json } from '../../../support/upstream-script.ts';
import { expectCharged } from '../relay-checks.ts';
import { chatResponse, done, says, stops, streamOf } from '../responses.ts';

type Counts = Record<string, unknown> | undefined;
/** What an upstream says of a call: at the beginning of a stream, and at its end or in a whole response. */
interface Told {
  start?: Counts;
  end?: Counts;
}

const words = ['Rain is', ' likely over', ' Oslo', ' tomorrow', ' at noon.'];
const text = words.join('');

/** A name that no list of models knows as a Claude or a Gemini, so that all of them are counted by one tokenizer. */
const models = { chat: 'gpt-4o-part', claude: 'gpt-4o-part-claude', gemini: 'gpt-4o-part-gemini' };
type Vendor = keyof typeof models;

function respond(vendor: Vendor, isStream: boolean, { start, end }: Told): FakeResponse {
  if (vendor === 'chat') {
    if (!isStream) return json(200, chatResponse(end, text));
    const first = { ...says(words[0] ?? ''), ...(start && { usage: start }) };
    const last = end ? [{ choices: [], usage: end }] : [];
    return streamOf([first, ...words.slice(1).map(says), stops, ...last, done]);
  }
  if (vendor === 'claude') {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
    const block = { type: 'text', text };
    if (!isStream) return json(200, { ...message, content: [block], stop_reason: 'end_turn', usage: end });
    return streamOf([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: start } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...words.map((word) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: end },
      { type: 'message_stop' },
    ]);
  }
  const chunk = (word: string, more: object) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: word }] }, ...more }],
  });
  if (!isStream) return json(200, { ...chunk(text, { finishReason: 'STOP' }), usageMetadata: end });
  return streamOf(
    words.map((word, index) => ({
      ...chunk(word, index === words.length - 1 ? { finishReason: 'STOP' } : {}),
      ...(index === 0 && start && { usageMetadata: start }),
      ...(index === words.length - 1 && end && { usageMetadata: end }),
    })),
  );
}

const count = countTokens(text);
/** Of the one message below, as the prompt of a chat is counted. */
const ownPrompt = 3 + 3 + countTokens('user') + countTokens('Will it rain?');

describe('a call of which the upstream reports one side alone (M7)', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const all = Object.values(models);
    await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(all.map((model) => [model, 10]))));
    await gateway.setOption('CompletionRatio', JSON.stringify(Object.fromEntries(all.map((model) => [model, 5]))));
    await gateway.addChannel({ name: 'chat', models: models.chat });
    await gateway.addChannel({ name: 'claude', type: 14, models: models.claude });
    await gateway.addChannel({ name: 'gemini', type: 24, models: models.gemini });
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  async function expectBill(vendor: Vendor, told: Told, expected: { prompt?: number; completion: number }) {
    const question = [{ role: 'user', content: 'Will it rain?' }];
    const own = {
      chat: '/v1/chat/completions',
      claude: '/v1/messages',
      gemini: `/v1beta/models/${models.gemini}`,
    }[vendor];
    for (const stream of told.start ? [true] : [false, true]) {
      for (const path of new Set(['/v1/chat/completions', own])) {
        const isGemini = path.startsWith('/v1beta');
        const action = stream ? ':streamGenerateContent?alt=sse' : ':generateContent';
        const body = isGemini
          ? { contents: [{ role: 'user', parts: [{ text: 'Will it rain?' }] }] }
          : { model: models[vendor], stream, max_tokens: 500, messages: question };
        gateway.upstream.respond(respond(vendor, stream, told));
        const response = await gateway.call(isGemini ? `${path}${action}` : path, body);
        expect([response.status, (await response.text()).includes('Oslo')], path).toEqual([200, true]);
        const row = await expectCharged(gateway);
        const { prompt = row.prompt_tokens, completion } = expected;
        expect([path, stream, row.prompt_tokens, row.completion_tokens]).toEqual([path, stream, prompt, completion]);
        expect(row.prompt_tokens).toBeGreaterThanOrEqual(ownPrompt - 4);
        expect(row.other.usage_source).toBe('counted');
      }
    }
  }

  it('has its response counted where only the prompt is reported', async () => {
    await expectBill('chat', { end: { prompt_tokens: 40, completion_tokens: 0 } }, { prompt: 40, completion: count });
    await expectBill('claude', { end: { input_tokens: 40 } }, { prompt: 40, completion: count });
    await expectBill('claude', { end: { input_tokens: 40, output_tokens: -3 } }, { prompt: 40, completion: count });
    await expectBill('gemini', { end: { promptTokenCount: 40 } }, { prompt: 40, completion: count });
    const total = { promptTokenCount: 40, totalTokenCount: 40 };
    await expectBill('gemini', { end: total }, { prompt: 40, completion: count });
  });

  it('has its prompt counted where only the response is reported', async () => {
    await expectBill('chat', { end: { prompt_tokens: 0, completion_tokens: 7 } }, { prompt: ownPrompt, completion: 7 });
    await expectBill('claude', { end: { output_tokens: 7 } }, { completion: 7 });
    await expectBill('claude', { end: { input_tokens: '40', output_tokens: 7 } }, { completion: 7 });
    // What was cached is beside the input, and alone it is not the prompt.
    const beside = { input_tokens: -1, cache_read_input_tokens: 9000, output_tokens: 7 };
    await expectBill('claude', { end: beside }, { completion: 7 });
    await expectBill('gemini', { end: { promptTokenCount: -40, candidatesTokenCount: 7 } }, { completion: 7 });
  });

  it('has its response counted where only the start of the stream had a report', async () => {
    const chat = { prompt_tokens: 40, completion_tokens: 0, total_tokens: 40 };
    await expectBill('chat', { start: chat }, { prompt: 40, completion: count });
    // One token is what Anthropic writes there, whatever follows.
    await expectBill('claude', { start: { input_tokens: 40, output_tokens: 1 } }, { prompt: 40, completion: count });
    const told = { start: { input_tokens: 40, output_tokens: 1 }, end: { output_tokens: 0 } };
    await expectBill('claude', told, { prompt: 40, completion: count });
    await expectBill('gemini', { start: { promptTokenCount: 40 } }, { prompt: 40, completion: count });
  });
});
