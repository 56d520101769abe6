import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { openaiResponsesClient } from '../../../../core/wire/openai-responses/client-codec.ts';
import { readResponsesEvents } from '../../../support/responses-stream.ts';

const usage = { ...emptyUsage, prompt: 9, completion: 2, cachedRead: 4 };

function contextFor(body: Record<string, unknown> = {}): StreamContext {
  const request = finish(openaiResponsesClient.readRequest({ model: 'gpt-5.4', input: 'hi', ...body }));
  return { identity: { id: 'fx', model: 'gpt-5.4', created: 1767322800 }, promptTokens: 9, wantsUsage: false, request };
}

function write(events: ChatEvent[], context = contextFor()) {
  const writer = openaiResponsesClient.createStreamWriter(context);
  const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
  const written = readResponsesEvents(text);
  expect(written.map(({ sequence_number }) => sequence_number)).toEqual(written.map((_event, index) => index));
  return written;
}

const start: ChatEvent = { type: 'start', id: 'up', model: 'gpt-5.4', created: 1767322800 };
const stop: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

const callTools: ChatEvent[] = [
  start,
  { type: 'open', part: 0, choice: 0, kind: 'reasoning' },
  { type: 'delta', part: 0, text: 'Need ' },
  { type: 'delta', part: 0, text: 'both.' },
  { type: 'close', part: 0, opaque: { origin: 'anthropic-messages', kind: 'signature', value: 'c2ln' } },
  { type: 'open', part: 1, choice: 0, kind: 'toolCall', id: 'a', name: 'mcp__find' },
  { type: 'open', part: 2, choice: 0, kind: 'toolCall', id: 'b', name: 'apply_patch', custom: true },
  { type: 'delta', part: 2, text: '*** ' },
  { type: 'delta', part: 1, text: '{"q":1}' },
  { type: 'delta', part: 2, text: 'Begin' },
  { type: 'close', part: 1 },
  { type: 'close', part: 2 },
  { type: 'finish', choice: 0, reason: 'tool' },
];

const tools = [
  { type: 'namespace', name: 'mcp', tools: [{ type: 'function', name: 'find' }] },
  { type: 'custom', name: 'apply_patch' },
];

describe('a Responses stream', () => {
  it('has the whole life of a text (edge 25)', () => {
    const written = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'Hi' },
      { type: 'close', part: 0 },
      stop,
    ]);
    expect(written.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const item = { id: 'msg_fx_0', type: 'message', status: 'completed', role: 'assistant' };
    expect(written.at(-1)).toMatchObject({
      response: {
        id: 'resp_fx',
        status: 'completed',
        output: [{ ...item, content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
        usage: {
          input_tokens: 9,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens: 2,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 11,
        },
      },
    });
    // The item begins empty: what it will contain comes in its own events.
    expect(written[2]).toMatchObject({ item: { ...item, status: 'in_progress', content: [] } });
  });

  it('cites for the whole text where no place is named, and nothing that has no address', () => {
    const written = write([
      { type: 'start', id: 'u', model: 'm', created: 1 },
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'citation', part: 0, citation: { url: 'https://a.example', title: 'A' } },
      { type: 'delta', part: 0, text: 'abcd' },
      { type: 'citation', part: 0, citation: { url: 'https://b.example', title: 'B', start: 1, end: 2 } },
      { type: 'citation', part: 0, citation: { text: 'a passage' } },
      { type: 'close', part: 0 },
      stop,
    ]);
    const cited = [
      { type: 'url_citation', url: 'https://b.example', title: 'B', start_index: 1, end_index: 2 },
      { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
    ];
    const told = written.filter(({ type }) => type === 'response.output_text.annotation.added');
    expect(told.map(({ annotation }) => annotation)).toEqual(cited);
    expect(written.at(-1)).toMatchObject({ response: { output: [{ content: [{ annotations: cited }] }] } });
  });

  it('keeps calls that arrive side by side apart, by item id and place (edges 1 and 26)', () => {
    const written = write(callTools, contextFor({ tools }));
    const deltas = written.filter(({ type }) => String(type).endsWith('.delta'));
    expect(deltas.map(({ type, item_id, delta }) => [type, item_id, delta])).toEqual([
      ['response.reasoning_summary_text.delta', 'rs_fx_0', 'Need '],
      ['response.reasoning_summary_text.delta', 'rs_fx_0', 'both.'],
      ['response.custom_tool_call_input.delta', 'ctc_fx_2', '*** '],
      ['response.function_call_arguments.delta', 'fc_fx_1', '{"q":1}'],
      ['response.custom_tool_call_input.delta', 'ctc_fx_2', 'Begin'],
    ]);
    const { response } = written.at(-1) as { response: { output: Record<string, unknown>[] } };
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Need both.' }] },
      {
        type: 'function_call',
        call_id: 'a',
        name: 'find',
        namespace: 'mcp',
        arguments: '{"q":1}',
        status: 'completed',
      },
      { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin' },
    ]);
  });

  it("brings another vendor's signature back in the next turn (edge 8)", () => {
    const response = openaiResponsesClient.writeResponse(callTools, contextFor({ tools })) as { output: unknown[] };
    const { messages } = finish(openaiResponsesClient.readRequest({ model: 'm', input: [...response.output] }));
    expect(messages[0]?.parts[0]).toMatchObject({
      kind: 'reasoning',
      opaque: { origin: 'anthropic-messages', kind: 'signature', value: 'c2ln' },
    });
  });

  it('calls a tool without arguments with an empty object (edge 4)', () => {
    const written = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'toolCall', id: 'a', name: 'now' },
      { type: 'close', part: 0 },
      { type: 'finish', choice: 0, reason: 'tool' },
    ]);
    expect(written.at(-1)).toMatchObject({ response: { output: [{ arguments: '{}' }] } });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['filter', 'content_filter'],
  ] as const)('ends incomplete after %s', (reason, detail) => {
    const written = write([start, { type: 'finish', choice: 0, reason }]);
    expect(written.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: detail } },
    });
  });

  it('has what a sound says, streamed and whole, and nothing of one that is not written down', () => {
    const sound = { type: 'open', part: 0, choice: 0, kind: 'media', mime: 'audio/wav', data: 'UElD' } as const;
    const heard = (transcript?: string): ChatEvent[] => [
      start,
      { ...sound, ...(transcript !== undefined && { transcript }) },
      { type: 'close', part: 0 },
      stop,
    ];
    const message = { type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hello.' }] };
    const deltas = write(heard('Hello.')).filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta)).toEqual(['Hello.']);
    expect(write(heard('Hello.')).at(-1)).toMatchObject({ response: { output: [message] } });
    expect(openaiResponsesClient.writeResponse(heard('Hello.'), contextFor())).toMatchObject({ output: [message] });
    expect(write(heard()).at(-1)).toMatchObject({ response: { output: [] } });
  });

  it('ends a broken response with response.failed and nothing after it (edge 24)', () => {
    const written = write([
      start,
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'Hal' },
      { type: 'error', status: 502, body: { error: { code: 'upstream_broken', message: 'broke off' } } },
    ]);
    expect(written.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'upstream_broken', message: 'broke off' } },
    });
  });
});
