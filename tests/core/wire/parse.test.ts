import { describe, expect, it } from 'vitest';
import type { ProtocolName } from '../../../core/canonical/request.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { protocols } from '../../../core/wire/registry.ts';
import { fieldsOf } from './fields.ts';

const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] };

function refusal(name: ProtocolName, body: Record<string, unknown> | string, pathModel?: string): string {
  try {
    protocols[name].parse(fieldsOf(body), pathModel);
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code} ${error.param}`;
    throw error;
  }
  return 'accepted';
}

describe('a chat request', () => {
  it('tells the relay what it needs to know', () => {
    const body = { ...chat, stream: true, stream_options: { include_usage: true }, max_tokens: 10, n: 3, unknown: 1 };
    expect(protocols['openai-chat'].parse(fieldsOf(body))).toEqual({
      model: 'gpt-4o-mini',
      stream: true,
      wantsUsage: true,
      maxCompletion: 30,
      choices: 3,
      units: {},
    });
  });

  it('holds for the larger of both token limits', () => {
    const body = { ...chat, max_tokens: 10, max_completion_tokens: 40, n: 2 };
    expect(protocols['openai-chat'].parse(fieldsOf(body)).maxCompletion).toBe(80);
  });

  it('takes null for an option left out', () => {
    const body = { ...chat, stream: null, max_tokens: null, n: null, temperature: null, stream_options: null };
    expect(protocols['openai-chat'].parse(fieldsOf(body))).toMatchObject({ stream: false, maxCompletion: undefined });
  });

  const refused: [string, Record<string, unknown> | string, string][] = [
    ['no model', { messages: chat.messages }, '400 request.fieldMissing model'],
    ['an empty model', { ...chat, model: '' }, '400 request.fieldMissing model'],
    ['a number as model', { ...chat, model: 5 }, '400 request.notText model'],
    ['a model of 10 KiB', { ...chat, model: 'm'.repeat(10_240) }, '400 request.tooLong model'],
    ['a line break in the model', { ...chat, model: 'm\r\nx' }, '400 request.modelName model'],
    ['half a surrogate pair in the model', { ...chat, model: 'm\ud800' }, '400 request.modelName model'],
    ['two dots as model', { ...chat, model: '..' }, '400 request.modelName model'],
    ['no messages', { model: 'm' }, '400 request.fieldMissing messages'],
    ['an empty list of messages', { model: 'm', messages: [] }, '400 request.fieldEmpty messages'],
    ['messages that are a text', { model: 'm', messages: 'hi' }, '400 request.notList messages'],
    ...[-1, 1.5, '9', 1_073_741_824, true, [], {}].map((value): [string, Record<string, unknown>, string] => [
      `max_tokens ${JSON.stringify(value)}`,
      { ...chat, max_tokens: value },
      '400 request.notInteger max_tokens',
    ]),
    ['max_tokens 1e308', `{"model":"m","messages":[1],"max_tokens":1e308}`, '400 request.notInteger max_tokens'],
    [
      'max_completion_tokens -1',
      { ...chat, max_completion_tokens: -1 },
      '400 request.notInteger max_completion_tokens',
    ],
    ...[0, -1, 11, 1e9, '2', 1.5].map((value): [string, Record<string, unknown>, string] => [
      `n ${JSON.stringify(value)}`,
      { ...chat, n: value },
      '400 request.notInteger n',
    ]),
    ['stream "true"', { ...chat, stream: 'true' }, '400 request.notBoolean stream'],
    ['stream 1', { ...chat, stream: 1 }, '400 request.notBoolean stream'],
    ['temperature 1e309', `{"model":"m","messages":[1],"temperature":1e309}`, '400 request.notNumber temperature'],
    ['temperature "1"', { ...chat, temperature: '1' }, '400 request.notNumber temperature'],
    ['temperature 2.1', { ...chat, temperature: 2.1 }, '400 request.notNumber temperature'],
    ['top_p -1', { ...chat, top_p: -1 }, '400 request.notNumber top_p'],
    ['presence_penalty 3', { ...chat, presence_penalty: 3 }, '400 request.notNumber presence_penalty'],
    ['stream_options true', { ...chat, stream_options: true }, '400 request.notObject stream_options'],
  ];

  it.each(refused)('is refused for %s', (_what, body, expected) => {
    expect(refusal('openai-chat', body)).toBe(expected);
  });

  it('is accepted with path characters in the model, which never reach a URL unescaped', () => {
    expect(refusal('openai-chat', { ...chat, model: '../a?b#c' })).toBe('accepted');
  });
});

describe('the deeper check of a chat request', () => {
  const check = (body: Record<string, unknown>): string => {
    try {
      protocols['openai-chat'].checkBody?.(body);
    } catch (error) {
      if (error instanceof AppError) return `${error.status} ${error.code} ${error.param}`;
      throw error;
    }
    return 'accepted';
  };
  const message = (content: unknown) => ({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'user', content },
    ],
  });

  it.each([
    ['a null message', { messages: [null] }, '400 request.notObject messages[0]'],
    ['a list as message', { messages: [[]] }, '400 request.notObject messages[0]'],
    ['a message without role', { messages: [{ content: 'a' }] }, '400 request.fieldMissing messages[0].role'],
    ['a number as content', message(5), '400 request.notTextOrList messages[1].content'],
    ['an object as content', message({ text: 'a' }), '400 request.notTextOrList messages[1].content'],
    ['a null part', message([{ type: 'text', text: 'a' }, null]), '400 request.notObject messages[1].content[1]'],
    ['tools that are an object', { ...message('a'), tools: {} }, '400 request.notList tools'],
    ['a null tool', { ...message('a'), tools: [null] }, '400 request.notObject tools[0]'],
  ])('refuses %s', (_what, body, expected) => {
    expect(check(body)).toBe(expected);
  });

  it('accepts null content, parts, tool calls and unknown members', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    expect(
      check({
        messages: [
          { role: 'assistant', content: null, tool_calls: calls },
          { role: 'x', extra: 1 },
        ],
      }),
    ).toBe('accepted');
    expect(check(message([{ type: 'image_url', image_url: { url: 'data:' } }, { type: 'new' }]))).toBe('accepted');
  });
});

describe('a completion request', () => {
  it('holds for every prompt and every candidate', () => {
    const maxCompletion = (body: Record<string, unknown>) =>
      protocols['openai-completion'].parse(fieldsOf({ model: 'm', max_tokens: 5, ...body })).maxCompletion;
    expect(maxCompletion({ prompt: 'a' })).toBe(5);
    expect(maxCompletion({ prompt: ['a', 'b'], n: 2, best_of: 3 })).toBe(30);
    expect(maxCompletion({ prompt: [1, 2, 3] })).toBe(5);
    expect(maxCompletion({ prompt: [[1], [2]] })).toBe(10);
  });

  it('is refused without a prompt', () => {
    expect(refusal('openai-completion', { model: 'm' })).toBe('400 request.fieldMissing prompt');
    expect(refusal('openai-completion', { model: 'm', prompt: [] })).toBe('400 request.fieldEmpty prompt');
    expect(refusal('openai-completion', { model: 'm', prompt: 5 })).toBe('400 request.notTextOrList prompt');
  });
});

describe('an embedding request', () => {
  it('takes the model of the path, whatever its body names', () => {
    expect(protocols['openai-embedding'].parse(fieldsOf({ input: 'a' }), 'ada').model).toBe('ada');
    expect(protocols['openai-embedding'].parse(fieldsOf({ input: 'a', model: 'b' }), 'ada').model).toBe('ada');
    expect(refusal('openai-embedding', { input: 'a' }, 'a\nb')).toBe('400 request.modelName model');
  });

  it('is refused for inputs that are neither text nor tokens', () => {
    const check = (input: unknown) => () => protocols['openai-embedding'].checkBody?.({ input });
    expect(check(['a', 5])).toThrow(/input\[1\]/);
    expect(check([1, -1])).toThrow(/input/);
    expect(check([[1, 2], ['a']])).toThrow(/input\[1\]/);
    expect(check(Array(2049).fill('a'))).toThrow(/2048/);
    expect(check(Array(9000).fill(17))).not.toThrow();
    expect(refusal('openai-embedding', { model: 'm', input: '' })).toBe('400 request.fieldEmpty input');
  });
});

describe('requests that may leave the model out', () => {
  it.each([
    ['openai-moderation', { input: 'a' }, 'omni-moderation-latest'],
    ['openai-image', { prompt: 'a cat' }, 'dall-e-2'],
    ['openai-speech', { input: 'a', voice: 'alloy' }, 'tts-1'],
    ['openai-transcription', { file: 'sound' }, 'whisper-1'],
    ['openai-translation', { file: 'sound', model: '' }, 'whisper-1'],
  ] as const)('%s has its own', (name, body, model) => {
    expect(protocols[name].parse(fieldsOf(body)).model).toBe(model);
  });
});

describe('an image request', () => {
  it('is priced by count, size and quality', () => {
    const parsed = protocols['openai-image'].parse(
      fieldsOf({ model: 'dall-e-3', prompt: 'a', n: 2, size: '1024x1792', quality: 'hd' }),
    );
    expect(parsed.units).toEqual({ images: { count: 2, size: '1024x1792', quality: 'hd' } });
    expect(protocols['openai-image'].parse(fieldsOf({ prompt: 'a' })).units).toEqual({
      images: { count: 1, size: '1024x1024', quality: 'standard' },
    });
  });

  it('is refused for unsupported sizes', () => {
    expect(refusal('openai-image', { prompt: 'a', model: 'dall-e-3', size: '512x512' })).toBe(
      '400 request.notOneOf size',
    );
    expect(refusal('openai-image', { prompt: 'a', model: 'other', size: '512×512' })).toBe('400 request.notOneOf size');
    expect(refusal('openai-image', { prompt: 'a', n: 11 })).toBe('400 request.notInteger n');
    expect(refusal('openai-image', { model: 'm' })).toBe('400 request.fieldMissing prompt');
  });

  it('reads the numbers of a form, and keeps a prompt of digits a text', () => {
    const form = { model: 'gpt-image-1', prompt: '5', n: '2', image: 'file', stream: 'true', size: '' };
    expect(protocols['openai-image-edit'].parse(fieldsOf(form))).toMatchObject({
      stream: true,
      units: { images: { count: 2, size: '1024x1024' } },
    });
    expect(refusal('openai-image-edit', { prompt: 'a' })).toBe('400 request.fieldMissing image');
    expect(refusal('openai-image-edit', { ...form, n: 'two' })).toBe('400 request.notInteger n');
  });
});

describe('an audio request', () => {
  it('counts the characters to speak', () => {
    expect(protocols['openai-speech'].parse(fieldsOf({ input: 'a你😀', stream_format: 'sse' }))).toMatchObject({
      stream: true,
      units: { characters: 3, spokenSeconds: expect.closeTo(1 / 3) },
    });
    expect(refusal('openai-speech', { input: 'a', speed: 5 })).toBe('400 request.notNumber speed');
    expect(refusal('openai-speech', { input: 'a', stream_format: 'x' })).toBe('400 request.notOneOf stream_format');
  });

  it('needs a file to write down', () => {
    expect(refusal('openai-transcription', { model: 'whisper-1' })).toBe('400 request.fieldMissing file');
    expect(refusal('openai-transcription', { file: 'f', stream: 'yes' })).toBe('400 request.notBoolean stream');
    expect(refusal('openai-transcription', { file: 'f', url: 'https://a.example/hour.mp3' })).toBe(
      '400 request.notOffered url',
    );
    expect(protocols['openai-transcription'].parse(fieldsOf({ file: 'f', stream: 'true' })).stream).toBe(true);
    expect(protocols['openai-translation'].parse(fieldsOf({ file: 'f', stream: 'true' })).stream).toBe(false);
  });
});
