import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wrapOpaque } from '../../../../core/canonical/opaque-text.ts';
import { recordOf, recordsOf } from '../../../../core/lib/json-value.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { says, stops, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 14, models: 'claude-sonnet-4-5' });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const delta = (index: number, type: string, member: string, text: string) => ({
  ...{ type: 'content_block_delta', index },
  delta: { type, [member]: text },
});
const claude = [
  { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  ...['Let me ', 'think ', 'it over.'].map((text) => delta(0, 'thinking_delta', 'thinking', text)),
  delta(0, 'signature_delta', 'signature', 'c2ln'),
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  ...['Hel', 'lo the', 're.'].map((text) => delta(1, 'text_delta', 'text', text)),
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

/** Two turns of a chat, as Google's SDK keeps it; what the upstream was sent in the second. */
async function secondTurn(model: string): Promise<unknown[]> {
  const ai = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });
  const config = { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true }, maxOutputTokens: 8000 };
  const chat = ai.chats.create({ model, config });
  for (const message of ['hi', 'and now?']) for await (const _chunk of await chat.sendMessageStream({ message }));
  return recordsOf(recordOf(gateway.upstream.requests.at(-1)?.json).messages);
}

it('a turn of Claude that Google’s SDK has streamed comes back whole, with its thought', async () => {
  const stream = () => streamOf(claude.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  gateway.upstream.respond(stream(), stream());
  expect(await secondTurn('claude-sonnet-4-5')).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me think it over.', signature: 'c2ln' },
        { type: 'text', text: 'Hello there.' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'and now?' }] },
  ]);
});

it('a turn of an OpenAI model is one message', async () => {
  const stream = () => streamOf([says('Hel'), says('lo the'), says('re.'), stops, uses(5, 9), 'data: [DONE]\n\n']);
  gateway.upstream.respond(stream(), stream());
  expect(await secondTurn('gpt-4o-mini')).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Hello there.' },
    { role: 'user', content: 'and now?' },
  ]);
});

it('pages that another model cited do not go to Claude, which has no index of them', async () => {
  const user = (content: string) => ({ role: 'user', content });
  const ask = (model: string, messages: object[]) => gateway.call('/v1/messages', { model, max_tokens: 50, messages });
  const cited = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 };
  const message = {
    role: 'assistant',
    content: 'Hello',
    annotations: [{ type: 'url_citation', url_citation: cited }],
  };
  const usage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  gateway.upstream.respond(json(200, { id: 'chatcmpl-1', object: 'chat.completion', choices, usage }));
  const { content } = (await (await ask('gpt-4o-mini', [user('hi')])).json()) as { content: unknown };
  expect(content).toMatchObject([{ type: 'text', text: 'Hello', citations: [{ url: 'https://a.example' }] }]);
  const own = { type: 'web_search_result_location', url: 'u', title: null, cited_text: 'x', encrypted_index: 'EqQB' };
  const kept = { type: 'text', text: 'World', citations: [own] };
  const reply = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' };
  gateway.upstream.respond(json(200, { ...reply, usage: { input_tokens: 5, output_tokens: 1 } }));
  const turns = [user('hi'), { role: 'assistant', content: [...recordsOf(content), kept] }, user('and now?')];
  expect((await ask('claude-sonnet-4-5', turns)).status).toBe(200);
  const sent = recordsOf(recordOf(gateway.upstream.requests.at(-1)?.json).messages);
  expect(sent[1]?.content).toEqual([{ type: 'text', text: 'Hello' }, kept]);
});

it('what Claude signed does not go to Google, in whichever alphabet its client writes it', async () => {
  await gateway.addChannel({ type: 24, models: 'gemini-2.5-flash' });
  const signed = wrapOpaque({ origin: 'anthropic-messages', kind: 'signature', value: '?>?>?>' }, 'gemini');
  const part = { text: 'I think.', thought: true };
  const candidates = [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP', index: 0 }];
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 };
  for (const thoughtSignature of [signed, signed.replaceAll('+', '-').replaceAll('/', '_')]) {
    gateway.upstream.respond(json(200, { candidates, usageMetadata }));
    const model = { role: 'model', parts: [{ ...part, thoughtSignature }, { text: 'Hello' }] };
    const user = (text: string) => ({ role: 'user', parts: [{ text }] });
    const path = '/v1beta/models/gemini-2.5-flash:generateContent';
    expect((await gateway.call(path, { contents: [user('hi'), model, user('and now?')] })).status).toBe(200);
    const sent = recordsOf(recordOf(gateway.upstream.requests.at(-1)?.json).contents);
    expect(sent[1]?.parts).toEqual([{ text: 'Hello' }]);
  }
});
