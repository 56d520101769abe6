import { isJsonObject, type JsonObject } from '../../core/lib/json-value.ts';
import { type FakeResponse, failure, json, type RecordedRequest, sse } from './upstream-script.ts';

/** What the responses say when a test scripts nothing; each number can be asserted against the bill. */
export interface OpenaiDefaults {
  text: string;
  usage: {
    prompt: number;
    completion: number;
    cached: number;
    reasoning: number;
  };
  embeddingDimensions: number;
  models: string[];
  /** Seconds, for transcriptions that are billed by duration. */
  audioSeconds: number;
  balance: { limitUsd: number; usedCents: number };
}

export function openaiDefaults(): OpenaiDefaults {
  return {
    text: 'Hello from upstream. 你好!',
    usage: { prompt: 20, completion: 10, cached: 0, reasoning: 0 },
    embeddingDimensions: 8,
    models: ['gpt-4o-mini', 'gpt-4o', 'text-embedding-3-small', 'gpt-image-1', 'dall-e-3', 'tts-1', 'whisper-1'],
    audioSeconds: 4,
    balance: { limitUsd: 120, usedCents: 2050 },
  };
}

type Handler = (request: RecordedRequest, body: JsonObject, defaults: OpenaiDefaults) => FakeResponse;

// 2026-01-02T03:00:00Z: fixed, so that two responses are the same bytes.
const created = 1_767_322_800;

const handlers: Record<string, Handler> = {
  'POST chat/completions': chat,
  'POST completions': completion,
  'POST embeddings': embedding,
  'POST moderations': moderation,
  'POST images/generations': image,
  'POST images/edits': image,
  'POST images/variations': image,
  'POST audio/speech': speech,
  'POST audio/transcriptions': transcription,
  'POST audio/translations': transcription,
  'GET models': (_request, _body, defaults) =>
    json(200, {
      object: 'list',
      data: defaults.models.map((id) => ({
        id,
        object: 'model',
        created,
        owned_by: 'openai',
      })),
    }),
  'GET dashboard/billing/subscription': (_request, _body, { balance }) =>
    json(200, {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: balance.limitUsd,
      hard_limit_usd: balance.limitUsd,
      system_hard_limit_usd: balance.limitUsd,
      access_until: 0,
    }),
  'GET dashboard/billing/usage': (_request, _body, { balance }) =>
    json(200, { object: 'list', total_usage: balance.usedCents }),
};

/** The response OpenAI (or Azure, on its paths) would give to this call. */
export function respondLikeOpenai(request: RecordedRequest, defaults: OpenaiDefaults): FakeResponse {
  const path = request.path.replace(/\?.*$/, '');
  const place = /^\/(?:openai\/deployments\/([^/]+)|openai\/v1|api\/paas\/v4|compatible-mode\/v1|v1)\/(.+)$/.exec(path);
  const handler = place && handlers[`${request.method} ${place[2]}`];
  if (!handler) {
    const message = `Invalid URL (${request.method} ${path})`;
    return failure(404, { type: 'invalid_request_error', message });
  }
  const isAzure = path.startsWith('/openai/');
  if (!request.headers.authorization && !(isAzure && request.headers['api-key'])) {
    const message = "You didn't provide an API key.";
    return failure(401, {
      type: 'invalid_request_error',
      code: 'invalid_api_key',
      message,
    });
  }
  const body = request.form ? fieldsOf(request) : isJsonObject(request.json) ? request.json : {};
  const deployment = place[1] && decodeURIComponent(place[1]);
  const response = handler(request, { ...body, model: body.model ?? deployment ?? 'gpt-4o-mini' }, defaults);
  return {
    ...response,
    headers: {
      'x-request-id': 'req_fake1',
      'openai-processing-ms': '12',
      ...response.headers,
    },
  };
}

function chat(_request: RecordedRequest, body: JsonObject, defaults: OpenaiDefaults): FakeResponse {
  const call = toolCall(body);
  const identity = { id: 'chatcmpl-fake1', created, model: body.model };
  const finish = call ? 'tool_calls' : 'stop';
  const choices = Array.from({ length: Number(body.n ?? 1) }, (_, index) => index);
  if (body.stream !== true) {
    const message = call
      ? { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
      : { role: 'assistant', content: textFor(body, defaults), refusal: null };
    return json(200, {
      ...identity,
      object: 'chat.completion',
      choices: choices.map((index) => ({
        index,
        message,
        logprobs: null,
        finish_reason: finish,
      })),
      usage: usageOf(defaults),
      system_fingerprint: 'fp_fake',
    });
  }
  const deltas = call ? toolDeltas(call) : textDeltas(textFor(body, defaults));
  return stream(body, defaults, { ...identity, object: 'chat.completion.chunk' }, [
    ...choices.flatMap((index) => deltas.map((delta) => ({ index, delta, finish_reason: null }))),
    ...choices.map((index) => ({ index, delta: {}, finish_reason: finish })),
  ]);
}

function completion(_request: RecordedRequest, body: JsonObject, defaults: OpenaiDefaults): FakeResponse {
  const identity = {
    id: 'cmpl-fake1',
    object: 'text_completion',
    created,
    model: body.model,
  };
  const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== 'number' ? body.prompt.length : 1;
  const choices = Array.from({ length: prompts * Number(body.n ?? 1) }, (_, index) => index);
  if (body.stream !== true) {
    return json(200, {
      ...identity,
      choices: choices.map((index) => ({
        index,
        text: defaults.text,
        logprobs: null,
        finish_reason: 'stop',
      })),
      usage: usageOf(defaults),
    });
  }
  return stream(body, defaults, identity, [
    ...choices.flatMap((index) =>
      words(defaults.text).map((text) => ({
        index,
        text,
        logprobs: null,
        finish_reason: null,
      })),
    ),
    ...choices.map((index) => ({
      index,
      text: '',
      logprobs: null,
      finish_reason: 'stop',
    })),
  ]);
}

/** One chunk per choice, then the usage chunk if it was asked for, then the end mark. */
function stream(body: JsonObject, defaults: OpenaiDefaults, identity: JsonObject, choices: JsonObject[]): FakeResponse {
  const asked = isJsonObject(body.stream_options) && body.stream_options.include_usage === true;
  return sse([
    ...choices.map((choice) => ({
      ...identity,
      choices: [choice],
      ...(asked ? { usage: null } : {}),
    })),
    ...(asked ? [{ ...identity, choices: [], usage: usageOf(defaults) }] : []),
    '[DONE]',
  ]);
}

function textFor(body: JsonObject, defaults: OpenaiDefaults): string {
  const wantsJson = isJsonObject(body.response_format) && String(body.response_format.type).startsWith('json');
  return wantsJson ? JSON.stringify({ answer: defaults.text }) : defaults.text;
}

function words(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [''];
}

function textDeltas(text: string): JsonObject[] {
  return [{ role: 'assistant', content: '', refusal: null }, ...words(text).map((content) => ({ content }))];
}

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A call of the first function offered, unless the last message already brings its result. */
function toolCall(body: JsonObject): ToolCall | undefined {
  const [tool] = (Array.isArray(body.tools) ? body.tools : []) as {
    function?: { name: string; parameters?: unknown };
  }[];
  const messages = (Array.isArray(body.messages) ? body.messages : []) as {
    role?: string;
  }[];
  if (!tool?.function || body.tool_choice === 'none' || messages.at(-1)?.role === 'tool') return undefined;
  const { name, parameters } = tool.function;
  const properties =
    isJsonObject(parameters) && isJsonObject(parameters.properties) ? Object.keys(parameters.properties) : [];
  const filled = Object.fromEntries(properties.map((key) => [key, 'Oslo']));
  return {
    id: 'call_fake1',
    type: 'function',
    function: { name, arguments: JSON.stringify(filled) },
  };
}

function toolDeltas(call: ToolCall): JsonObject[] {
  const text = call.function.arguments;
  const half = Math.ceil(text.length / 2);
  const first = {
    index: 0,
    id: call.id,
    type: 'function',
    function: { name: call.function.name, arguments: '' },
  };
  return [
    { role: 'assistant', content: null, tool_calls: [first] },
    ...[text.slice(0, half), text.slice(half)].map((part) => ({
      tool_calls: [{ index: 0, function: { arguments: part } }],
    })),
  ];
}

function embedding(_request: RecordedRequest, body: JsonObject, defaults: OpenaiDefaults): FakeResponse {
  const inputs = Array.isArray(body.input) && typeof body.input[0] !== 'number' ? body.input.length : 1;
  const dimensions = Number(body.dimensions ?? defaults.embeddingDimensions);
  const data = Array.from({ length: inputs }, (_, index) => {
    const vector = Float32Array.from({ length: dimensions }, (_unused, place) => (index + 1) / (place + 2));
    const isBase64 = body.encoding_format === 'base64';
    return {
      object: 'embedding',
      index,
      embedding: isBase64 ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector),
    };
  });
  const { prompt } = defaults.usage;
  return json(200, {
    object: 'list',
    data,
    model: body.model,
    usage: { prompt_tokens: prompt, total_tokens: prompt },
  });
}

// The 13 categories of omni-moderation.
const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

function moderation(_request: RecordedRequest, body: JsonObject): FakeResponse {
  const result = {
    flagged: false,
    categories: Object.fromEntries(categories.map((name) => [name, false])),
    category_scores: Object.fromEntries(categories.map((name) => [name, 0.0001])),
    category_applied_input_types: Object.fromEntries(categories.map((name) => [name, ['text']])),
  };
  return json(200, { id: 'modr-fake1', model: body.model, results: [result] });
}

/** A valid PNG of one pixel. */
const onePixelPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function image(_request: RecordedRequest, body: JsonObject, { usage }: OpenaiDefaults): FakeResponse {
  const isTokenBilled = String(body.model).startsWith('gpt-image');
  const isBase64 = isTokenBilled || body.response_format === 'b64_json';
  const picture = isBase64 ? { b64_json: onePixelPng } : { url: 'https://images.example.com/fake1.png' };
  const data = Array.from({ length: Number(body.n ?? 1) }, () => picture);
  if (!isTokenBilled) return json(200, { created, data });
  const { prompt, completion } = usage;
  return json(200, {
    created,
    data,
    background: 'opaque',
    output_format: 'png',
    quality: 'medium',
    size: '1024x1024',
    usage: {
      input_tokens: prompt,
      input_tokens_details: { text_tokens: prompt, image_tokens: 0 },
      output_tokens: completion,
      total_tokens: prompt + completion,
    },
  });
}

const audioTypes: Record<string, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** Bytes that are not text, in several packets, so that a lossy copy is noticed. */
export const speechBytes = Buffer.from(Array.from({ length: 4096 }, (_, place) => (place * 7 + 255) % 256));

function speech(_request: RecordedRequest, body: JsonObject): FakeResponse {
  const pieces = [0, 1024, 2048, 3072].map((from) => speechBytes.subarray(from, from + 1024));
  const type = audioTypes[String(body.response_format ?? 'mp3')] ?? 'application/octet-stream';
  return { status: 200, headers: { 'content-type': type }, pieces };
}

function transcription(request: RecordedRequest, body: JsonObject, defaults: OpenaiDefaults): FakeResponse {
  if (!request.form?.files.some((file) => file.name === 'file')) {
    return failure(400, {
      type: 'invalid_request_error',
      message: "'file' is a required property",
    });
  }
  const { text, audioSeconds } = defaults;
  const { prompt, completion } = defaults.usage;
  const isTimed = String(body.model).startsWith('whisper');
  const usage = isTimed
    ? { type: 'duration', seconds: audioSeconds }
    : {
        type: 'tokens',
        input_tokens: prompt,
        input_token_details: { text_tokens: 0, audio_tokens: prompt },
        output_tokens: completion,
        total_tokens: prompt + completion,
      };
  if (body.stream === 'true') {
    const deltas = words(text).map((delta) => ({
      type: 'transcript.text.delta',
      delta,
    }));
    return sse([...deltas, { type: 'transcript.text.done', text, usage }]);
  }
  const cue = `00:00:00,000 --> 00:00:0${audioSeconds},000\n${text}`;
  switch (body.response_format) {
    case 'text':
      return plain(`${text}\n`);
    case 'srt':
      return plain(`1\n${cue}\n\n`);
    case 'vtt':
      return plain(`WEBVTT\n\n${cue.replaceAll(',', '.')}\n\n`);
    case 'verbose_json':
      return json(200, {
        task: 'transcribe',
        language: 'english',
        duration: audioSeconds,
        text,
        segments: [],
        usage,
      });
    default:
      return json(200, { text, usage });
  }
}

function plain(text: string): FakeResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(text),
  };
}

function usageOf({ usage }: OpenaiDefaults): JsonObject {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Form fields as a body; a field sent once is its text. */
function fieldsOf(request: RecordedRequest): JsonObject {
  return Object.fromEntries(
    Object.entries(request.form?.fields ?? {}).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  );
}
