import { expect } from 'vitest';
import { failure, json, type RecordedRequest, sse } from '../upstream-script.ts';
import type { ErrorFixture, VendorFixture } from './vendor-fixture.ts';

const key = 'eyJhbGciOiJSUzI1NiJ9.eyJHcm91cE5hbWUiOiJkZW1vIn0.c2ln';
const model = 'MiniMax-Text-01';
const well = { base_resp: { status_code: 0, status_msg: '' } };
const common = { id: 'mm1', created: 1_700_000_000, model };
const usage = { total_tokens: 70, prompt_tokens: 60, completion_tokens: 10 };
const call = { id: 'call_mm1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };

function whole(message: Record<string, unknown>, finish_reason = 'stop') {
  const choices = [
    { finish_reason, index: 0, message: { role: 'assistant', name: 'MM', audio_content: '', ...message } },
  ];
  const sensitive = { input_sensitive: false, output_sensitive: false };
  return { ...common, object: 'chat.completion', choices, usage, ...sensitive, ...well };
}

/** The last event is not a delta: it says everything once more, and no `[DONE]` follows. */
function stream(deltas: Record<string, unknown>[], last: ReturnType<typeof whole>) {
  const chunk = (delta: Record<string, unknown>) => ({
    ...common,
    object: 'chat.completion.chunk',
    usage: { total_tokens: 0 },
    choices: [{ index: 0, delta: { role: '', ...delta } }],
  });
  return sse([...deltas.map(chunk), last]);
}

function refusal(code: number, message: string, kind: ErrorFixture['kind']): ErrorFixture {
  const base_resp = { status_code: code, status_msg: message };
  return {
    title: `${code} ${message}`,
    kind,
    response: json(200, { ...common, choices: null, object: '', base_resp }),
  };
}

const asked =
  (path: string) =>
  ({ path: given, headers }: RecordedRequest) => {
    expect(given).toBe(path);
    expect(headers.authorization).toBe(`Bearer ${key}`);
  };

export const minimax: VendorFixture = {
  type: 35,
  variant: '',
  channel: { key },
  lacks: {
    embeddings: 'olderApi',
    rerank: 'noApi',
    transcription: 'noApi',
    models: 'noApi',
    balance: 'noApi',
  },
  chat: {
    model,
    text: {
      whole: json(200, whole({ content: 'Hello from upstream.' })),
      stream: stream(
        [{ content: 'Hello ' }, { content: 'from upstream.' }],
        whole({ content: 'Hello from upstream.' }),
      ),
      asked: asked('/v1/text/chatcompletion_v2'),
    },
    tool: {
      whole: json(200, whole({ content: '', tool_calls: [call] }, 'tool_calls')),
      stream: stream(
        [{ tool_calls: [{ index: 0, ...call }] }],
        whole({ content: '', tool_calls: [call] }, 'tool_calls'),
      ),
    },
    vision: {
      model: 'MiniMax-VL-01',
      asked: ({ body }) => expect(body.toString('utf8')).toContain('data:image/png;base64,iVBORw=='),
    },
    usage: { prompt: 60, completion: 10 },
  },
  images: {
    model: 'image-01',
    response: json(200, { id: 'i1', data: { image_urls: ['https://p.example.com/1.png'] }, ...well }),
    asked(request) {
      asked('/v1/image_generation')(request);
      expect(request.json).toEqual({ model: 'image-01', prompt: 'A fjord', n: 1, response_format: 'url' });
    },
  },
  speech: {
    model: 'speech-02-hd',
    response: json(200, { data: { audio: '494433', status: 2 }, extra_info: { usage_characters: 2 }, ...well }),
    asked(request) {
      asked('/v1/t2a_v2')(request);
      expect(request.json).toEqual({
        model: 'speech-02-hd',
        text: 'Hi',
        stream: false,
        audio_setting: { format: 'mp3' },
        voice_setting: { voice_id: 'alloy' },
      });
    },
  },
  errors: [
    refusal(1000, 'unknown error', 'retry'),
    refusal(1002, 'rate limit', 'retry'),
    refusal(1004, 'not authorized', 'dead'),
    refusal(1008, 'insufficient balance', 'balance'),
    refusal(1027, 'output sensitive', 'policy'),
    refusal(2013, 'invalid params', 'client'),
    { title: 'wrong key on a newer host', response: failure(401, { message: 'invalid api key' }), kind: 'dead' },
    { title: 'broken server', response: failure(500), kind: 'retry' },
  ],
};
