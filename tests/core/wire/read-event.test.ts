import { describe, expect, it } from 'vitest';
import type { ProtocolName } from '../../../core/canonical/request.ts';
import { protocols } from '../../../core/wire/registry.ts';

/** Reads recorded data lines as the relay does, and sums up what it would note. */
function readStream(lines: string[], name: ProtocolName = 'openai-chat') {
  const sum = { text: '', usage: undefined as unknown, usageOnly: 0, finished: false, error: undefined as unknown };
  for (const line of lines) {
    const reading = protocols[name].readEvent(JSON.parse(line));
    sum.text += reading.text;
    sum.usage = reading.usage ?? sum.usage;
    if (reading.usageOnly) sum.usageOnly += 1;
    sum.finished ||= reading.finished;
    sum.error ??= reading.error;
  }
  return sum;
}

const streams: [string, string[], object][] = [
  [
    'OpenAI with a tool call and the usage chunk',
    [
      '{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"weather","arguments":""}}]},"finish_reason":null}],"usage":null}',
      '{"id":"c","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"city\\":1}"}}]},"finish_reason":null}],"usage":null}',
      '{"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}',
      '{"id":"c","model":"m","choices":[],"usage":{"prompt_tokens":61,"completion_tokens":14,"total_tokens":75}}',
    ],
    {
      text: 'weather{"city":1}',
      usage: { prompt: 61, completion: 14 },
      usageOnly: 1,
      finished: true,
      error: undefined,
    },
  ],
  [
    'Azure with filter events before and without a delta',
    [
      '{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]}',
      '{"choices":[{"delta":{"content":"Hello there."},"finish_reason":null,"index":0}],"id":"a"}',
      '{"choices":[{"content_filter_offsets":{"check_offset":40},"finish_reason":null,"index":0}],"id":""}',
      '{"choices":[{"delta":{},"finish_reason":"stop","index":0}],"id":"a"}',
    ],
    { text: 'Hello there.', usage: undefined, usageOnly: 0, finished: true, error: undefined },
  ],
  [
    'usage on every chunk, the last one wins',
    [
      '{"id":"x","choices":[{"index":0,"delta":{"content":"你"}}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}',
      '{"id":"x","choices":[{"index":0,"delta":{"content":"好"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
    ],
    { text: '你好', usage: { prompt: 3, completion: 2 }, usageOnly: 0, finished: true, error: undefined },
  ],
  [
    'Moonshot with usage in the choice',
    [
      '{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":8,"completion_tokens":1,"total_tokens":9}}]}',
    ],
    { text: 'Hi', usage: { prompt: 8, completion: 1 }, usageOnly: 0, finished: true, error: undefined },
  ],
  [
    'MiniMax, which repeats the whole message at the end',
    [
      '{"choices":[{"index":0,"delta":{"content":"Hi","role":"assistant"}}]}',
      '{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"Hi","role":"assistant"}}],"usage":{"total_tokens":70},"base_resp":{"status_code":0,"status_msg":""}}',
    ],
    { text: 'Hi', usage: undefined, usageOnly: 0, finished: true, error: undefined },
  ],
  [
    'reasoning in both spellings, a refusal, thinking parts and arguments as an object',
    [
      '{"choices":[{"delta":{"reasoning_content":"a","content":null}}]}',
      '{"choices":[{"delta":{"reasoning":"b"}}]}',
      '{"choices":[{"delta":{"refusal":"c"}}]}',
      '{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"d"}]},{"type":"text","text":"e"}]}}]}',
      '{"choices":[{"delta":{"tool_calls":[{"function":{"name":"g","arguments":{"b":2}}}]}}]}',
      '{"choices":[{"delta":{"tool_calls":[{"index":1000000000,"function":{"arguments":null}},{"index":-1},null]}}]}',
    ],
    { text: 'abcedg{"b":2}', usage: undefined, usageOnly: 0, finished: false, error: undefined },
  ],
  [
    'all choices together',
    ['{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}},null]}'],
    { text: 'ab', usage: undefined, usageOnly: 0, finished: false, error: undefined },
  ],
  [
    'shapes that mean nothing',
    [
      'null',
      '5',
      '[]',
      '{}',
      '{"choices":null}',
      '{"choices":[{"delta":null,"finish_reason":""}]}',
      '{"choices":"x","usage":7}',
    ],
    { text: '', usage: undefined, usageOnly: 0, finished: false, error: undefined },
  ],
  [
    'an error after the headers',
    ['{"error":{"message":"overloaded","type":"server_error","code":503}}'],
    { text: '', usage: undefined, usageOnly: 0, finished: false, error: { message: 'overloaded' } },
  ],
  [
    'an error in the middle (OpenRouter)',
    [
      '{"id":"c2","error":{"code":502,"message":"provider failed"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}',
    ],
    { text: '', usage: undefined, usageOnly: 0, finished: false, error: { code: 502 } },
  ],
  [
    'a vendor that gave up half way',
    [
      '{"choices":[{"delta":{"content":"Hal"}}]}',
      '{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}',
    ],
    { text: 'Hal', usage: undefined, usageOnly: 0, finished: false, error: { code: 'insufficient_system_resource' } },
  ],
  [
    'MiniMax failing inside an answer',
    ['{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}'],
    { text: '', usage: undefined, usageOnly: 0, finished: false, error: { status_code: 1008 } },
  ],
];

describe('a chat stream', () => {
  it.each(streams)('is understood: %s', (_what, lines, expected) => {
    const { usage, error, ...rest } = expected as { usage: object | undefined; error: object | undefined };
    const read = readStream(lines);
    expect(read).toMatchObject(rest);
    if (usage) expect(read.usage).toMatchObject(usage);
    else expect(read.usage).toBeUndefined();
    if (error) expect(read.error).toMatchObject(error);
    else expect(read.error).toBeUndefined();
  });
});

describe('the streams of the other protocols', () => {
  it('completions', () => {
    const read = readStream(
      [
        '{"choices":[{"text":"He","index":0,"finish_reason":null}]}',
        '{"choices":[{"text":"y","finish_reason":"stop"}]}',
        '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
      ],
      'openai-completion',
    );
    expect(read).toMatchObject({ text: 'Hey', finished: true, usageOnly: 1, usage: { completion: 2 } });
  });

  it('images end with the completed event, which carries usage', () => {
    const partial = '{"type":"image_generation.partial_image","b64_json":"AA","partial_image_index":0}';
    expect(readStream([partial], 'openai-image').finished).toBe(false);
    const done =
      '{"type":"image_generation.completed","b64_json":"AA","usage":{"input_tokens":5,"output_tokens":100,"total_tokens":105}}';
    expect(readStream([partial, done], 'openai-image')).toMatchObject({
      finished: true,
      usage: { prompt: 5, completion: 100, imageOutput: 100 },
    });
  });

  it('speech ends with its done event', () => {
    const lines = [
      '{"type":"speech.audio.delta","audio":"AA"}',
      '{"type":"speech.audio.done","usage":{"input_tokens":5,"output_tokens":9,"total_tokens":14}}',
    ];
    expect(readStream(lines, 'openai-speech')).toMatchObject({ finished: true, usage: { prompt: 5, completion: 9 } });
  });

  it('transcriptions count each word once although the last event repeats them', () => {
    const lines = [
      '{"type":"transcript.text.delta","delta":"Good "}',
      '{"type":"transcript.text.delta","delta":"day"}',
      '{"type":"transcript.text.done","text":"Good day","usage":{"type":"tokens","input_tokens":14,"input_token_details":{"text_tokens":0,"audio_tokens":14},"output_tokens":2,"total_tokens":16}}',
    ];
    expect(readStream(lines, 'openai-transcription')).toMatchObject({
      text: 'Good day',
      finished: true,
      usage: { prompt: 14, audioInput: 14, completion: 2 },
    });
  });

  it.each(['openai-image', 'openai-speech', 'openai-transcription', 'openai-completion', 'openai-embedding'] as const)(
    '%s shows an error',
    (name) => {
      expect(readStream(['{"error":{"message":"no"}}'], name).error).toEqual({ message: 'no' });
    },
  );
});

describe('the text of a whole response', () => {
  it('contains everything the model wrote', () => {
    const response = {
      choices: [
        {
          message: {
            content: 'a',
            reasoning_content: 'b',
            refusal: 'c',
            tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { custom: { name: 'g', input: 'x' } }],
          },
        },
        { message: { content: [{ type: 'text', text: 'd' }] } },
      ],
    };
    expect(protocols['openai-chat'].readText(response)).toEqual(['a', 'b', 'c', 'f{}', 'gx', 'd']);
    expect(protocols['openai-completion'].readText({ choices: [{ text: 'a' }] })).toEqual(['a']);
    expect(protocols['openai-transcription'].readText({ text: 'a' })).toEqual(['a']);
    expect(protocols['openai-transcription'].readText('1\n00:00 a')).toEqual(['1\n00:00 a']);
  });

  it.each([null, 5, 'x', [], {}, { choices: null }, { choices: [null, { message: null }] }])(
    'is empty for %j',
    (response) => {
      expect(protocols['openai-chat'].readText(response)).toEqual([]);
    },
  );
});
