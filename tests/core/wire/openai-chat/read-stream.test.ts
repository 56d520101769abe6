import { describe, expect, it } from 'vitest';
import type { ReadContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { openaiChatUpstream } from '../../../../core/wire/openai-chat/upstream-codec.ts';
import { brokenRules, readFixtureJson, readFixtureStream, readStreamText } from '../../../support/chat-events.ts';

const context: ReadContext = { identity: { id: 'id1', model: 'asked', created: 7 } };

function readLines(lines: unknown[], more: Partial<ReadContext> = {}) {
  const text = lines.map((line) => `data: ${typeof line === 'string' ? line : JSON.stringify(line)}\n\n`).join('');
  const events = readStreamText(openaiChatUpstream.createStreamReader({ ...context, ...more }), text);
  expect(brokenRules(events)).toEqual([]);
  return foldEvents(events);
}

function delta(members: object, finish_reason: string | null = null, more: object = {}) {
  return { id: 'x', choices: [{ index: 0, delta: members, finish_reason }], ...more };
}

function call(members: object) {
  return delta({ tool_calls: [members] });
}

function fixture(name: string) {
  const events = readFixtureStream(openaiChatUpstream.createStreamReader(context), name);
  expect(brokenRules(events)).toEqual([]);
  return foldEvents(events);
}

describe('a stream of an OpenAI-compatible upstream', () => {
  it('reads the recorded tool call with its usage', () => {
    const response = fixture('openai/chat-tool.sse');
    expect(response).toMatchObject({
      id: 'chatcmpl-fx1',
      model: 'gpt-4o-mini-2024-07-18',
      created: 1767322800,
      usage: { prompt: 61, completion: 14 },
    });
    expect(response.choices).toEqual([
      {
        index: 0,
        parts: [{ kind: 'toolCall', id: 'call_fx1', name: 'weather', arguments: '{"city":"Oslo"}' }],
        finish: { reason: 'tool' },
      },
    ]);
  });

  it('reads the same whole', () => {
    const events = openaiChatUpstream.readResponse(readFixtureJson('openai/chat-tool.json'), context);
    expect(brokenRules(events)).toEqual([]);
    expect(foldEvents(events).choices).toEqual(fixture('openai/chat-tool.sse').choices);
  });

  it('reasoning comes before the text, in both spellings', () => {
    expect(fixture('compatible/reasoning.sse').choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'Let me think.' },
      { kind: 'text', text: '42' },
    ]);
  });

  it('edge 1: arguments of parallel calls interleaved by index reach their own call', () => {
    const { choices } = readLines([
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
      call({ index: 1, id: 'b', function: { name: 'g', arguments: '{"y"' } }),
      call({ index: 0, function: { arguments: '{"x":1}' } }),
      call({ index: 1, function: { arguments: ':2}' } }),
      delta({}, 'tool_calls'),
      '[DONE]',
    ]);
    expect(choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'f', arguments: '{"x":1}' },
      { kind: 'toolCall', id: 'b', name: 'g', arguments: '{"y":2}' },
    ]);
  });

  it('edge 2: blank text between calls is noise, words are kept', () => {
    const { choices } = readLines([
      delta({ content: 'First. ' }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      delta({ content: '\n' }),
      call({ index: 1, id: 'b', function: { name: 'g', arguments: '{}' } }),
      delta({ content: ' ' }),
      delta({ content: 'Then.' }),
      delta({}, 'tool_calls'),
    ]);
    expect(choices[0]?.parts).toMatchObject([
      { kind: 'text', text: 'First. ' },
      { id: 'a' },
      { id: 'b' },
      { kind: 'text', text: '\n Then.' },
    ]);
  });

  it('edge 3: a second piece of thinking is a part of its own', () => {
    const { choices } = readLines([
      delta({ reasoning: 'one' }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      delta({ reasoning_content: 'two' }),
      delta({ content: 'done' }, 'tool_calls'),
    ]);
    expect(choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'one' },
      { kind: 'toolCall' },
      { kind: 'reasoning', text: 'two' },
      { kind: 'text', text: 'done' },
    ]);
  });

  it('edge 4: a tool without arguments, null or missing, is a call anyway', () => {
    const { choices } = readLines([
      call({ index: 0, id: 'a', function: { name: 'f', arguments: null } }),
      call({ index: 1, id: 'b', function: { name: 'g' } }),
      delta({}, 'tool_calls'),
    ]);
    expect(choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'f', arguments: '' },
      { kind: 'toolCall', id: 'b', name: 'g', arguments: '' },
    ]);
  });

  it('edge 6: a call that was cut off by the length stays a length', () => {
    const { choices } = readLines([
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }),
      delta({}, 'length'),
    ]);
    expect(choices[0]?.finish).toEqual({ reason: 'length' });
  });

  it('edge 15: usage counts on its own chunk, on the finish, in every chunk and behind [DONE]', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const hi = delta({ content: 'hi' });
    const read = (lines: unknown[]) => readLines(lines).usage;
    expect(read([hi, delta({}, 'stop'), { choices: [], usage }])).toMatchObject({ prompt: 3 });
    expect(read([hi, delta({}, 'stop', { usage })])).toMatchObject({ completion: 2 });
    expect(fixture('compatible/usage-every-chunk.sse').usage).toMatchObject({ prompt: 3, completion: 2 });
    expect(fixture('compatible/usage-after-done.sse').usage).toMatchObject({ prompt: 3 });
    expect(fixture('compatible/usage-in-choice.sse').usage).toBeDefined();
  });

  it('edge 16: every choice has its own finish', () => {
    const { choices } = readLines([
      {
        choices: [
          { index: 0, delta: { content: 'a' } },
          { index: 1, delta: { content: 'b' } },
        ],
      },
      { choices: [{ index: 1, delta: {}, finish_reason: 'length' }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);
    expect(choices.map(({ finish }) => finish?.reason)).toEqual(['stop', 'length']);
  });

  it('edge 19: a second finish repeats nothing', () => {
    const finish = delta(
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] },
      'tool_calls',
    );
    expect(readLines([finish, finish, '[DONE]']).choices[0]?.parts).toHaveLength(1);
  });

  it('what comes behind a finish is a part of the response, which ends with its stream', () => {
    const late = [delta({ content: 'Hel' }), delta({}, 'stop'), delta({ content: 'lo' })];
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    for (const end of [[], ['[DONE]'], [delta({}, 'stop'), { choices: [], usage }, '[DONE]']]) {
      const { choices, error } = readLines([...late, ...end]);
      expect(error).toBeUndefined();
      expect(choices[0]).toMatchObject({ parts: [{ text: 'Hello' }], finish: { reason: 'stop' } });
    }
    const called = call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } });
    expect(readLines([...late, called, '[DONE]']).choices[0]).toMatchObject({
      parts: [{ text: 'Hello' }, { id: 'a', arguments: '{}' }],
      finish: { reason: 'tool' },
    });
  });

  it('a finish in every event ends the response with the last of them', () => {
    const words = ['ha', 'ha', 'ha', '!'].map((content) => delta({ content }, 'stop'));
    expect(readLines([...words, delta({}, 'length')]).choices[0]).toMatchObject({
      parts: [{ text: 'hahaha!' }],
      finish: { reason: 'length' },
    });
    // A stop that a reseller puts behind the true reason does not hide it.
    expect(readLines([delta({ content: 'cut' }, 'length'), delta({}, 'stop')]).choices[0]?.finish).toEqual({
      reason: 'length',
    });
  });

  it('a finish that is sent a second time says its words once, and its calls', () => {
    const last = delta({ content: '!' }, 'stop');
    expect(readLines([delta({ content: 'Hi' }), last, last]).choices[0]?.parts).toMatchObject([{ text: 'Hi!' }]);
    const begins = call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"a":' } });
    const rest = call({ index: 0, function: { arguments: '1}' } });
    for (const id of ['a', undefined]) {
      const again = delta({ tool_calls: [{ index: 0, id, function: { name: 'f', arguments: '{"a":1}' } }] }, 'stop');
      expect(readLines([begins, rest, delta({}, 'tool_calls'), again]).choices[0]?.parts).toMatchObject([
        { id: 'a', arguments: '{"a":1}' },
      ]);
    }
  });

  it('edge 20: ids on every delta, changing ids, names in pieces, a closing piece without an id', () => {
    expect(fixture('compatible/tool-repeated-id.sse').choices[0]).toMatchObject({
      parts: [
        { id: 'call_1', name: 'f', arguments: '{"a":1}' },
        { id: 'call_2', name: 'g', arguments: '{"b":2}' },
      ],
      finish: { reason: 'tool' },
    });
    const pieces = readLines([
      call({ index: 0, id: 'a', function: { name: 'get_', arguments: '' } }),
      call({ index: 0, id: 'other', function: { name: '', arguments: '' } }),
      call({ index: 0, function: { name: 'weather' } }),
      call({ index: 0, id: '', function: { arguments: '{"a":' } }),
      call({ index: 0, function: { arguments: '1}' } }),
      call({ index: 0, function: { name: 'get_weather', arguments: '' } }),
      delta({}, 'tool_calls'),
    ]);
    expect(pieces.choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'get_weather', arguments: '{"a":1}' },
    ]);
  });

  it('edge 21: parallel calls all at index 0, arguments as objects, finish stop', () => {
    const { choices } = readLines([
      call({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }),
      call({ index: 0, id: 'b', function: { name: 'f', arguments: { x: 2 } } }),
      delta({}, 'stop'),
    ]);
    expect(choices[0]).toMatchObject({
      parts: [
        { id: 'a', arguments: '{"x":1}' },
        { id: 'b', arguments: '{"x":2}' },
      ],
      finish: { reason: 'tool' },
    });
  });

  it('edge 24: a stream that breaks off is an error, never a whole response', () => {
    expect(fixture('compatible/truncated.sse').error).toMatchObject({ status: 502 });
    expect(fixture('compatible/tool-truncated.sse').error).toMatchObject({ status: 502 });
    expect(readLines([]).error).toMatchObject({ status: 502 });
    // One choice of two is missing its end.
    const half = readLines([
      {
        choices: [
          { index: 0, delta: { content: 'a' } },
          { index: 1, delta: { content: 'b' } },
        ],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]);
    expect(half.error).toBeDefined();
  });

  it('edge 24: a finish without [DONE], and [DONE] without a finish, are whole', () => {
    expect(fixture('compatible/no-done.sse').error).toBeUndefined();
    const { error, choices } = readLines([delta({ content: 'hi' }), '[DONE]']);
    expect(error).toBeUndefined();
    expect(choices[0]?.finish).toEqual({ reason: 'stop' });
  });

  it('an error in the stream ends it', () => {
    const { error, choices } = readLines([
      delta({ content: 'Hal' }),
      { error: { message: 'overloaded', type: 'server_error', code: 503 } },
      delta({ content: 'never' }, 'stop'),
    ]);
    expect(error).toMatchObject({ status: 503, body: { error: { message: 'overloaded' } } });
    expect(choices[0]?.parts).toMatchObject([{ text: 'Hal' }]);
    expect(readLines([delta({}, 'insufficient_system_resource')]).error).toMatchObject({ status: 503 });
  });

  it('custom tools that went out as functions come back as the free text they are', () => {
    const { choices } = readLines(
      [
        call({ index: 0, id: 'a', function: { name: 'apply_patch', arguments: '{"input":"*** Be' } }),
        call({ index: 0, function: { arguments: 'gin\\n"}' } }),
        delta({}, 'tool_calls'),
      ],
      { customTools: new Set(['apply_patch']) },
    );
    expect(choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'apply_patch', arguments: '*** Begin\n', custom: true },
    ]);
  });

  it('custom calls of OpenAI itself, the old function_call and changed names', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'patch', input: 'x' } };
    const response = {
      choices: [{ index: 0, message: { content: null, tool_calls: [custom] }, finish_reason: 'tool_calls' }],
    };
    expect(foldEvents(openaiChatUpstream.readResponse(response, context)).choices[0]?.parts).toEqual([
      { kind: 'toolCall', id: 'a', name: 'patch', arguments: 'x', custom: true },
    ]);
    const old = readLines(
      [
        delta({ function_call: { name: 'a_b', arguments: '{' } }),
        delta({ function_call: { arguments: '}' } }, 'function_call'),
      ],
      { toolNames: new Map([['a_b', 'a.b']]) },
    );
    expect(old.choices[0]).toMatchObject({
      parts: [{ id: 'call_id1_0_0', name: 'a.b', arguments: '{}' }],
      finish: { reason: 'tool' },
    });
  });

  it('likelihoods of tokens stay with their text; those of a call make no text of their own', () => {
    const weigh = (token: string) => ({ content: [{ token, logprob: -0.1 }] });
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const weighed = (events: ChatEvent[]) =>
      (foldEvents(events).choices[0]?.parts ?? []).map((part) => [
        part.kind,
        'logprobs' in part ? part.logprobs.map((entry) => (entry as { token: string }).token) : [],
      ]);
    const message = { role: 'assistant', content: 'Sure', tool_calls: [call] };
    const whole = { choices: [{ index: 0, message, logprobs: weigh('Sure'), finish_reason: 'tool_calls' }] };
    const identity = { id: 'fx', model: 'm', created: 1 };
    expect(weighed(openaiChatUpstream.readResponse(whole, { identity }))).toEqual([
      ['text', ['Sure']],
      ['toolCall', []],
    ]);
    const reader = openaiChatUpstream.createStreamReader({ identity });
    const chunks = [
      { delta: { tool_calls: [{ index: 0, ...call }] }, logprobs: weigh('{') },
      { delta: { tool_calls: [{ index: 0, function: { arguments: ' ' } }] }, logprobs: weigh(' ') },
      { delta: {}, logprobs: weigh('}'), finish_reason: 'tool_calls' },
    ];
    const events = chunks.flatMap((choice) => reader.event({ choices: [{ index: 0, ...choice }] }));
    expect(weighed([...events, ...reader.end()])).toEqual([['toolCall', []]]);
  });

  it('citations, likelihoods, refusals, pictures and sound keep their place', () => {
    const note = {
      type: 'url_citation',
      url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 },
    };
    const { choices } = readLines([
      { choices: [{ index: 0, delta: { content: 'hi' }, logprobs: { content: [{ token: 'hi', logprob: -0.1 }] } }] },
      delta({ annotations: [note] }),
      delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }] }),
      delta({ audio: { id: 'au', data: 'QUJ', transcript: 'He' } }),
      delta({ audio: { data: 'D', transcript: 'y' } }),
      delta({ refusal: 'no' }),
      delta({}, 'content_filter'),
    ]);
    expect(choices[0]).toEqual({
      index: 0,
      parts: [
        {
          kind: 'text',
          text: 'hi',
          logprobs: [{ token: 'hi', logprob: -0.1 }],
          citations: [
            { url: 'https://a.example', title: 'A', start: 0, end: 2, raw: { origin: 'openai-chat', value: note } },
          ],
        },
        { kind: 'media', mime: 'image/png', data: 'QUJD' },
        { kind: 'refusal', text: 'no', logprobs: [] },
        { kind: 'media', mime: 'audio/wav', data: 'QUJD', transcript: 'Hey' },
      ],
      finish: { reason: 'filter' },
    });
  });

  it('a signature of a call survives', () => {
    const { choices } = readLines([
      call({
        index: 0,
        id: 'a',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { thought_signature: 's1' } },
      }),
      delta({}, 'stop'),
    ]);
    expect(choices[0]?.parts).toMatchObject([{ opaque: { origin: 'gemini', kind: 'signature', value: 's1' } }]);
  });

  it('shapes that mean nothing change nothing', () => {
    const { choices, id, model } = fixture('compatible/odd-shapes.sse');
    expect(choices[0]?.parts).toMatchObject([{ kind: 'text', text: 'Hi!' }]);
    expect({ id, model }).toEqual({ id: 'id1', model: 'asked' });
  });
});
