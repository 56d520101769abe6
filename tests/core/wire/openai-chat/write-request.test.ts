import { describe, expect, it } from 'vitest';
import type { WriteContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatRequest, Part } from '../../../../core/canonical/chat-request.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { writeOpenAiChatRequest } from '../../../../core/wire/openai-chat/write-request.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const context: WriteContext = { model: 'gpt-4o', defaultMaxOutput: 4096 };
const text = (value: string): Part => ({ kind: 'text', text: value });

function write(fields: Partial<ChatRequest>, more: Partial<WriteContext> = {}) {
  const { body, losses, ...rest } = finish(
    writeOpenAiChatRequest(chatRequest({ origin: 'anthropic-messages', ...fields }), { ...context, ...more }),
  );
  return { ...rest, body, lost: losses.map(({ field, kind }) => `${field} ${kind}`) };
}

const messagesOf = (fields: Partial<ChatRequest>, more?: Partial<WriteContext>) => write(fields, more).body.messages;

describe('a call written for an OpenAI-compatible upstream', () => {
  it('joins the system texts with a blank line and leaves out the line that changes with every call (edge 28)', () => {
    const instructions = [text('x-anthropic-billing-header: cch=1;'), text('You are.'), text('Be short.')];
    expect(messagesOf({ instructions })).toEqual([
      { role: 'system', content: 'You are.\n\nBe short.' },
      { role: 'user', content: 'hi' },
    ]);
  });

  it('edge 28: keeps a system message in the middle where it is', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', parts: [text('a')] },
      { role: 'system', parts: [text('b')] },
      { role: 'user', parts: [text('c'), text('d')] },
    ];
    expect(messagesOf({ messages })).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: 'c\n\nd' },
    ]);
  });

  it('one tool message per result, errors marked, pictures behind them', () => {
    const picture: Part = { kind: 'image', source: { type: 'data', mime: 'image/png', data: 'QUJD' } };
    const { body, lost } = write({
      messages: [
        {
          role: 'assistant',
          parts: [
            text('Looking.'),
            { kind: 'toolCall', id: 'a', name: 'see', arguments: '' },
            { kind: 'toolCall', id: 'b', name: 'do', arguments: '{"n":12345678901234567890}' },
          ],
        },
        {
          role: 'tool',
          parts: [
            { kind: 'toolResult', callId: 'a', parts: [text('there'), picture] },
            { kind: 'toolResult', callId: 'b', parts: [text('failed')], isError: true },
          ],
        },
      ],
    });
    expect(body.messages).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'see', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'do', arguments: '{"n":12345678901234567890}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'there\n[image in the next message]' },
      { role: 'tool', tool_call_id: 'b', content: '[error] failed' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Output of the tool call a:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        ],
      },
    ]);
    expect(lost).toEqual(['messages.content.content emulated', 'messages.content.is_error emulated']);
  });

  it('thinking of another vendor is left out and named, or replayed to vendors that want it (edge 29)', () => {
    const messages: ChatRequest['messages'] = [
      {
        role: 'assistant',
        parts: [
          {
            kind: 'reasoning',
            text: 'hm',
            form: 'full',
            opaque: { origin: 'anthropic-messages', kind: 'signature', value: 's' },
          },
          text('ok'),
        ],
      },
      { role: 'user', parts: [text('go')] },
    ];
    const { body, lost } = write({ messages });
    expect(body.messages).toMatchObject([{ role: 'assistant', content: 'ok' }, {}]);
    expect(lost).toEqual(['messages.content.thinking dropped']);
    const replayed = write({ messages }, { replaysReasoning: true });
    expect(replayed.body.messages).toMatchObject([{ reasoning_content: 'hm', content: 'ok' }, {}]);
    expect(replayed.lost).toEqual([]);
  });

  it('edge 30: blocks only another protocol understands are left out of a response and refused in a request', () => {
    const native: Part = { kind: 'native', origin: 'anthropic-messages', raw: { type: 'server_tool_use' } };
    expect(messagesOf({ messages: [{ role: 'assistant', parts: [native, text('x')] }] })).toEqual([
      { role: 'assistant', content: 'x' },
    ]);
    expect(() => write({ messages: [{ role: 'user', parts: [native] }] })).toThrow('OpenAI Chat');
  });

  it('search results that an Anthropic client brings along are text, of the user and of a tool', () => {
    const raw = { type: 'search_result', title: 'T', source: 'S', content: [{ type: 'text', text: 'passage' }] };
    const found: Part = { kind: 'native', origin: 'anthropic-messages', raw };
    const { body, lost } = write({
      messages: [
        { role: 'user', parts: [found] },
        { role: 'assistant', parts: [{ kind: 'toolCall', id: 'a', name: 'f', arguments: '' }] },
        { role: 'tool', parts: [{ kind: 'toolResult', callId: 'a', parts: [found] }] },
      ],
    });
    const text = 'T\n\nS\n\npassage';
    expect(body.messages).toMatchObject([{ content: text }, {}, { role: 'tool', content: text }]);
    expect(lost).toEqual(['messages emulated']);
  });

  it('documents: a PDF as a file, a text as text, an address is refused', () => {
    const parts: Part[] = [
      { kind: 'document', source: { type: 'data', mime: 'application/pdf', data: 'JVBE' }, title: 'a.pdf' },
      { kind: 'document', source: { type: 'data', mime: 'text/plain', data: Buffer.from('Grüß').toString('base64') } },
    ];
    expect(messagesOf({ messages: [{ role: 'user', parts }] })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
          { type: 'text', text: 'Grüß' },
        ],
      },
    ]);
    const byUrl: Part = { kind: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } };
    expect(() => write({ messages: [{ role: 'user', parts: [byUrl] }] })).toThrow('https://a.example/b.pdf');
  });

  it('names everything it leaves out by the name the client knows', () => {
    const { body, lost } = write({
      sampling: { topK: 5, temperature: 0.5, topP: 0.9 },
      stop: ['1', '2', '3', '4', '5'],
      userId: 'bob@a.example',
      serviceTier: 'standard_only',
      metadata: { a: 'b' },
      cache: { automatic: '5m' },
      extras: { container: 'c' },
    });
    expect(lost).toEqual([
      'container dropped',
      'top_k dropped',
      'stop_sequences dropped',
      'cache_control dropped',
      'metadata dropped',
    ]);
    expect(body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      stop: ['1', '2', '3', '4'],
      service_tier: 'default',
      safety_identifier: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const gemini = write({ origin: 'gemini', sampling: { topK: 5, seed: 1 }, extras: { safetySettings: [] } });
    expect(gemini.lost).toEqual(['safetySettings dropped', 'generationConfig.topK dropped']);
    expect(gemini.body).toMatchObject({ seed: 1 });
  });

  it.each([
    ['gpt-4o', { mode: 'effort', effort: 'high' }, undefined, ['thinking dropped']],
    ['gpt-5.2', { mode: 'effort', effort: 'max' }, 'xhigh', ['thinking emulated']],
    ['gpt-5', { mode: 'budget', budget: 2000 }, 'low', ['thinking emulated']],
    ['o3', { mode: 'budget', budget: 8192 }, 'medium', ['thinking emulated']],
    ['openai/gpt-5.1', { mode: 'off' }, 'none', []],
    ['gpt-5-mini', { mode: 'off' }, 'minimal', []],
    ['o3', { mode: 'off' }, undefined, ['thinking dropped']],
    ['gpt-5.2', { mode: 'auto' }, undefined, []],
  ] as const)('reasoning of %s: %o is %s', (model, reasoning, effort, expected) => {
    const { body, lost } = write({ reasoning }, { model });
    expect(body.reasoning_effort).toBe(effort);
    expect(lost).toEqual(expected);
  });

  it('tools: names that fit, custom ones as functions, the allowed ones alone', () => {
    const { body, lost, toolNames, customTools } = write({
      origin: 'openai-responses',
      tools: [
        { kind: 'function', name: 'ns.read', description: 'r', schema: { type: 'object' }, strict: true },
        { kind: 'custom', name: 'apply_patch', description: 'p', grammar: { type: 'grammar', definition: 'start: x' } },
        { kind: 'function', name: 'other' },
      ],
      toolChoice: { mode: 'allowed', names: ['ns.read', 'apply_patch'], required: true },
      parallelTools: false,
    });
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'ns_read', description: 'r', parameters: { type: 'object' }, strict: true },
      },
      {
        type: 'function',
        function: {
          name: 'apply_patch',
          description: 'p\n\nThe input must follow this grammar:\nstart: x',
          parameters: {
            type: 'object',
            properties: { input: { type: 'string' } },
            required: ['input'],
            additionalProperties: false,
          },
        },
      },
    ]);
    expect(body).toMatchObject({ tool_choice: 'required', parallel_tool_calls: false });
    expect([...(toolNames ?? [])]).toEqual([['ns_read', 'ns.read']]);
    expect([...(customTools ?? [])]).toEqual(['apply_patch']);
    expect(lost).toEqual(['tool_choice emulated', 'tools.format emulated']);
  });

  it('a tool that only another vendor runs is refused by its name', () => {
    const tools: ChatRequest['tools'] = [{ kind: 'hosted', type: 'web_search_20250305', raw: {} }];
    expect(() => write({ tools })).toThrow('web_search_20250305');
  });

  it('asks for structured output, and says JSON where OpenAI insists on the word', () => {
    const schema = { type: 'object' };
    expect(write({ output: { kind: 'schema', name: 'a b', schema, strict: true } }).body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'a_b', schema, strict: true },
    });
    const json = write({ origin: 'gemini', output: { kind: 'json' } });
    expect(json.body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(json.body.messages).toMatchObject([{ role: 'system', content: 'Answer with one JSON object.' }, {}]);
    expect(json.lost).toEqual(['generationConfig.responseMimeType emulated']);
  });

  it('cache marks reach models that have them and are named where they have not', () => {
    const messages: ChatRequest['messages'] = [{ role: 'user', parts: [{ kind: 'text', text: 'long', cache: '5m' }] }];
    expect(write({ messages })).toMatchObject({
      lost: ['messages.content.cache_control dropped'],
      body: { messages: [{ content: 'long' }] },
    });
    expect(messagesOf({ messages }, { model: 'gpt-5.6' })).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'long', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ]);
  });

  it('a conversation only the upstream remembers is refused', () => {
    expect(() => write({ origin: 'openai-responses', previousResponseId: 'resp_1' })).toThrow('previous_response_id');
  });

  it('a stream asks for its usage', () => {
    expect(write({ stream: true }).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});
