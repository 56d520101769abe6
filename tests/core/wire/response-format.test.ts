import { describe, expect, it } from 'vitest';
import { createChunkFormatter, formatResponse } from '../../../core/wire/openai-chat/force-format.ts';
import { createResponseMender } from '../../../core/wire/openai-chat/mend-response.ts';
import { createResponseFormat } from '../../../core/wire/openai-chat/response-format.ts';
import { createThinkingMover, moveThinking } from '../../../core/wire/openai-chat/thinking-to-content.ts';
import { usageChunk } from '../../../core/wire/openai-chat/usage-chunk.ts';
import { documentChunks, protocols } from '../../../core/wire/registry.ts';

const identity = { id: 'chatcmpl-1', model: 'm1', created: 1_700_000_000 };

/** What an SDK would put together from strict chunks. */
function assemble(events: unknown[]) {
  const formatter = createChunkFormatter(identity);
  const calls: { id?: string; name: string; args: string }[] = [];
  const sum = {
    content: '',
    reasoning: '',
    roles: 0,
    reasons: [] as string[],
    ids: new Set<string>(),
    usages: 0,
    calls,
  };
  for (const event of events) {
    const chunk = formatter.event(event) as
      | { id: string; object: string; choices: unknown[]; usage?: object }
      | undefined;
    if (!chunk) continue;
    expect(chunk.object).toBe('chat.completion.chunk');
    sum.ids.add(chunk.id);
    if (chunk.usage) sum.usages += 1;
    for (const { delta, finish_reason } of chunk.choices as {
      delta: Record<string, unknown>;
      finish_reason: string | null;
    }[]) {
      sum.content += delta.content ?? '';
      sum.reasoning += delta.reasoning_content ?? '';
      if (delta.role) sum.roles += 1;
      if (finish_reason) sum.reasons.push(finish_reason);
      for (const call of (delta.tool_calls ?? []) as {
        index: number;
        id?: string;
        function: { name?: string; arguments: string };
      }[]) {
        calls[call.index] ??= { name: '', args: '' };
        const known = calls[call.index];
        if (!known) continue;
        if (call.id) {
          expect(known.id).toBeUndefined();
          known.id = call.id;
        }
        known.name += call.function.name ?? '';
        known.args += call.function.arguments;
      }
    }
  }
  return sum;
}

const delta = (content: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta: content, ...more }],
});
const call = (parts: Record<string, unknown>[], more: Record<string, unknown> = {}) =>
  delta({ tool_calls: parts }, more);
const weather = { name: 'f', arguments: '{"a":' };

describe('a stream in strict format', () => {
  it('has one id, one role, one finish, and usage at its end alone', () => {
    const sum = assemble([
      { choices: [], id: '', model: '', created: 0, prompt_filter_results: [] },
      {
        id: 'x',
        vendor: 1,
        choices: [{ index: 0, delta: { role: 'assistant', content: '你' } }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      },
      { id: 'other', choices: [{ index: 0, delta: { role: '', content: '好' }, finish_reason: '' }] },
      { id: 'x', choices: null },
      {
        id: 'x',
        choices: [{ index: 0, delta: null, finish_reason: 'eos' }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);
    expect(sum).toMatchObject({ content: '你好', roles: 1, reasons: ['stop'], usages: 1 });
    expect([...sum.ids]).toEqual(['x']);
  });

  it('fills in what the upstream leaves empty (FastGPT)', () => {
    const chunk = createChunkFormatter(identity).event({
      id: '',
      object: '',
      created: 0,
      choices: [{ delta: { role: 'assistant', content: 'He' }, index: 0, finish_reason: null }],
    });
    expect(chunk).toEqual({
      ...identity,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'He' }, logprobs: null, finish_reason: null }],
    });
  });

  it('does not repeat a message that comes after its deltas (MiniMax), and takes one that comes alone', () => {
    const whole = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }] };
    expect(assemble([delta({ content: 'Hi' }), whole])).toMatchObject({ content: 'Hi', reasons: ['stop'] });
    expect(assemble([whole])).toMatchObject({ content: 'Hi', roles: 1, reasons: ['stop'] });
  });

  it('calls reasoning by one name and joins parts', () => {
    expect(
      assemble([
        delta({ reasoning: 'a' }),
        delta({ reasoning_content: 'b', content: null }),
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'c' }] },
            { type: 'text', text: 'd' },
          ],
        }),
      ]),
    ).toMatchObject({ reasoning: 'abc', content: 'd' });
  });

  const tools: [string, unknown[], object[]][] = [
    [
      'ids and names repeated, arguments as an object',
      [
        call([{ index: 0, id: 'call_1', function: weather }]),
        call([{ index: 0, id: 'call_1', function: { name: 'f', arguments: '1}' } }]),
        call([{ index: 1, id: 'call_2', function: { name: 'g', arguments: { b: 2 } } }]),
      ],
      [
        { id: 'call_1', name: 'f', args: '{"a":1}' },
        { id: 'call_2', name: 'g', args: '{"b":2}' },
      ],
    ],
    [
      'no index, found by id',
      [
        call([{ id: 'a', function: weather }]),
        call([{ id: 'b', function: { name: 'g', arguments: '{}' } }]),
        call([{ id: 'a', function: { arguments: '1}' } }]),
      ],
      [
        { id: 'a', name: 'f', args: '{"a":1}' },
        { id: 'b', name: 'g', args: '{}' },
      ],
    ],
    [
      'no index and no id',
      [
        call([{ function: weather }]),
        call([{ function: { arguments: '1}' } }]),
        call([{ function: { name: 'g', arguments: '{}' } }]),
      ],
      [
        { name: 'f', args: '{"a":1}' },
        { name: 'g', args: '{}' },
      ],
    ],
    [
      'an id that changes',
      [call([{ index: 0, id: 'a', function: weather }]), call([{ index: 0, id: 'b', function: { arguments: '1}' } }])],
      [{ id: 'a', name: 'f', args: '{"a":1}' }],
    ],
    [
      'one index for two calls',
      [
        call([{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]),
        call([{ index: 0, id: 'b', function: { name: 'g', arguments: '{"x"' } }]),
        call([{ index: 0, function: { arguments: ':1}' } }]),
      ],
      [
        { id: 'a', name: 'f', args: '{}' },
        { id: 'b', name: 'g', args: '{"x":1}' },
      ],
    ],
    [
      'a name in pieces, null arguments',
      [
        call([{ index: 0, id: 'a', function: { name: 'get_', arguments: null } }]),
        call([{ index: 0, function: { name: 'it', arguments: '{}' } }]),
      ],
      [{ id: 'a', name: 'get_it', args: '{}' }],
    ],
    [
      'calls numbered from elsewhere',
      [call([{ index: 5, id: 'a', function: { name: 'f', arguments: '{}' } }])],
      [{ id: 'a', name: 'f', args: '{}' }],
    ],
    [
      'a useless id',
      [call([{ index: 0, id: 'null', function: { name: 'f', arguments: '{}' } }])],
      [{ name: 'f', args: '{}' }],
    ],
  ];
  it.each(tools)('puts tool calls in order: %s', (_what, events, expected) => {
    const sum = assemble([...events, delta({}, { finish_reason: 'stop' })]);
    expect(sum.calls).toMatchObject(expected);
    expect(sum.calls).toHaveLength(expected.length);
    for (const { id } of sum.calls) expect(id).toMatch(/^\w/);
    expect(sum.reasons).toEqual(['tool_calls']);
  });

  it('grows no list to an index of a billion, below zero, or by ten thousand calls', () => {
    const wild = [1_000_000_000, -1, 1.5].map((index) =>
      call([{ index, id: `i${index}`, function: { name: 'f', arguments: '{}' } }]),
    );
    expect(assemble(wild).calls).toHaveLength(3);
    const many = Array.from({ length: 10_000 }, (_unused, index) =>
      call([{ id: `c${index}`, function: { name: 'f', arguments: '{}' } }]),
    );
    expect(assemble(many).calls.length).toBeLessThanOrEqual(128);
    expect(assemble([{ choices: [{ index: 1_000_000_000, delta: { content: 'a' } }] }]).content).toBe('');
  });

  it('keeps a cut or filtered end what it is', () => {
    const opened = call([{ index: 0, id: 'a', function: weather }]);
    expect(assemble([opened, delta({}, { finish_reason: 'length' })]).reasons).toEqual(['length']);
    expect(assemble([opened]).reasons).toEqual([]);
    expect(assemble([delta({ content: 'a' }, { finish_reason: 'sensitive' })]).reasons).toEqual(['content_filter']);
  });

  it.each([null, 5, 'x', [], {}, { choices: 'x' }, { choices: [null] }, { choices: [{}] }])(
    'is silent for %j',
    (event) => {
      expect(createChunkFormatter(identity).event(event)).toBeUndefined();
    },
  );
});

describe('a response in strict format', () => {
  it('is filled in and freed of vendor members', () => {
    expect(formatResponse({ choices: [{ message: { content: 'ok', vendor: 1 } }], vendor: 1 }, identity)).toEqual({
      ...identity,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, logprobs: null, finish_reason: 'stop' }],
    });
  });

  it('keeps usage, reasoning and tool calls', () => {
    const response = {
      id: 'x',
      created: 5,
      model: 'u',
      object: 'wrong',
      choices: [
        {
          index: 0,
          message: {
            content: null,
            reasoning: 'r',
            tool_calls: [{ index: 3, function: { name: 'f', arguments: { a: 1 } } }],
          },
          finish_reason: 'stop',
        },
      ],
      usage: { input_tokens: 1, output_tokens: 2 },
    };
    expect(formatResponse(response, identity)).toMatchObject({
      id: 'x',
      created: 5,
      model: 'u',
      choices: [
        {
          message: {
            content: null,
            reasoning_content: 'r',
            tool_calls: [
              { id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it.each([null, 'x', {}, { choices: null }, { choices: [null] }])('has no choices for %j', (response) => {
    expect(formatResponse(response, identity)).toMatchObject({ object: 'chat.completion', choices: [] });
  });
});

describe('thinking moved into the content', () => {
  it('opens before the first thought and closes before what follows', () => {
    const move = createThinkingMover();
    const text = (event: unknown) => {
      const moved = move(event) as { choices: { delta: { content?: string; reasoning_content?: unknown } }[] };
      expect(moved.choices[0]?.delta).not.toHaveProperty('reasoning_content');
      return moved.choices[0]?.delta.content ?? '';
    };
    const texts = [
      delta({ role: 'assistant', content: null, reasoning_content: 'Add' }),
      delta({ reasoning_content: '.' }),
      delta({ content: '2', reasoning_content: null }),
      delta({ content: '' }, { finish_reason: 'stop' }),
    ].map(text);
    expect(texts.join('')).toBe('<think>\nAdd.\n</think>\n2');
  });

  it('closes before tool calls, and at the end when nothing follows', () => {
    const run = (events: unknown[]) => {
      const move = createThinkingMover();
      return events
        .map((event) => (move(event) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '')
        .join('');
    };
    expect(run([delta({ reasoning: 'a' }), call([{ index: 0, id: 'x' }])])).toBe('<think>\na\n</think>\n');
    expect(run([delta({ reasoning_content: 'a' }), delta({}, { finish_reason: 'stop' })])).toBe(
      '<think>\na\n</think>\n',
    );
    expect(run([delta({ content: 'plain' })])).toBe('plain');
  });

  it('is done for whole responses as well', () => {
    expect(
      moveThinking({
        choices: [{ message: { content: '2', reasoning_content: 'Add.' } }, { message: { content: 'x' } }],
      }),
    ).toEqual({ choices: [{ message: { content: '<think>\nAdd.\n</think>\n2' } }, { message: { content: 'x' } }] });
    expect(moveThinking(null)).toBeNull();
  });

  it('goes together with the strict format', () => {
    const format = createResponseFormat({ force_format: true, thinking_to_content: true }, identity);
    const written = format?.event({ choices: [{ delta: { reasoning: 'a' }, vendor: 1 }] });
    expect(JSON.parse(written ?? '')).toEqual({
      ...identity,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: '<think>\na' }, logprobs: null, finish_reason: null }],
    });
    expect(format?.event({ choices: [] })).toBe('');
    expect(createResponseFormat({}, identity)).toBeUndefined();
    expect(createResponseFormat({ thinking_to_content: true }, identity)?.event({ vendor: 1, choices: [] })).toBe(
      '{"vendor":1,"choices":[]}',
    );
  });
});

describe('a document where a stream was asked for', () => {
  const response = {
    id: 'x',
    object: 'chat.completion',
    created: 5,
    model: 'u',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hi',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  };

  it('becomes the chunks of a stream', () => {
    const chunks = documentChunks('openai-chat', response, identity);
    const readings = chunks.map((chunk) => protocols['openai-chat'].readEvent(chunk));
    expect(readings.map(({ text }) => text).join('')).toBe('Hif{}');
    expect(readings.map(({ finished }) => finished)).toEqual([false, true, false]);
    expect(readings.at(-1)).toMatchObject({ usageOnly: true, usage: { prompt: 1, completion: 2 } });
    expect(chunks[0]).toMatchObject({
      id: 'x',
      object: 'chat.completion.chunk',
      choices: [{ delta: { role: 'assistant', tool_calls: [{ index: 0, id: 'a' }] } }],
    });
  });

  it('is read by the other protocols too', () => {
    const read = (name: 'openai-completion' | 'openai-transcription' | 'openai-image', document: unknown) =>
      documentChunks(name, document, identity).map((chunk) => protocols[name].readEvent(chunk));
    expect(
      read('openai-completion', {
        choices: [{ text: 'Hi', finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      }),
    ).toMatchObject([
      { text: 'Hi', finished: true },
      { usageOnly: true, usage: { prompt: 1 } },
    ]);
    expect(read('openai-transcription', { text: 'Hi' })).toMatchObject([{ text: 'Hi' }, { finished: true }]);
    expect(
      read('openai-image', {
        data: [{ b64_json: 'A' }, { b64_json: 'B' }],
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    ).toMatchObject([
      { finished: true, usage: undefined },
      { finished: true, usage: { prompt: 1, completion: 2 } },
    ]);
    expect(documentChunks('openai-speech', 'x', identity)).toEqual(['x']);
  });
});

describe('the usage chunk', () => {
  it('looks like OpenAI’s', () => {
    const usage = {
      prompt: 9,
      completion: 2,
      cachedRead: 4,
      cacheWrite: 0,
      reasoning: 1,
      audioInput: 0,
      audioOutput: 0,
    };
    expect(usageChunk(identity, usage)).toMatchObject({
      ...identity,
      object: 'chat.completion.chunk',
      system_fingerprint: null,
      choices: [],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 2,
        total_tokens: 11,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    });
    expect(protocols['openai-chat'].readEvent(usageChunk(identity, usage))).toMatchObject({ usageOnly: true, usage });
  });
});

describe('a mended response', () => {
  it('has what a vendor adds, and the rest in OpenAI’s words', () => {
    const mend = createResponseMender({ id: '1', model: 'm1', created: 1_700_000_000 });
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Hi' },
    ];
    const call = { function: { name: 'look', arguments: { at: 'sea' } } };
    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, num_cached_tokens: 3, cost: 0.1 };
    const whole = {
      choices: [{ message: { content, tool_calls: [call] }, finish_reason: 'tool_calls' }],
      usage,
      citations: [1],
    };
    const written = { id: 'call_1_0_0', type: 'function', function: { name: 'look', arguments: '{"at":"sea"}' } };
    expect(mend(whole)).toMatchObject({
      citations: [1],
      choices: [{ message: { content: 'Hi', reasoning_content: 'Hm.', tool_calls: [written] } }],
      usage: { cost: 0.1, total_tokens: 6, prompt_tokens_details: { cached_tokens: 3 } },
    });
    expect(mend({ object: 'list', data: [] })).toEqual({ object: 'list', data: [] });
    const streamed = { index: 1, delta: { tool_calls: [call] }, usage };
    expect(mend({ choices: [streamed] })).toMatchObject({
      choices: [{ index: 1, delta: { tool_calls: [{ index: 0, id: 'call_1_1_0' }] } }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    });
  });

  it('is named where the upstream names nothing, and once for a stream', () => {
    const choices = [{ message: { content: 'Hi' }, finish_reason: 'sensitive' }];
    expect(createResponseMender(identity)({ choices })).toEqual({
      ...identity,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'content_filter' }],
    });
    const mend = createResponseMender(identity);
    const events = [
      { id: 'own', model: '', choices: [{ delta: { content: 'Hi' } }] },
      { id: '', choices: [] },
    ];
    for (const event of events)
      expect(mend(event)).toMatchObject({ ...identity, id: 'own', object: 'chat.completion.chunk' });
  });
});
