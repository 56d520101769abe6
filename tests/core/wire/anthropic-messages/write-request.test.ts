import { describe, expect, it } from 'vitest';
import type { WriteContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatRequest, Message, Opaque, Part } from '../../../../core/canonical/chat-request.ts';
import { writeJson } from '../../../../core/lib/raw-json.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { writeAnthropicRequest } from '../../../../core/wire/anthropic-messages/write-request.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const sonnet45 = 'claude-sonnet-4-5-20250929';
const text = (value: string): Part => ({ kind: 'text', text: value });
const call = (id: string, args = '{}'): Part => ({ kind: 'toolCall', id, name: 'f', arguments: args });
const result = (callId: string, ...parts: Part[]): Part => ({ kind: 'toolResult', callId, parts });
const say = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts });
const tools: ChatRequest['tools'] = [{ kind: 'function', name: 'f', schema: { properties: { a: {} } } }];
const signature: Opaque = { origin: 'anthropic-messages', kind: 'signature', value: 'sig' };

type Body = Record<string, unknown> & { messages: { role: string; content: Record<string, unknown>[] }[] };

function write(fields: Partial<ChatRequest>, model = sonnet45, more: Partial<WriteContext> = {}) {
  const { body, losses, ...rest } = finish(
    writeAnthropicRequest(chatRequest(fields), { model, defaultMaxOutput: 8192, ...more }),
  );
  return {
    ...rest,
    body: JSON.parse(writeJson(body)) as Body,
    lost: losses.map(({ field, kind }) => `${field} ${kind}`),
  };
}

/** A definition whose children are what `child` says; `other` leads back to it. */
const tree = (child: object) => ({
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' } },
  $defs: {
    node: { type: 'object', properties: { children: { type: 'array', items: child } } },
    other: { type: 'object', properties: { node: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } } },
  },
});

const turns = (messages: Message[], model?: string) => write({ messages, tools }, model).body.messages;

describe('turns for Anthropic', () => {
  it('edge 11: results come first in the next user turn, merged, in the order of the calls', () => {
    const messages = [
      say('user', text('go')),
      say('assistant', text('ok'), call('a'), call('b')),
      say('user', text('and?')),
      say('tool', result('b', text('B'))),
      say('tool', result('a', text('A'))),
    ];
    expect(turns(messages)).toMatchObject([
      { role: 'user', content: [{ text: 'go' }] },
      { role: 'assistant', content: [{ text: 'ok' }, { type: 'tool_use', id: 'a' }, { type: 'tool_use', id: 'b' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A' }] },
          { type: 'tool_result', tool_use_id: 'b' },
          { text: 'and?' },
        ],
      },
    ]);
  });

  it('edge 11: a call without a result gets one that says so', () => {
    const { body, lost } = write({ messages: [say('user', text('x')), say('assistant', call('a'))], tools });
    expect(body.messages.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'tool_result', is_error: true }] });
    expect(lost).toEqual(['messages emulated']);
  });

  it('edge 10: blank texts go, turns that had nothing else go with them', () => {
    const messages = [
      say('user', text(''), text('  \n'), text('hi')),
      say('assistant', text(' ')),
      say('user', text('still there?')),
    ];
    expect(turns(messages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: 'still there?' },
        ],
      },
    ]);
  });

  it('edge 4: arguments are an object, word for word where they are one', () => {
    const args = (value: string) =>
      writeJson(
        (
          finish(
            writeAnthropicRequest(
              chatRequest({ messages: [say('user', text('x')), say('assistant', call('a', value))], tools }),
              { model: sonnet45, defaultMaxOutput: 1 },
            ),
          ).body.messages as Body['messages']
        )[1]?.content[0]?.input,
      );
    expect(args('')).toBe('{}');
    expect(args('{"n":12345678901234567890}')).toBe('{"n":12345678901234567890}');
    expect(args('"bare"')).toBe('{"arguments":"\\"bare\\""}');
  });

  it('ids fit and are unique, also when an upstream counted from 0 in every turn', () => {
    const messages = [
      say('user', text('x')),
      say('assistant', call('call:1')),
      say('tool', result('call:1', text('first'))),
      say('assistant', call('call:1')),
      say('tool', result('call:1', text('second'))),
    ];
    const blocks = turns(messages).flatMap(({ content }) => content);
    const ids = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const responses = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
    expect(new Set(ids).size).toBe(2);
    expect(responses).toEqual(ids);
    expect(ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(String(id)))).toBe(true);
    expect(turns(messages)).toEqual(turns(messages));
  });

  it('edges 8 and 9: only thinking that Anthropic signed goes back, foreign and blank signatures are left out', () => {
    const thinking = (opaque?: Opaque): Part => ({
      kind: 'reasoning',
      form: 'full',
      text: 'hm',
      ...(opaque && { opaque }),
    });
    const { body, lost } = write({
      messages: [
        say('user', text('x')),
        say(
          'assistant',
          thinking(signature),
          thinking({ ...signature, kind: 'redacted', value: 'secret' }),
          thinking({ ...signature, value: '' }),
          thinking({ ...signature, origin: 'gemini' }),
          thinking(),
          text('ok'),
        ),
        say('user', text('y')),
      ],
    });
    expect(body.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'text', text: 'ok' },
    ]);
    expect(lost).toEqual(['messages.reasoning_content dropped']);
  });

  it('edge 28: a system message in the middle keeps its place, as a turn or as text of the user', () => {
    const messages = [say('user', text('a')), say('system', text('b')), say('user', text('c'))];
    expect(turns(messages, 'claude-opus-5').map(({ role }) => role)).toEqual(['user', 'system', 'user']);
    expect(turns(messages)).toEqual([
      {
        role: 'user',
        content: ['a', 'b', 'c'].map((value) => ({ type: 'text', text: value })),
      },
    ]);
  });

  it('starts with the user, and ends with the user where the model does not go on', () => {
    expect(turns([say('assistant', text('Hello!')), say('user', text('hi'))])[0]?.role).toBe('user');
    const prefill = [say('user', text('x')), say('assistant', text('Answer: '))];
    expect(turns(prefill).at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Answer:' }] });
    expect(turns(prefill, 'claude-opus-4-6').at(-1)).toMatchObject({ role: 'user' });
  });

  it('edge 28: a cache mark is on a result, never inside it, and only the last four are kept', () => {
    const marked = (value: string): Part => ({ kind: 'text', text: value, cache: '5m' });
    const { body, lost } = write({
      instructions: [marked('one')],
      tools: [{ kind: 'function', name: 'f', cache: '1h' }],
      messages: [
        say('user', marked('two'), marked('three')),
        say('assistant', call('a')),
        say('tool', { kind: 'toolResult', callId: 'a', parts: [marked('inside')], cache: '1h' }),
        say('user', marked('four')),
      ],
    });
    const written = JSON.stringify(body);
    expect(written.match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify([body.tools, body.system])).not.toContain('cache_control');
    const response = body.messages[2]?.content[0];
    expect(response).toEqual({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'text', text: 'inside' }],
      // An hour may not follow five minutes.
      cache_control: { type: 'ephemeral' },
    });
    expect(lost).toEqual([
      'messages.content.prompt_cache_breakpoint dropped',
      'messages.content.prompt_cache_breakpoint emulated',
    ]);
  });

  it('pictures, PDFs and texts by data, address and file', () => {
    const data = (mime: string, value = 'QUJD') => ({ type: 'data', mime, data: value }) as const;
    const content = (part: Part, origin: ChatRequest['origin'] = 'openai-chat') =>
      write({ origin, messages: [say('user', part)] }).body.messages[0]?.content;
    expect(content({ kind: 'image', source: data('image/jpg') })).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QUJD' } },
    ]);
    expect(content({ kind: 'image', source: { type: 'url', url: 'https://a.example/x.png' } })).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
    ]);
    expect(content({ kind: 'document', source: data('application/pdf'), name: 'a.pdf' })).toEqual([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' }, title: 'a.pdf' },
    ]);
    expect(content({ kind: 'document', source: data('text/markdown') })).toEqual([
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ABC' } },
    ]);
    const file: Part = { kind: 'image', source: { type: 'file', id: 'file_1' } };
    expect(content(file, 'anthropic-messages')).toEqual([
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    ]);
    expect(() => content(file)).toThrow('file file_1');
    expect(() => content({ kind: 'image', source: data('image/tiff') })).toThrow('image/tiff');
    expect(() => content({ kind: 'audio', data: 'A', format: 'wav' })).toThrow('audio');
    expect(() => content({ kind: 'native', origin: 'openai-chat', raw: {} })).toThrow('Anthropic');
  });

  it('a conversation with calls in it names the tools it used, though the client offers none', () => {
    const { body } = write({
      messages: [say('user', text('x')), say('assistant', call('a')), say('tool', result('a'))],
    });
    expect(body).toMatchObject({ tools: [{ name: 'f' }] });
  });
});

describe('fields for Anthropic', () => {
  it('edge 29: sampling by the model', () => {
    const sampling = { temperature: 1.5, topP: 0.9, topK: 5 };
    expect(write({ sampling }, 'claude-opus-4-7').lost).toEqual([
      'temperature dropped',
      'top_p dropped',
      'top_k dropped',
    ]);
    const older = write({ sampling });
    expect(older.body).toMatchObject({ temperature: 1, top_k: 5 });
    expect(older.body).not.toHaveProperty('top_p');
    expect(older.lost).toEqual(['top_p dropped', 'temperature emulated']);
    expect(write({ sampling }, 'claude-3-haiku-20240307').body).toMatchObject({ temperature: 1, top_p: 0.9, top_k: 5 });
    const thinking = write({ sampling, reasoning: { mode: 'budget', budget: 2000 } });
    expect(thinking.body).not.toHaveProperty('temperature');
    expect(thinking.body).not.toHaveProperty('top_k');
  });

  it('drops what Anthropic has nothing like, and names it; refuses what the response depends on', () => {
    const { lost } = write({
      sampling: { seed: 1, frequencyPenalty: 1, presencePenalty: 1, logitBias: { 1: 1 } },
      metadata: { a: 'b' },
      store: true,
      serviceTier: 'flex',
      cache: { key: 'k' },
      output: { kind: 'text', verbosity: 'low' },
      extras: { prediction: {} },
    });
    expect(lost).toEqual([
      'prediction dropped',
      'seed dropped',
      'frequency_penalty dropped',
      'presence_penalty dropped',
      'logit_bias dropped',
      'metadata dropped',
      'store dropped',
      'verbosity dropped',
      'prompt_cache_key dropped',
      'service_tier dropped',
    ]);
    expect(() => write({ sampling: { choices: 2 } })).toThrow(' n.');
    expect(() => write({ logprobs: { top: 0 } })).toThrow('logprobs');
    expect(() => write({ output: { kind: 'text', modalities: ['text', 'audio'] } })).toThrow('modalities');
  });

  it('a search of the web as the clients of the other protocols ask for it', () => {
    const search = (origin: ChatRequest['origin'], type: string, raw: Record<string, unknown>) =>
      ({ origin, tools: [{ kind: 'hosted', type, raw }] }) satisfies Partial<ChatRequest>;
    const own = { type: 'web_search_20250305', name: 'web_search' };
    const place = { country: 'DE', city: 'Berlin' };
    const chat = {
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: { ...place, region: null } },
    };
    expect(write(search('openai-chat', 'web_search', chat))).toMatchObject({
      body: { tools: [{ ...own, user_location: { type: 'approximate', ...place } }] },
      lost: ['web_search_options.search_context_size dropped'],
    });
    const responses = {
      type: 'web_search_preview',
      filters: { allowed_domains: ['example.com'] },
      external_web_access: true,
    };
    const toolChoice = { mode: 'named', name: 'web_search_preview' } as const;
    expect(write({ ...search('openai-responses', 'web_search_preview', responses), toolChoice })).toMatchObject({
      body: {
        tools: [{ ...own, allowed_domains: ['example.com'] }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      lost: ['tools: web_search_preview.external_web_access dropped'],
    });
    const google = search('gemini', 'googleSearch', { googleSearch: { timeRangeFilter: {} } });
    expect(write(google)).toMatchObject({
      body: { tools: [own] },
      lost: ['tools: googleSearch.timeRangeFilter dropped'],
    });
    const refused = [
      () => write(search('openai-responses', 'file_search', {})),
      () => write(search('gemini', 'urlContext', { urlContext: {} })),
      () => write(search('openai-chat', 'web_search', {}), sonnet45, { searchesWeb: false }),
      () => write(search('openai-chat', 'web_search', {}), 'kimi-k3'),
    ];
    for (const [index, name] of ['file_search', 'urlContext', 'web_search_options', 'web_search_options'].entries())
      expect(refused[index]).toThrow(name);
  });

  it('max_tokens: the default of the operator, the bound of the model', () => {
    expect(write({}).body.max_tokens).toBe(8192);
    expect(write({ maxOutput: 100_000 })).toMatchObject({
      body: { max_tokens: 64_000 },
      lost: ['max_completion_tokens emulated'],
    });
    expect(write({}, 'claude-3-opus-20240229')).toMatchObject({ body: { max_tokens: 4096 }, lost: [] });
  });

  it('hints: the user hashed, stops, tiers', () => {
    const { body } = write({ userId: 'bob', stop: ['END', ' '], serviceTier: 'default', cache: { automatic: '1h' } });
    expect(body).toMatchObject({
      metadata: { user_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      stop_sequences: ['END'],
      service_tier: 'standard_only',
      cache_control: { type: 'ephemeral', ttl: '1h' },
    });
    const own = write({
      origin: 'anthropic-messages',
      userId: 'bob',
      extras: { container: 'c', 'anthropic-beta': 'b' },
    });
    expect(own.body).toMatchObject({ metadata: { user_id: 'bob' }, container: 'c' });
    expect(own.body).not.toHaveProperty('anthropic-beta');
  });

  it.each([
    ['claude-opus-4-5', { mode: 'effort', effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-opus-4-5', { mode: 'effort', effort: 'medium' }, { thinking: { type: 'enabled', budget_tokens: 4096 } }],
    ['claude-opus-4-5', { mode: 'off' }, {}],
    ['claude-opus-4-6', { mode: 'budget', budget: 5000 }, { thinking: { type: 'enabled', budget_tokens: 5000 } }],
    [
      'claude-opus-4-6',
      { mode: 'effort', effort: 'xhigh' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [
      'claude-opus-4-7',
      { mode: 'effort', effort: 'minimal' },
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      'claude-opus-4-7',
      { mode: 'budget', budget: 9000, visible: 'none' },
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
    ],
    ['claude-opus-5', { mode: 'off' }, { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', { mode: 'off' }, { output_config: { effort: 'low' } }],
    ['claude-3-5-haiku-20241022', { mode: 'effort', effort: 'high' }, {}],
    [
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      { mode: 'auto' },
      { thinking: { type: 'enabled', budget_tokens: 4096 } },
    ],
  ] as const)('thinking of %s: %o', (model, reasoning, expected) => {
    const { body } = write({ reasoning }, model);
    const { thinking, output_config } = body;
    expect({
      ...(thinking !== undefined && { thinking }),
      ...(output_config !== undefined && { output_config }),
    }).toEqual(expected);
  });

  it('a model named -thinking is the same model, told to think', () => {
    const { body, lost } = write(
      { maxOutput: 1000, sampling: { temperature: 0.2, topP: 0.5 } },
      `${sonnet45}-thinking`,
    );
    expect(body).toMatchObject({
      model: sonnet45,
      max_tokens: 1280,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    expect(lost).toEqual(['temperature dropped', 'top_p dropped']);
    const newer = write({}, 'claude-opus-5-thinking');
    expect(newer.body).toMatchObject({ model: 'claude-opus-5', thinking: { type: 'adaptive' } });
  });

  it('leaves room for a response behind the thinking', () => {
    const { body } = write({ maxOutput: 100, reasoning: { mode: 'budget', budget: 2000 } });
    expect(body).toMatchObject({ max_tokens: 2100, thinking: { budget_tokens: 2000 } });
    const max = write({ maxOutput: 64_000, reasoning: { mode: 'budget', budget: 70_000 } });
    expect(max.body.max_tokens).toBe(64_000);
    expect((max.body.thinking as { budget_tokens: number }).budget_tokens).toBeLessThan(64_000);
  });

  it('edge 9: no thinking by budget where the calls lost theirs', () => {
    const messages = [say('user', text('x')), say('assistant', call('a')), say('tool', result('a', text('A')))];
    const reasoning = { mode: 'budget', budget: 2000 } as const;
    const { body, lost } = write({ messages, tools, reasoning });
    expect(body).not.toHaveProperty('thinking');
    expect(lost).toEqual(['reasoning_effort dropped']);
    const signed: Part = { kind: 'reasoning', form: 'full', text: 'hm', opaque: signature };
    const kept = [say('user', text('x')), say('assistant', signed, call('a')), say('tool', result('a', text('A')))];
    expect(write({ messages: kept, tools, reasoning }).body).toHaveProperty('thinking');
    // Models that decide by themselves insist on nothing.
    expect(write({ messages, tools, reasoning }, 'claude-opus-4-7').body).toHaveProperty('thinking');
  });

  it('a forced tool and thinking: the tool wins, or the choice is left to the model', () => {
    const reasoning = { mode: 'effort', effort: 'high' } as const;
    const toolChoice = { mode: 'named', name: 'f' } as const;
    const older = write({ tools, toolChoice, reasoning });
    expect(older.body).toMatchObject({ tool_choice: { type: 'tool', name: 'f' } });
    expect(older.body).not.toHaveProperty('thinking');
    const newer = write({ tools, toolChoice, reasoning }, 'claude-fable-5-1');
    expect(newer.body).toMatchObject({ tool_choice: { type: 'auto' }, thinking: { type: 'adaptive' } });
    expect(newer.lost).toEqual(['tool_choice emulated']);
  });

  it('tools: schemas are objects, choices in Anthropic words, one call at a time', () => {
    const { body } = write({ tools, toolChoice: { mode: 'required' }, parallelTools: false });
    expect(body).toMatchObject({
      tools: [{ name: 'f', input_schema: { type: 'object', properties: { a: {} } } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(write({ tools, parallelTools: false }).body.tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    expect(write({ tools, toolChoice: { mode: 'none' }, parallelTools: false }).body.tool_choice).toEqual({
      type: 'none',
    });
    const custom = write({ tools: [{ kind: 'custom', name: 'a.b', grammar: { definition: 'x' } }] });
    expect([...(custom.customTools ?? [])]).toEqual(['a_b']);
    expect([...(custom.toolNames ?? [])]).toEqual([['a_b', 'a.b']]);
    expect(custom.body.tools).toMatchObject([{ input_schema: { required: ['input'] } }]);
  });

  const ruled = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      age: { type: 'integer', minimum: 0, maximum: 150, description: 'In years' },
      mail: { type: 'string', format: 'email', minLength: 3 },
      link: { type: 'string', format: 'uri-reference' },
      list: { type: 'array', items: { type: 'string', pattern: '^a' }, minItems: 1, maxItems: 4 },
      pattern: { type: 'string' },
      either: { oneOf: [{ type: 'string' }, { $ref: '#/$defs/one' }] },
      other: { $ref: '#/$defs/one', description: 'Another', minimum: 1 },
      wrapped: { allOf: [{ $ref: '#/$defs/one' }], description: 'As pydantic writes it', default: 1 },
    },
    required: ['age'],
    additionalProperties: false,
    $defs: { one: { type: 'number', exclusiveMinimum: 0 } },
  };
  /** As Anthropic's own SDK makes it of the same schema, but for the one that its API refuses. */
  const fitting = {
    type: 'object',
    properties: {
      age: { type: 'integer', description: 'In years\n\n{minimum: 0, maximum: 150}' },
      mail: { type: 'string', format: 'email', description: '{minLength: 3}' },
      link: { type: 'string', description: '{format: "uri-reference"}' },
      list: {
        type: 'array',
        items: { type: 'string', description: '{pattern: "^a"}' },
        minItems: 1,
        description: '{maxItems: 4}',
      },
      pattern: { type: 'string' },
      either: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/one' }] },
      other: { $ref: '#/$defs/one' },
      wrapped: { $ref: '#/$defs/one' },
    },
    required: ['age'],
    additionalProperties: false,
    $defs: { one: { type: 'number', description: '{exclusiveMinimum: 0}' } },
  };

  it('rules that Anthropic refuses in a strict schema are told to the model, and named', () => {
    const { body, lost } = write({ output: { kind: 'schema', name: 'n', schema: ruled, strict: true } });
    expect(body.output_config).toEqual({ format: { type: 'json_schema', schema: fitting } });
    expect(lost).toEqual(['response_format.json_schema.schema emulated']);
    const tool = { kind: 'function', name: 'f', schema: ruled } as const;
    const strict = write({ tools: [{ ...tool, strict: true }] });
    expect(strict.body.tools).toEqual([{ name: 'f', input_schema: fitting, strict: true }]);
    expect(strict.lost).toEqual(['tools.function.parameters emulated']);
    const loose = write({ tools: [tool] });
    expect(loose.body.tools).toEqual([{ name: 'f', input_schema: ruled }]);
    expect(loose.lost).toEqual([]);
  });

  it.each([
    ['itself', { type: 'object', properties: { next: { $ref: '#' } } }],
    ['its definition', tree({ $ref: '#/$defs/node' })],
    ['itself by way of another', tree({ $ref: '#/$defs/other' })],
    ['what it is in', { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/properties/a' } } } }],
    ['another document', { type: 'object', properties: { a: { $ref: 'https://schema.test/a.json' } } }],
  ])('a schema that refers to %s is told to the model, for Anthropic refuses it as a strict one', (_what, schema) => {
    const { body, lost } = write({ output: { kind: 'schema', name: 'n', schema, strict: true } });
    expect(body.output_config).toBeUndefined();
    expect(body.tools).toBeUndefined();
    expect(JSON.stringify(body.system)).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
    expect(lost).toEqual(['response_format emulated']);
    const tool = write({ tools: [{ kind: 'function', name: 'f', schema, strict: true }] });
    expect(tool.body.tools).toEqual([{ name: 'f', input_schema: schema }]);
    expect(tool.lost).toEqual(['tools.function.strict dropped']);
  });

  it('a schema that refers to one definition more than once stays a strict one', () => {
    const one = { $ref: '#/$defs/one' };
    const schema = {
      type: 'object',
      properties: { a: one, b: { type: 'array', items: one }, $ref: { type: 'string' }, default: one },
      $defs: { one: { type: 'object', properties: { deep: { $ref: '#/$defs/two' } } }, two: { const: { $ref: '#' } } },
    };
    const { body } = write({ output: { kind: 'schema', name: 'n', schema, strict: true } });
    expect(body.output_config).toMatchObject({ format: { type: 'json_schema' } });
  });

  it('structured output: closed schemas, a forced tool on older models, a sentence beside other tools', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: {} } } },
    };
    const output = { kind: 'schema', name: 'n', schema } as const;
    const closed = write({ output });
    expect(closed.body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } },
          },
          additionalProperties: false,
        },
      },
    });
    expect(closed.lost).toEqual([]);
    const open = write({ output: { ...output, schema: { ...schema, additionalProperties: true } } });
    expect(open.lost).toEqual(['response_format.json_schema.schema emulated']);
    const older = write({ output }, 'claude-3-5-haiku-20241022');
    expect(older).toMatchObject({
      responseTool: 'json_output',
      body: {
        tools: [{ name: 'json_output', input_schema: schema }],
        tool_choice: { type: 'tool', name: 'json_output' },
      },
    });
    const beside = write({ output, tools }, 'claude-3-5-haiku-20241022');
    expect(beside.responseTool).toBeUndefined();
    expect(JSON.stringify(beside.body.system)).toContain('JSON schema');
    expect(write({ output: { kind: 'json' } }).lost).toEqual(['response_format emulated']);
  });
});
