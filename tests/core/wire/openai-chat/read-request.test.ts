import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { openaiChatClient } from '../../../../core/wire/openai-chat/client-codec.ts';
import { openaiChatUpstream } from '../../../../core/wire/openai-chat/upstream-codec.ts';

const basic = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
const read = (fields: Record<string, unknown> = {}) => finish(openaiChatClient.readRequest({ ...basic, ...fields }));
const messagesOf = (...messages: unknown[]) => read({ messages }).messages;

function refusal(fields: Record<string, unknown>): { code: string; param: string | undefined } {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, param: error.param };
    throw error;
  }
  throw new Error('was not refused');
}

/** Every field of OpenAI's that has a place of its own. */
const full = {
  stream: true,
  stream_options: { include_usage: true },
  max_completion_tokens: 50,
  temperature: 0.5,
  top_p: 0.9,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  logit_bias: { 50256: -100 },
  n: 2,
  seed: 7,
  stop: ['a', 'b'],
  logprobs: true,
  top_logprobs: 3,
  parallel_tool_calls: false,
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' }, strict: true } },
  reasoning_effort: 'high',
  verbosity: 'low',
  service_tier: 'flex',
  modalities: ['text', 'audio'],
  audio: { voice: 'alloy', format: 'wav' },
  safety_identifier: 'u1',
  prompt_cache_key: 'k',
  store: true,
  metadata: { a: 'b' },
  prediction: { type: 'content', content: 'x' },
  tools: [
    { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
    { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
  ],
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
  },
};

describe('a chat.completions call', () => {
  it('reads every field, and keeps what it does not know', () => {
    expect(read(full)).toEqual({
      origin: 'openai-chat',
      model: 'gpt-4o',
      stream: true,
      maxOutput: 50,
      sampling: {
        temperature: 0.5,
        topP: 0.9,
        seed: 7,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        logitBias: { 50256: -100 },
        choices: 2,
      },
      stop: ['a', 'b'],
      logprobs: { top: 3 },
      instructions: [],
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
      tools: [
        { kind: 'function', name: 'f', description: 'd', schema: { type: 'object' }, strict: true },
        { kind: 'custom', name: 'c', grammar: { type: 'text' } },
      ],
      toolChoice: { mode: 'allowed', names: ['f'], required: true },
      parallelTools: false,
      output: {
        kind: 'schema',
        name: 'x',
        schema: { type: 'object' },
        strict: true,
        verbosity: 'low',
        modalities: ['text', 'audio'],
        audio: { voice: 'alloy', format: 'wav' },
      },
      reasoning: { mode: 'effort', effort: 'high' },
      cache: { key: 'k' },
      userId: 'u1',
      serviceTier: 'flex',
      metadata: { a: 'b' },
      store: true,
      previousResponseId: undefined,
      extras: { prediction: { type: 'content', content: 'x' } },
    });
  });

  it('takes the older spellings', () => {
    const request = read({
      max_tokens: 9,
      stop: 'END',
      user: 'u2',
      reasoning_effort: 'none',
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
      web_search_options: {},
      response_format: { type: 'json_object' },
    });
    expect(request).toMatchObject({
      maxOutput: 9,
      stop: ['END'],
      userId: 'u2',
      reasoning: { mode: 'off' },
      tools: [
        { kind: 'function', name: 'f' },
        { kind: 'hosted', type: 'web_search' },
      ],
      toolChoice: { mode: 'named', name: 'f' },
      output: { kind: 'json' },
    });
    expect(read({ tool_choice: { type: 'custom', custom: { name: 'c' } } }).toolChoice).toEqual({
      mode: 'named',
      name: 'c',
    });
    expect(read({ function_call: 'none' }).toolChoice).toEqual({ mode: 'none' });
  });

  it('edge 28: leading system and developer messages are instructions, later ones stay in place', () => {
    const { instructions, messages } = read({
      messages: [
        { role: 'system', content: 'a' },
        { role: 'developer', content: [{ type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit' } }] },
        { role: 'user', content: 'c', name: 'Ann' },
        { role: 'developer', content: 'd' },
      ],
    });
    expect(instructions).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b', cache: '5m' },
    ]);
    expect(messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'c' }], name: 'Ann' },
      { role: 'system', parts: [{ kind: 'text', text: 'd' }] },
    ]);
  });

  it('parts: pictures by data and address, sound, files, and unknown ones', () => {
    const [message] = messagesOf({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;charset=utf-8;base64,QU JD', detail: 'low' } },
        { type: 'image_url', image_url: 'https://a.example/x.png', cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'x' } },
      ],
    });
    expect(message?.parts).toEqual([
      { kind: 'image', source: { type: 'data', mime: 'image/png', data: 'QUJD' }, detail: 'low' },
      { kind: 'image', source: { type: 'url', url: 'https://a.example/x.png' }, cache: '1h' },
      { kind: 'audio', data: 'QUJD', format: 'mp3' },
      { kind: 'document', name: 'a.pdf', source: { type: 'data', mime: 'application/pdf', data: 'JVBE' } },
      { kind: 'document', source: { type: 'file', id: 'file-1' } },
      { kind: 'native', origin: 'openai-chat', raw: { type: 'video_url', video_url: { url: 'x' } } },
    ]);
  });

  it('calls and results: numbers word for word, objects as text, missing ids made up the same every time', () => {
    const messages = [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":12345678901234567890}' } },
          { type: 'function', function: { name: 'g', arguments: { b: 1 } } },
          { id: 'c', type: 'custom', custom: { name: 'h', input: 'free' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'C' }] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
    ];
    const expected = [
      { kind: 'toolCall', id: 'a', name: 'f', arguments: '{"n":12345678901234567890}' },
      { kind: 'toolCall', id: 'call_1_1', name: 'g', arguments: '{"b":1}' },
      { kind: 'toolCall', id: 'c', name: 'h', arguments: 'free', custom: true },
    ];
    const [, assistant, results] = messagesOf(...messages);
    expect(assistant?.parts).toEqual(expected);
    expect(results?.parts).toMatchObject([{ callId: 'a' }, { callId: 'c' }]);
    expect(messagesOf(...messages)).toEqual(messagesOf(...messages));
  });

  it('edge 10: an empty list of calls keeps the text', () => {
    expect(messagesOf({ role: 'assistant', content: 'ok', tool_calls: [] })[0]?.parts).toEqual([
      { kind: 'text', text: 'ok' },
    ]);
  });

  it('the functions of old find their results by name', () => {
    const messages = messagesOf(
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'F' },
    );
    expect(messages).toMatchObject([
      { parts: [{ kind: 'toolCall', id: 'call_0_function' }] },
      { role: 'tool', parts: [{ kind: 'toolResult', callId: 'call_0_function' }] },
    ]);
  });

  it('reasoning of earlier turns: as text, as OpenRouter has it, in whole entries and in the pieces of a stream', () => {
    const parts = (fields: object) =>
      messagesOf({ role: 'assistant', content: 'ok', ...fields })[0]?.parts.slice(0, -1);
    expect(parts({ reasoning_content: 'hm' })).toEqual([{ kind: 'reasoning', text: 'hm', form: 'full' }]);
    expect(parts({ reasoning: 'hm' })).toEqual([{ kind: 'reasoning', text: 'hm', form: 'full' }]);
    const format = 'anthropic-claude-v1';
    const signed = (value: string) => ({ origin: 'anthropic-messages', kind: 'signature', value });
    expect(
      parts({
        reasoning_content: 'onetwo',
        reasoning_details: [
          { type: 'reasoning.text', text: 'o', index: 0 },
          { type: 'reasoning.text', text: 'ne', index: 0 },
          { type: 'reasoning.text', signature: 's0', format, index: 0 },
          { type: 'reasoning.encrypted', data: 'secret', format, index: 1 },
          { type: 'reasoning.text', text: 'two', signature: 's2', format, index: 2 },
          { type: 'reasoning.summary', summary: 'sum', index: 3 },
          { type: 'reasoning.encrypted', data: 'enc', id: 'rs_1', format: 'openai-responses-v1', index: 3 },
          { type: 'reasoning.text', signature: 'x', format: 'unknown', index: 4 },
        ],
      }),
    ).toEqual([
      { kind: 'reasoning', text: 'one', form: 'full', opaque: signed('s0') },
      { kind: 'reasoning', text: '', form: 'full', opaque: { ...signed('secret'), kind: 'redacted' } },
      { kind: 'reasoning', text: 'two', form: 'full', opaque: signed('s2') },
      {
        kind: 'reasoning',
        text: 'sum',
        form: 'summary',
        opaque: { origin: 'openai-responses', kind: 'encrypted', value: 'enc', id: 'rs_1' },
      },
      { kind: 'reasoning', text: '', form: 'full' },
    ]);
  });

  it('edge 7: the signature of a call comes back where Google has it', () => {
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      extra_content: { google: { thought_signature: 'sig' } },
    };
    expect(messagesOf({ role: 'assistant', tool_calls: [call] })[0]?.parts).toMatchObject([
      { opaque: { origin: 'gemini', kind: 'signature', value: 'sig' } },
    ]);
  });

  it.each([
    [{ model: undefined }, 'request.fieldMissing', 'model'],
    [{ messages: undefined }, 'request.fieldMissing', 'messages'],
    [{ messages: [] }, 'request.fieldEmpty', 'messages'],
    [{ messages: [{ role: 'god', content: 'x' }] }, 'request.notOneOf', 'messages.0.role'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'request.fieldMissing', 'messages.0.tool_call_id'],
    [{ messages: [{ role: 'user', content: { a: 1 } }] }, 'request.notTextOrList', 'messages.0.content'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      'request.fieldMissing',
      'messages.0.content.0.image_url',
    ],
    [
      { messages: [{ role: 'assistant', tool_calls: [{}] }] },
      'request.fieldMissing',
      'messages.0.tool_calls.0.function',
    ],
    [{ tools: [{ type: 'function' }] }, 'request.fieldMissing', 'tools.0.function'],
    [{ tools: [{ type: 'function', function: { name: 5 } }] }, 'request.notText', 'tools.0.function.name'],
    [{ tool_choice: 'always' }, 'request.notOneOf', 'tool_choice'],
    [{ response_format: { type: 'xml' } }, 'request.notOneOf', 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'request.fieldMissing', 'response_format.json_schema'],
    [{ temperature: 3 }, 'request.notNumber', 'temperature'],
    [{ max_tokens: -1 }, 'request.notInteger', 'max_tokens'],
    [{ stop: 5 }, 'request.notTextOrList', 'stop'],
    [{ metadata: { a: 5 } }, 'request.notText', 'metadata.a'],
    [{ stream: 'yes' }, 'request.notBoolean', 'stream'],
  ])('is refused by the field at fault: %o', (fields, code, param) => {
    expect(refusal(fields)).toEqual({ code, param });
  });

  it('goes on to an OpenAI upstream as it came', () => {
    const { tool_choice: _choice, tools, reasoning_effort: _effort, stop, ...rest } = full;
    const { body, losses } = finish(
      openaiChatUpstream.writeRequest(read({ ...rest, stop, tools: tools.slice(0, 1), tool_choice: 'required' }), {
        model: 'gpt-4o',
        defaultMaxOutput: 1,
      }),
    );
    expect(losses).toEqual([]);
    expect(body).toEqual({ ...basic, ...rest, stop, tools: tools.slice(0, 1), tool_choice: 'required' });
  });
});
