import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import type { ChatRequest } from '../../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { isNoArguments } from '../../../../core/canonical/tool-arguments.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { anthropicClient } from '../../../../core/wire/anthropic-messages/client-codec.ts';
import { geminiClient } from '../../../../core/wire/gemini/client-codec.ts';
import { openaiChatClient } from '../../../../core/wire/openai-chat/client-codec.ts';
import { openaiResponsesClient } from '../../../../core/wire/openai-responses/client-codec.ts';
import { openaiResponsesUpstream } from '../../../../core/wire/openai-responses/upstream-codec.ts';
import { readResponsesEvents } from '../../../support/responses-stream.ts';

const identity = { id: 'fx', model: 'gpt-5.4', created: 1767322800 };
const read = (body: Record<string, unknown>) =>
  finish(openaiResponsesClient.readRequest({ model: 'm', input: 'hi', ...body }));

function write(body: Record<string, unknown>, origin = 'openai-responses') {
  const request = { ...read(body), origin: origin as 'openai-chat' };
  return finish(openaiResponsesUpstream.writeRequest(request, { model: 'gpt-5.4', defaultMaxOutput: 4096 }));
}

/** The parts an event sequence tells, in order of appearance. */
function partsOf(events: ChatEvent[]) {
  return (foldEvents(events).choices[0]?.parts ?? []).map((part) => ({
    kind: part.kind,
    name: part.kind === 'toolCall' ? part.name : '',
    text: part.kind === 'toolCall' ? part.arguments : 'text' in part ? part.text : '',
    value: 'opaque' in part ? part.opaque?.value : undefined,
  }));
}

function readStream(events: Record<string, unknown>[]): ChatEvent[] {
  const reader = openaiResponsesUpstream.createStreamReader({ identity });
  return [...events.flatMap((event) => reader.event(event)), ...reader.end()];
}

describe('a Responses upstream', () => {
  it('is sent what the client said, stored nowhere', () => {
    const { body, losses } = write({
      input: [
        { role: 'user', content: 'weather?' },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"big":12345678901234567890}' },
        { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      ],
      instructions: 'Be short.',
      max_output_tokens: 50,
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' } }],
      tool_choice: { type: 'function', name: 'weather' },
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true } },
      reasoning: { effort: 'none' },
    });
    expect(losses).toEqual([]);
    expect(body).toEqual({
      model: 'gpt-5.4',
      instructions: 'Be short.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'weather?' }] },
        // Word for word: a number beyond 2^53 stays what it was.
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"big":12345678901234567890}' },
        { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      ],
      stream: false,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 50,
      tools: [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }],
      tool_choice: { type: 'function', name: 'weather' },
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true } },
      reasoning: { effort: 'none' },
    });
  });

  it('searches the web as a client of chat asks for it', () => {
    const asked = (options: object) => {
      const call = { model: 'm', messages: [{ role: 'user', content: 'hi' }], web_search_options: options };
      const request = finish(openaiChatClient.readRequest(call));
      return finish(openaiResponsesUpstream.writeRequest(request, { model: 'gpt-5.4', defaultMaxOutput: 4096 }));
    };
    expect(asked({}).body).toMatchObject({ tools: [{ type: 'web_search' }] });
    const place = { country: 'DE', city: 'Berlin' };
    const { body, losses } = asked({
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: place },
    });
    const tool = { type: 'web_search', search_context_size: 'high', user_location: { type: 'approximate', ...place } };
    expect(body).toMatchObject({ tools: [tool] });
    expect(losses).toEqual([]);
  });

  it('searches the web as clients of Claude and of Gemini ask for it', () => {
    const write = (request: ChatRequest) =>
      finish(openaiResponsesUpstream.writeRequest(request, { model: 'gpt-5.4', defaultMaxOutput: 4096 }));
    const asked = (tool: object, more: object = {}) => {
      const call = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [tool], ...more };
      return write(finish(anthropicClient.readRequest(call)));
    };
    const plain = { type: 'web_search_20250305', name: 'web_search' };
    const chosen = asked(plain, { tool_choice: { type: 'tool', name: 'web_search' } });
    expect(chosen.body).toMatchObject({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } });
    expect(chosen.losses).toEqual([]);
    const place = { type: 'approximate', city: 'Berlin', timezone: 'Europe/Berlin' };
    const { body, losses } = asked({ ...plain, max_uses: 3, allowed_domains: ['example.com'], user_location: place });
    expect(body).toMatchObject({
      tools: [{ type: 'web_search', filters: { allowed_domains: ['example.com'] }, user_location: place }],
      max_tool_calls: 3,
    });
    expect(losses).toEqual([{ field: 'tools: web_search_20250305.max_uses', kind: 'emulated' }]);
    expect(asked({ ...plain, blocked_domains: ['a.example'], defer_loading: true }).losses).toEqual([
      { field: 'tools: web_search_20250305.blocked_domains', kind: 'dropped' },
      { field: 'tools: web_search_20250305.defer_loading', kind: 'dropped' },
    ]);
    expect(() => asked({ type: 'web_fetch_20250910', name: 'web_fetch' })).toThrow('web_fetch_20250910');
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const google = geminiClient.readRequest({ contents, tools: [{ googleSearch: {} }] }, { model: 'm', stream: false });
    expect(write(finish(google)).body).toMatchObject({ tools: [{ type: 'web_search' }] });
  });

  it('names what it cannot say, and refuses what the client cannot do without', () => {
    const request = { ...read({}), stop: ['END'], sampling: { seed: 1, topK: 4, temperature: 0 } };
    const { body, losses } = finish(openaiResponsesUpstream.writeRequest(request, { model: 'x', defaultMaxOutput: 1 }));
    expect(body.temperature).toBe(0);
    expect(losses.map(({ field }) => field)).toEqual(['stop', 'top_k', 'seed']);
    const twice = { ...request, sampling: { choices: 2 } };
    expect(() => finish(openaiResponsesUpstream.writeRequest(twice, { model: 'x', defaultMaxOutput: 1 }))).toThrowError(
      expect.objectContaining({ code: 'convert.notPossible', param: 'n' }),
    );
    expect(() => write({ previous_response_id: 'resp_1' })).toThrowError(
      expect.objectContaining({ param: 'previous_response_id' }),
    );
  });

  it('gets reasoning back only where it was made (edge 8)', () => {
    const input = [
      { role: 'user', content: 'x' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'foreign' }] },
      { role: 'assistant', content: 'y' },
    ];
    const { body, losses } = write({ input });
    expect(body.input).toMatchObject([
      { role: 'user' },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA' },
      { type: 'message', role: 'assistant' },
    ]);
    expect(losses).toEqual([{ field: 'input.reasoning', kind: 'dropped' }]);
  });

  it('gets instructions as input where there is nothing else: it refuses a call without input', () => {
    const { body } = write({ input: [{ role: 'developer', content: 'Tell a joke.' }], instructions: 'Be short.' });
    expect(body).not.toHaveProperty('instructions');
    expect(body.input).toEqual([
      { role: 'developer', content: [{ type: 'input_text', text: 'Be short.\n\nTell a joke.' }] },
    ]);
  });

  it('cites each page once, whether events tell of it, or the whole text alone', () => {
    const annotation = { type: 'url_citation', url: 'https://a.b/c', title: 'A', start_index: 0, end_index: 4 };
    const content = [{ type: 'output_text', text: 'SAID', annotations: [annotation] }];
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
    const response = { id: 'resp_1', status: 'completed', model: 'gpt-5.4', output: [item], usage: null };
    const cited = [{ url: 'https://a.b/c', title: 'A', start: 0, end: 4 }];
    const citationsOf = (events: ChatEvent[]) =>
      events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    const whole = openaiResponsesUpstream.readResponse(response, { identity });
    expect(citationsOf(whole)).toMatchObject(cited);
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const delta = { type: 'response.output_text.delta', ...at, delta: 'SAID' };
    const told = { type: 'response.output_text.annotation.added', ...at, annotation };
    const ending = [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    for (const events of [[delta, told], [told, delta], [delta]])
      expect(citationsOf(readStream([...events, ...ending]))).toMatchObject(cited);
  });

  it('hides the user behind a hash when the client speaks another protocol', () => {
    expect(write({ user: 'ann' }).body.safety_identifier).toBe('ann');
    expect(write({ user: 'ann@example.com' }, 'anthropic-messages').body.safety_identifier).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is read from the end alone, and from items without deltas (6.4)', () => {
    const output = [
      { id: null, type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' },
      { id: null, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
      { id: null, type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    ];
    const response = {
      id: 'resp_1',
      model: 'gpt-5.4',
      created_at: 5,
      status: 'completed',
      output,
      usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13, output_tokens_details: { reasoning_tokens: 2 } },
    };
    for (const events of [
      openaiResponsesUpstream.readResponse(response, { identity }),
      readStream([{ type: 'response.completed', response }]),
    ]) {
      expect(partsOf(events).map(({ kind, text }) => [kind, text])).toEqual([
        ['reasoning', 'Hm.'],
        ['text', 'Hi'],
        ['toolCall', '{}'],
      ]);
      expect(events).toContainEqual({ type: 'finish', choice: 0, reason: 'tool' });
      expect(events.find(({ type }) => type === 'usage')).toMatchObject({
        usage: { prompt: 9, completion: 4, reasoning: 2 },
      });
    }
  });

  /** Two searches and two texts, each event with the id that `idOf` gives it and at the place that `placeOf` gives it. */
  function itemEvents(idOf: (name: string, moment: string) => string | null, placeOf = (index: number) => index) {
    const text = (id: string | null, words: string) => ({
      ...{ id, type: 'message', role: 'assistant' },
      content: [{ type: 'output_text', text: words, annotations: [] }],
    });
    const search = (id: string | null, query: string) => ({
      ...{ id, type: 'web_search_call', status: 'completed' },
      action: { type: 'search', query },
    });
    const makers = [search, search, text, text];
    const itemAt = (index: number, moment: string) =>
      (makers[index] as typeof text)(idOf(`i${index}`, moment), `word${index}`);
    const output = makers.map((_make, index) => itemAt(index, 'last'));
    const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
    return [
      { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5.4' } },
      ...makers.flatMap((make, index) => {
        const at = { output_index: placeOf(index) };
        const delta = { type: 'response.output_text.delta', item_id: idOf(`i${index}`, 'delta'), content_index: 0 };
        return [
          { type: 'response.output_item.added', ...at, item: { ...itemAt(index, 'added'), content: [] } },
          ...(make === text ? [{ ...delta, ...at, delta: `word${index}` }] : []),
          { type: 'response.output_item.done', ...at, item: itemAt(index, 'done') },
        ];
      }),
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output, usage } },
    ];
  }

  it.each([
    ['one id', (name: string) => name, undefined],
    ['one id, and one place for all', (name: string) => name, () => 0],
    ['no id at the end', (name: string, moment: string) => (moment === 'last' ? null : name), undefined],
    ['another id in every event', (name: string, moment: string) => `${name}-${moment}`, undefined],
    ['no id', () => null, undefined],
  ])('is told once, and its searches are paid once, where an item has %s', (_name, idOf, placeOf) => {
    const events = readStream(itemEvents(idOf, placeOf));
    expect(partsOf(events).map(({ kind, text }) => [kind, text])).toEqual([
      ['native', ''],
      ['native', ''],
      ['text', 'word2'],
      ['text', 'word3'],
    ]);
    expect(foldEvents(events).usage?.serverTools).toEqual({ web_search: 2 });
  });

  it('is a broken one when it ends before its last event (edge 24)', () => {
    const events = readStream([
      { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hal' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'error', status: 502 });
    expect(readStream([{ type: 'error', code: 'server_error', message: 'x' }]).at(-1)).toMatchObject({ type: 'error' });
  });

  it('says the same to a client of the same protocol, whatever came', () => {
    const part = fc.record({
      kind: fc.constantFrom('text' as const, 'refusal' as const, 'reasoning' as const, 'toolCall' as const),
      pieces: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
      signed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, sideBySide) => {
        const opened = parts.map(
          ({ kind }, index): ChatEvent =>
            kind === 'toolCall'
              ? { type: 'open', part: index, choice: 0, kind, id: `c${index}`, name: `f${index}` }
              : { type: 'open', part: index, choice: 0, kind },
        );
        const told = parts.map(({ pieces }, index) =>
          pieces.map((text): ChatEvent => ({ type: 'delta', part: index, text })),
        );
        const closed = parts.map(
          ({ kind, signed }, index): ChatEvent => ({
            type: 'close',
            part: index,
            ...(kind === 'reasoning' &&
              signed && {
                opaque: { origin: 'openai-responses' as const, kind: 'encrypted' as const, value: `e${index}` },
              }),
          }),
        );
        const body = sideBySide
          ? [...opened, ...[0, 1, 2, 3].flatMap((at) => told.flatMap((one) => one.slice(at, at + 1))), ...closed]
          : parts.flatMap((_part, index) => [opened[index], ...(told[index] ?? []), closed[index]] as ChatEvent[]);
        const events: ChatEvent[] = [
          { type: 'start', id: 'u', model: 'gpt-5.4', created: 1 },
          ...body,
          { type: 'finish', choice: 0, reason: 'stop' },
        ];
        const context = { identity, promptTokens: 1, wantsUsage: false, request: read({}) };
        const writer = openaiResponsesClient.createStreamWriter(context);
        const text = events.map((event) => writer.event(event)).join('') + writer.end({ ...emptyUsage, prompt: 1 });
        const again = partsOf(readStream(readResponsesEvents(text)));
        // Blanks before arguments mean nothing, and blanks or null are an empty object.
        const expected = partsOf(events).map((one) =>
          one.kind === 'toolCall' ? { ...one, text: isNoArguments(one.text) ? '{}' : one.text.trimStart() } : one,
        );
        // Of parts that open side by side the one that speaks first is the first.
        const listed = (parts: typeof expected) => parts.map((one) => JSON.stringify(one));
        if (sideBySide) expect(listed(again).sort()).toEqual(listed(expected).sort());
        else expect(listed(again)).toEqual(listed(expected));
      }),
      { numRuns: 300 },
    );
  });
});
