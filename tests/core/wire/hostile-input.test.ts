import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { clients, upstreams } from '../../support/chat-codecs.ts';
import { conversations } from '../../support/chat-conversation.ts';
import { brokenRules } from '../../support/chat-events.ts';
import { chatRequest } from '../../support/chat-request.ts';

const everyClient = Object.values(clients);
const everyUpstream = Object.values(upstreams);
const identity = { id: 'id1', model: 'asked', created: 7 };
const context: StreamContext = { identity, promptTokens: 1, wantsUsage: true, request: chatRequest() };

/** Words both formats are made of, so that random values get past the first check. */
const words = [
  'messages',
  'role',
  'content',
  'type',
  'text',
  'tools',
  'name',
  'function',
  'arguments',
  'tool_calls',
  'id',
  'index',
  'input',
  'source',
  'data',
  'url',
  'image_url',
  'tool_use_id',
  'tool_call_id',
  'thinking',
  'signature',
  'system',
  'choices',
  'delta',
  'message',
  'finish_reason',
  'usage',
  'error',
  'content_block',
  'stop_reason',
  'partial_json',
  'reasoning_details',
  'audio',
  'images',
  'annotations',
  'logprobs',
  'cache_control',
  'tool_choice',
  'citations',
];
const texts = [
  '',
  'user',
  'assistant',
  'system',
  'tool',
  'text',
  'image',
  'document',
  'tool_use',
  'tool_result',
  'thinking',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
  'text_delta',
  'input_json_delta',
  'stop',
  'tool_calls',
  '{"a":',
  'data:image/png;base64,QQ==',
  'function',
];
const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, 5),
    fc.constantFrom(...texts),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;
const record = fc.dictionary(fc.constantFrom(...words), anything, { maxKeys: 8, noNullPrototype: true });

/** Calls with something of everything, to be damaged in one place each. */
const calls: Record<string, Record<string, unknown>> = {
  'openai-chat': {
    model: 'm',
    stop: ['x'],
    metadata: { a: 'b' },
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    tools: [
      { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
      { type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { definition: 'x' } } } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    messages: [
      { role: 'system', content: 'a' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'b' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==', detail: 'low' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,QQ==' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_details: [
          { type: 'reasoning.text', text: 'x', signature: 's', format: 'anthropic-claude-v1', index: 0 },
        ],
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'c' },
    ],
  },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 5,
    system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    tool_choice: { type: 'tool', name: 'f' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'x' },
            citations: { enabled: true },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'x', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'c' }] }] },
    ],
  },
};

/** `value` with another one in the place that `pick` chooses of all its places. */
function damage(value: unknown, pick: number, other: unknown): unknown {
  const copy = structuredClone(value);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk(member);
    }
  };
  walk(copy);
  const [holder, key] = places[pick % places.length] ?? [{}, ''];
  holder[key] = other;
  return copy;
}

describe('whatever a client sends', () => {
  it.each(everyClient)('is read or refused with a reason: $protocol', (client) => {
    const damaged = fc
      .tuple(fc.nat(10_000), anything)
      .map(
        ([pick, other]) =>
          damage({ ...conversations[client.protocol], ...calls[client.protocol] }, pick, other) as Record<
            string,
            unknown
          >,
      );
    let reads = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 1, arbitrary: record }, { weight: 5, arbitrary: damaged }), (given) => {
        try {
          const request = finish(client.readRequest(given, { model: 'm' }));
          for (const upstream of everyUpstream)
            writeJson(finish(upstream.writeRequest(request, { model: 'claude-opus-4-5', defaultMaxOutput: 5 })).body);
          reads += 1;
        } catch (error) {
          if (!(error instanceof AppError) || error.status !== 400) throw error;
        }
      }),
      { numRuns: 500 },
    );
    // Else nothing but the first check would have been tried.
    expect(reads).toBeGreaterThan(30);
  });
});

/** Streams with something of everything, to be damaged in one place each. */
const streams: Record<string, unknown[]> = {
  'openai-chat': [
    { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'a' }, finish_reason: null }] },
    {
      id: 'x',
      choices: [
        { index: 0, delta: { content: 'b', annotations: [{ type: 'url_citation', url_citation: { url: 'u' } }] } },
      ],
    },
    {
      id: 'x',
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] } }],
    },
    { id: 'x', choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }] },
    {
      id: 'x',
      choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    },
  ],
  'anthropic-messages': [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
};

const told: ChatEvent[] = [
  { type: 'start', id: 'x', model: 'm', created: 7 },
  { type: 'open', part: 0, choice: 0, kind: 'reasoning' },
  { type: 'delta', part: 0, text: 'a' },
  { type: 'close', part: 0 },
  { type: 'open', part: 1, choice: 0, kind: 'text' },
  { type: 'delta', part: 1, text: 'b' },
  { type: 'citation', part: 1, citation: { url: 'https://a.example', title: 'c' } },
  { type: 'close', part: 1 },
  { type: 'open', part: 2, choice: 0, kind: 'toolCall', id: 'd', name: 'f' },
  { type: 'delta', part: 2, text: '{"e":1}' },
  { type: 'close', part: 2 },
  { type: 'finish', choice: 0, reason: 'tool' },
  { type: 'end' },
];

/** The stream that our own writer makes of it. */
function streamOf(protocol: ChatProtocol): unknown[] {
  const writer = clients[protocol].createStreamWriter({ ...context, request: chatRequest({ origin: protocol }) });
  const text =
    told.map((event) => writer.event(event)).join('') + writer.end({ ...emptyUsage, prompt: 5, completion: 5 });
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}

describe('whatever an upstream sends', () => {
  it.each(everyUpstream)('keeps the rules of events, and reaches any client: $protocol', (upstream) => {
    const damagedStream = fc
      .tuple(fc.nat(10_000), anything)
      .map(
        ([pick, other]) =>
          damage(
            streams[upstream.protocol as ChatProtocol] ?? streamOf(upstream.protocol as ChatProtocol),
            pick,
            other,
          ) as unknown[],
      );
    fc.assert(
      fc.property(fc.oneof(fc.array(anything, { maxLength: 8 }), damagedStream), (values) => {
        const reader = upstream.createStreamReader({ identity });
        const events: ChatEvent[] = [...values.flatMap((value) => reader.event(value)), ...reader.end()];
        expect(brokenRules(events)).toEqual([]);
        expect(['end', 'error']).toContain(events.at(-1)?.type);
        for (const client of everyClient) {
          const writer = client.createStreamWriter(context);
          for (const event of events) writer.event(event);
          writer.end(emptyUsage);
          writeJson(client.writeResponse(events, context));
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(everyUpstream)('is a response, however odd: $protocol', (upstream) => {
    fc.assert(
      fc.property(anything, (response) => {
        expect(brokenRules(upstream.readResponse(response, { identity }))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
