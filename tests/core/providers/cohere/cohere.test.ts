import { describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { cohere } from '../../../../core/providers/cohere/index.ts';
import { chatClients } from '../../../../core/wire/chat-client.ts';
import { readingOf } from '../../../../core/wire/chat-reading.ts';
import { adapterOf, channelOf, hello, send } from '../call.ts';

const own = cohere.ownChat?.('m', channelOf(34));
const codec = own?.codec;
if (!own || !codec) throw new Error('no format of its own');
const context: ReadContext = { identity: { id: 'x', model: 'm', created: 9 } };

interface Written {
  messages?: unknown;
  tools?: { function: { name: string; parameters: unknown } }[];
  tool_choice?: string;
  thinking?: unknown;
  losses: string[];
}

function write(body: Record<string, unknown>, model = 'command-a-03-2025'): Written {
  const request = finish(chatClients['openai-chat'].readRequest({ model, messages: hello, ...body }));
  const written =
    codec &&
    finish(
      codec.writeRequest(request, {
        defaultMaxOutput: 9,
        ...cohere.writeContext?.(model, channelOf(34)),
        model,
      }),
    );
  return { ...written?.body, losses: written?.losses.map(({ field, kind }) => `${field} ${kind}`) ?? [] };
}

const tool = (name: string, more: object = {}) => ({ type: 'function', function: { name, ...more } });
const schema = { type: 'object', properties: { a: { type: 'string' } } };

describe('a chat call for Cohere', () => {
  it('has its own names, in its own ranges', () => {
    expect(
      write({
        max_completion_tokens: 50,
        temperature: 0.5,
        top_p: 1,
        top_k: 900,
        seed: 3,
        stop: ['a', 'b'],
        frequency_penalty: -1,
        presence_penalty: 2,
        logprobs: true,
        top_logprobs: 2,
        user: 'me',
        logit_bias: { 5: 1 },
        parallel_tool_calls: false,
        store: true,
        documents: ['d'],
        safety_mode: 'NONE',
        unknown_field: 1,
      }),
    ).toEqual({
      model: 'command-a-03-2025',
      messages: hello,
      stream: false,
      max_tokens: 50,
      temperature: 0.5,
      p: 0.99,
      k: 500,
      seed: 3,
      stop_sequences: ['a', 'b'],
      frequency_penalty: 0,
      presence_penalty: 1,
      logprobs: true,
      documents: ['d'],
      safety_mode: 'NONE',
      losses: expect.arrayContaining([
        'logit_bias dropped',
        'parallel_tool_calls dropped',
        'safety_identifier dropped',
        'store dropped',
        'logprobs dropped',
        'unknown_field dropped',
      ]),
    });
  });

  it('puts a conversation into its words', () => {
    const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const { messages } = write({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: 'I will look.', tool_calls: calls },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        { role: 'assistant', content: 'It is sunny.' },
        { role: 'user', content: 'Thanks' },
      ],
      tools: [tool('f', { parameters: schema })],
    });
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      { role: 'assistant', tool_plan: 'I will look.', tool_calls: calls },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      { role: 'assistant', content: 'It is sunny.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it.each([
    ['auto', undefined, ['f', 'g']],
    ['required', 'REQUIRED', ['f', 'g']],
    ['none', 'NONE', ['f', 'g']],
    [{ type: 'function', function: { name: 'g' } }, 'REQUIRED', ['g']],
  ])('says the choice of a tool %o', (choice, written, offered) => {
    const body = write({ tools: [tool('f'), tool('g', { strict: true })], tool_choice: choice });
    expect(body.tool_choice).toBe(written);
    expect(body.tools?.map((one) => one.function.name)).toEqual(offered);
    expect(body.tools?.[0]?.function).toEqual({ name: offered[0], parameters: { type: 'object', properties: {} } });
  });

  it('promises strict arguments where all tools ask for them', () => {
    const strict = tool('f', { strict: true, parameters: schema });
    expect(write({ tools: [strict] })).toMatchObject({ strict_tools: true });
    expect(write({ tools: [strict, tool('g')] })).not.toHaveProperty('strict_tools');
  });

  it('asks for JSON, by its schema, unless there are tools', () => {
    const format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    expect(write({ response_format: format })).toMatchObject({
      response_format: { type: 'json_object', json_schema: schema },
    });
    expect(write({ response_format: { type: 'json_object' } })).toMatchObject({
      response_format: { type: 'json_object' },
    });
    const beside = write({ response_format: format, tools: [tool('f')] });
    expect(beside).not.toHaveProperty('response_format');
    expect(beside.losses).toContain('response_format dropped');
  });

  it.each([
    ['command-a-reasoning-08-2025', 'none', { type: 'disabled' }, []],
    ['command-a-reasoning-08-2025', 'high', { type: 'enabled' }, ['reasoning_effort emulated']],
    ['command-a-03-2025', 'high', undefined, ['reasoning_effort dropped']],
    ['command-a-03-2025', 'none', undefined, []],
  ])('tells %s to think with effort %s', (model, effort, thinking, losses) => {
    const body = write({ reasoning_effort: effort }, model);
    expect(body.thinking).toEqual(thinking);
    expect(body.losses).toEqual(losses);
  });

  it.each([
    ['two responses', { n: 2 }, 'n'],
    [
      'sound',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }] },
      'messages',
    ],
    ['a web search', { web_search_options: {} }, 'web_search_options'],
  ])('is refused for %s', (_what, body, field) => {
    expect(() => write(body)).toThrow(new RegExp(field));
  });
});

/** Whole responses and streams alike. */
function eventsOf(response: unknown): ChatEvent[] {
  return codec?.readResponse(response, context) ?? [];
}

function streamOf(events: unknown[]): ChatEvent[] {
  const reader = codec?.createStreamReader(context);
  return [...events.flatMap((event) => reader?.event(event) ?? []), ...(reader?.end() ?? [])];
}

const citation = {
  start: 0,
  end: 5,
  text: 'Hello',
  type: 'TEXT_CONTENT',
  sources: [
    { type: 'document', id: 'd1', document: { url: 'https://a.example/', title: 'A' } },
    { type: 'document', id: 'd2', document: { text: 'without an address' } },
  ],
};

describe('a response of Cohere', () => {
  it('thinks, cites and tells likelihoods, whole and in pieces', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Hello' },
    ];
    const logprob = { text: 'Hello', token_ids: [1, 2], logprobs: [-0.25, -0.5] };
    const usage = { tokens: { input_tokens: 66, output_tokens: 3 } };
    const whole = eventsOf({
      id: 'c1',
      finish_reason: 'MAX_TOKENS',
      usage,
      logprobs: [logprob],
      message: { role: 'assistant', content, citations: [citation] },
    });
    const delta = (type: string, message: object, more: object = {}) => ({
      type,
      index: 0,
      delta: { message },
      ...more,
    });
    const pieces = streamOf([
      { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant' } } },
      delta('content-start', { content: { type: 'thinking', thinking: 'Hm' } }),
      delta('content-delta', { content: { thinking: '.' } }),
      { type: 'content-end', index: 0 },
      delta('content-start', { content: { type: 'text', text: '' } }),
      delta('content-delta', { content: { text: 'Hello' } }, { logprobs: logprob }),
      delta('citation-start', { citations: citation }),
      { type: 'citation-end', index: 0 },
      { type: 'debug', prompt: 'x' },
      { type: 'message-end', delta: { finish_reason: 'MAX_TOKENS', usage } },
    ]);
    for (const events of [whole, pieces]) {
      const read = readingOf(events);
      expect(read.error).toBeUndefined();
      expect(read.usage).toMatchObject({ prompt: 66, completion: 3 });
      expect(events).toContainEqual({ type: 'finish', choice: 0, reason: 'length' });
      expect(events).toContainEqual(expect.objectContaining({ type: 'start', id: 'c1' }));
      const opened = events.flatMap((event) => (event.type === 'open' ? [event.kind] : []));
      expect(opened).toEqual(['reasoning', 'text']);
      const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
      expect(cited).toMatchObject([{ url: 'https://a.example/', title: 'A', start: 0, end: 5 }]);
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'logprobs',
          logprobs: [expect.objectContaining({ token: 'Hello', logprob: -0.75 })],
        }),
      );
    }
  });

  it.each([
    [
      'billed units before tokens',
      { billed_units: { input_tokens: 1, output_tokens: 2 }, tokens: { input_tokens: 9, output_tokens: 9 } },
      [1, 2, 0],
    ],
    [
      'cached tokens inside the bill',
      { billed_units: { input_tokens: 5, output_tokens: 2 }, cached_tokens: 4 },
      [5, 2, 4],
    ],
    [
      'cached tokens beyond the bill',
      { billed_units: { input_tokens: 5, output_tokens: 2 }, cached_tokens: 40 },
      [5, 2, 0],
    ],
  ])('is paid by %s', (_what, usage, [prompt, completion, cachedRead]) => {
    const events = eventsOf({ finish_reason: 'COMPLETE', message: { content: [{ type: 'text', text: 'a' }] }, usage });
    expect(readingOf(events).usage).toMatchObject({ prompt, completion, cachedRead });
  });

  it.each(['ERROR', 'TIMEOUT'])('that ends with %s is not one', (reason) => {
    expect(adapterOf(34).hiddenErrorStatus({ finish_reason: reason, message: {} })).toBe(503);
    const [error] = streamOf([{ type: 'message-end', delta: { finish_reason: reason, error: 'broken' } }]);
    expect(error).toMatchObject({ type: 'error', status: 503, body: { error: { message: 'broken' } } });
  });

  it('cut short is never taken for a whole one', () => {
    const events = streamOf([{ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hel' } } } }]);
    expect(events.at(-1)).toMatchObject({ type: 'error', status: 502 });
  });
});

describe('embeddings and ranks of Cohere', () => {
  const embed = (input: unknown, more: object = {}) =>
    send(34, { model: 'embed-v4.0', input, ...more }, { protocol: 'openai-embedding' });

  it('say what the vectors are for, and embed pictures too', () => {
    expect(embed('a', { input_type: 'search_query', dimensions: 256 })).toMatchObject({
      url: 'https://api.cohere.com/v2/embed',
      body: { texts: ['a'], input_type: 'search_query', output_dimension: 256 },
    });
    expect(embed([{ text: 'a' }, { image: 'data:image/png;base64,AA' }]).body).toMatchObject({
      inputs: [
        { content: [{ type: 'text', text: 'a' }] },
        { content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] },
      ],
    });
    expect(() => embed(Array(97).fill('a'))).toThrow(/96/);
    expect(() => embed([[1, 2]])).toThrow(/token ids/);
  });

  it('take documents of fields as lines, whatever version the address names', () => {
    const body = {
      model: 'rerank-v3.5',
      query: 'q',
      documents: [
        { text: 'a', id: 1 },
        { title: 'T', year: 2 },
      ],
      top_n: 1,
    };
    const sent = send(34, body, { protocol: 'rerank', channel: { base_url: 'https://h/v2/' } });
    expect(sent.url).toBe('https://h/v2/rerank');
    expect(sent.body).toEqual({ model: 'rerank-v3.5', query: 'q', documents: ['a', 'title: T\nyear: 2'], top_n: 1 });
  });

  it('pass a call in Cohere’s own form as it is', () => {
    const body = { model: 'rerank-v3.5', query: 'q', documents: ['a'], max_tokens_per_doc: 9 };
    expect(send(34, body, { protocol: 'cohere-rerank' })).toMatchObject({ body, edits: [] });
  });
});
