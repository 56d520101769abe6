import { afterAll, describe, expect, it } from 'vitest';
import { countChatRequest } from '../../../core/billing/count-chat-request.ts';
import { countPrompt } from '../../../core/billing/count-prompt.ts';
import { createTokenCounter } from '../../../core/billing/count-tokens.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { finish } from '../../../core/lib/steps.ts';
import { clients } from '../../support/chat-codecs.ts';

const counter = createTokenCounter();
afterAll(() => counter.close());

const model = 'gpt-4o';
const schema = { type: 'object', properties: { city: { type: 'string', description: 'the name of a city' } } };
const weather = { name: 'weather', description: 'Tells how the weather is in a city' };
const question = 'What is the weather like in Oslo today, and shall I take an umbrella with me?';
const system = 'Be short. Answer in the language of the question.';

/** One conversation in each protocol's own words: system text, question, tool call, tool result, tool. */
const conversations: Record<ChatProtocol, Record<string, unknown>> = {
  'openai-chat': {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: question },
      { role: 'assistant', content: null, tool_calls: [openaiCall()] },
      { role: 'tool', tool_call_id: 'c1', content: 'It rains, 7 degrees.' },
    ],
    tools: [{ type: 'function', function: { ...weather, parameters: schema } }],
  },
  'openai-responses': {
    model,
    instructions: system,
    input: [
      { role: 'user', content: question },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'It rains, 7 degrees.' },
    ],
    tools: [{ type: 'function', ...weather, parameters: schema }],
  },
  'anthropic-messages': {
    model,
    max_tokens: 1,
    system,
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'It rains, 7 degrees.' }] },
    ],
    tools: [{ ...weather, input_schema: schema }],
  },
  gemini: {
    systemInstruction: { parts: [{ text: system }] },
    contents: [
      { role: 'user', parts: [{ text: question }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { output: 'It rains, 7 degrees.' } } }],
      },
    ],
    tools: [{ functionDeclarations: [{ ...weather, parametersJsonSchema: schema }] }],
  },
};

function openaiCall() {
  return { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
}

function countIn(protocol: ChatProtocol, body: Record<string, unknown>): Promise<number> {
  return countChatRequest(finish(clients[protocol].readRequest(body, { model, stream: false })), counter, model);
}

describe('the prompt tokens of a neutral request', () => {
  it('are those of the OpenAI count', async () => {
    const body = conversations['openai-chat'];
    expect(await countIn('openai-chat', body)).toBe(await countPrompt(body, 'chat', counter, model));
  });

  it.each(['openai-responses', 'anthropic-messages', 'gemini'] as const)(
    'are the same within a few percent when the call comes as %s',
    async (protocol) => {
      const expected = await countIn('openai-chat', conversations['openai-chat']);
      const counted = await countIn(protocol, conversations[protocol]);
      expect(Math.abs(counted - expected) / expected).toBeLessThan(0.06);
    },
  );

  it('have a fixed number for a picture, and count a text document as its text', async () => {
    const withPart = (part: unknown) =>
      countIn('anthropic-messages', { model, max_tokens: 1, messages: [{ role: 'user', content: [part] }] });
    const empty = await withPart({ type: 'text', text: 'x' });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    expect(await withPart(image)).toBe(empty - 1 + 255);
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello world' } };
    expect(await withPart(document)).toBe(empty - 1 + 2);
  });

  it('count a PDF by its pages', async () => {
    const pdf = (bytes: string) => ({
      model,
      max_tokens: 1,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: Buffer.from(bytes).toString('base64') },
            },
          ],
        },
      ],
    });
    const page = '<< /Type /Page /Parent 2 0 R >>\n';
    const three = await countIn('anthropic-messages', pdf(`%PDF-1.7\n<< /Type /Pages >>\n${page.repeat(3)}`));
    expect(three).toBeGreaterThan(4500);
    expect(three).toBeLessThan(4520);
    const packed = await countIn('anthropic-messages', pdf('x'.repeat(300_000)));
    expect(packed).toBeGreaterThan(6000);
    expect(packed).toBeLessThan(6020);
  });
});
