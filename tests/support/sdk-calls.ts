import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  toFile,
} from 'openai';
import { expect, it } from 'vitest';
import type { FakeUpstream } from './fake-upstream.ts';
import { openaiDefaults, speechBytes } from './openai-results.ts';
import { cut, failure, fixture } from './upstream-script.ts';

/** A running gateway whose one channel is the fake upstream. */
export interface SdkTarget {
  url: string;
  upstream: FakeUpstream;
  key: string;
  /** Of a token that may use gpt-4o-mini alone. */
  limitedKey: string;
}

/** What the target's channel has to serve. */
export const sdkModels = [
  'gpt-4o-mini',
  'gpt-3.5-turbo-instruct',
  'text-embedding-3-small',
  'text-moderation-latest',
  'gpt-image-1',
  'dall-e-3',
  'tts-1',
  'whisper-1',
];

const { text: upstreamText, audioSeconds } = openaiDefaults();
const messages = [{ role: 'user' as const, content: 'hi' }];

/** One promise for each thing people do with the official SDK; the caller brings the server they are kept by. */
export function promiseSdkCalls(target: () => SdkTarget): void {
  const client = (key = target().key) => new OpenAI({ baseURL: `${target().url}/v1`, apiKey: key, maxRetries: 0 });

  it('serves chat, with the usage that is billed', async () => {
    const response = await client().chat.completions.create({ model: 'gpt-4o-mini', messages });
    expect(response.choices[0]?.message.content).toBe(upstreamText);
    expect(response.choices[0]?.finish_reason).toBe('stop');
    expect(response.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  });

  it('streams chat and ends with the usage when it is asked for', async () => {
    const asked = { include_usage: true };
    const stream = await client().chat.completions.create({
      model: 'gpt-4o-mini',
      messages,
      stream: true,
      stream_options: asked,
    });
    const chunks = await collect(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(upstreamText);
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10 });
  });

  it('streams no usage to a client that did not ask for it', async () => {
    const stream = await client().chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true });
    const chunks = await collect(stream);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.every((chunk) => !chunk.usage && chunk.choices.length === 1)).toBe(true);
  });

  it("feeds the SDK's stream helper", async () => {
    const stream = client().chat.completions.stream({ model: 'gpt-4o-mini', messages });
    const pieces: string[] = [];
    stream.on('content', (piece) => pieces.push(piece));
    expect(await stream.finalContent()).toBe(upstreamText);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it("feeds the SDK's parser of responses that follow a JSON schema", async () => {
    const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
    const response = await client().chat.completions.parse({
      model: 'gpt-4o-mini',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'reply', schema, strict: true } },
    });
    expect(response.choices[0]?.message.parsed).toEqual({ answer: upstreamText });
  });

  it.each(['plain', 'streamed'])('carries a %s tool call there and its result back', async (form) => {
    const asked: unknown[] = [];
    const request = { model: 'gpt-4o-mini', messages, tools: [weatherTool((place) => asked.push(place))] };
    const runner =
      form === 'plain'
        ? client().chat.completions.runTools(request)
        : client().chat.completions.runTools({ ...request, stream: true });
    expect(await runner.finalContent()).toBe(upstreamText);
    expect(asked).toEqual([{ city: 'Oslo' }]);
    expect(lastBody(target().upstream)).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'call_fake1', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'call_fake1', content: '18 degrees' },
      ],
    });
  });

  it('serves embeddings, which the SDK asks for in base64', async () => {
    const response = await client().embeddings.create({ model: 'text-embedding-3-small', input: ['one', 'two'] });
    expect(lastBody(target().upstream)).toMatchObject({ encoding_format: 'base64' });
    expect(response.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    expect(response.data[1]?.embedding.slice(0, 3)).toEqual([1, 0.6666666865348816, 0.5]);
    const plain = { model: 'text-embedding-3-small', input: 'one', dimensions: 4, encoding_format: 'float' as const };
    expect((await client().embeddings.create(plain)).data[0]?.embedding).toHaveLength(4);
  });

  it('serves old-style completions, plain and streamed', async () => {
    const request = { model: 'gpt-3.5-turbo-instruct', prompt: 'Once', max_tokens: 20 };
    expect((await client().completions.create(request)).choices[0]?.text).toBe(upstreamText);
    const chunks = await collect(await client().completions.create({ ...request, stream: true }));
    expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(upstreamText);
  });

  it('generates pictures', async () => {
    const byToken = await client().images.generate({ model: 'gpt-image-1', prompt: 'a fjord' });
    expect(
      Buffer.from(byToken.data?.[0]?.b64_json ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const byCall = await client().images.generate({ model: 'dall-e-3', prompt: 'a fjord', size: '1024x1024' });
    expect(byCall.data?.[0]?.url).toBe('https://images.example.com/fake1.png');
  });

  it('edits pictures, whose bytes arrive unchanged', async () => {
    const picture = Buffer.from(Array.from({ length: 70_000 }, (_, place) => (place * 31) % 256));
    const image = await toFile(picture, 'fjord.png', { type: 'image/png' });
    const response = await client().images.edit({ model: 'gpt-image-1', image, prompt: 'add a boat' });
    expect(response.data).toHaveLength(1);
    const form = target().upstream.requests.at(-1)?.form;
    expect(form?.fields).toMatchObject({ model: ['gpt-image-1'], prompt: ['add a boat'] });
    expect(form?.files).toMatchObject([{ filename: 'fjord.png', type: 'image/png' }]);
    expect(form?.files[0]?.body.equals(picture)).toBe(true);
  });

  it('speaks, byte for byte', async () => {
    const response = await client().audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello there.' });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await response.arrayBuffer()).equals(speechBytes)).toBe(true);
  });

  it('transcribes and translates sound', async () => {
    const file = () => toFile(oneSecondOfSilence(), 'voice.wav', { type: 'audio/wav' });
    const request = { model: 'whisper-1', file: await file() };
    expect((await client().audio.transcriptions.create(request)).text).toBe(upstreamText);
    const verbose = { ...request, file: await file(), response_format: 'verbose_json' as const };
    expect(await client().audio.transcriptions.create(verbose)).toMatchObject({ duration: audioSeconds });
    const english = await client().audio.translations.create({ ...request, file: await file() });
    expect(english.text).toBe(upstreamText);
    expect(target().upstream.requests.at(-1)?.path).toBe('/v1/audio/translations');
  });

  it('judges texts', async () => {
    const response = await client().moderations.create({ model: 'text-moderation-latest', input: 'hi' });
    expect(response.results[0]?.flagged).toBe(false);
    expect(Object.keys(response.results[0]?.categories ?? {})).toContain('self-harm/intent');
  });

  it('lists the models a key may use, and knows each of them', async () => {
    const listed = (await collect(await client().models.list())).map(({ id }) => id);
    expect(listed).toEqual([...sdkModels].sort());
    expect(await client().models.retrieve('gpt-4o-mini')).toMatchObject({ id: 'gpt-4o-mini', object: 'model' });
    expect((await collect(await client(target().limitedKey).models.list())).map(({ id }) => id)).toEqual([
      'gpt-4o-mini',
    ]);
  });

  it('raises AuthenticationError for an unknown key', async () => {
    const error = await client('sk-nobody').chat.completions.create({ model: 'gpt-4o-mini', messages }).catch(caught);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, requestID: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  it('raises NotFoundError for a model that no channel serves', async () => {
    const error = await client().chat.completions.create({ model: 'gpt-9', messages }).catch(caught);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    await expect(client().models.retrieve('gpt-9')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('raises PermissionDeniedError for a model that the key may not use', async () => {
    const request = { model: 'tts-1', voice: 'alloy', input: 'Hello' };
    const error = await client(target().limitedKey).audio.speech.create(request).catch(caught);
    expect(error).toBeInstanceOf(PermissionDeniedError);
  });

  it('raises BadRequestError for what it refuses itself and for what the upstream refuses', async () => {
    const own = await client().chat.completions.create({ model: 'gpt-4o-mini', messages: [] }).catch(caught);
    expect(own).toBeInstanceOf(BadRequestError);
    expect(own).toMatchObject({ param: 'messages' });
    target().upstream.respond(fixture('openai/error-context-length.json', { status: 400 }));
    const theirs = await client().chat.completions.create({ model: 'gpt-4o-mini', messages }).catch(caught);
    expect(theirs).toBeInstanceOf(BadRequestError);
    expect(theirs).toMatchObject({ code: 'context_length_exceeded' });
  });

  it('raises RateLimitError when the upstream is full, with the time to wait', async () => {
    const full = failure(429, { type: 'requests', code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } });
    target().upstream.route('/v1/chat/completions', full);
    const error = await client().chat.completions.create({ model: 'gpt-4o-mini', messages }).catch(caught);
    target().upstream.reset();
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).headers.get('retry-after')).toBe('7');
  });

  it('raises an error in the middle of a stream that breaks, after what was delivered', async () => {
    target().upstream.respond(cut('openai/chat.sse', 600));
    const stream = await client().chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true });
    let received = 0;
    const reading = (async () => {
      for await (const _chunk of stream) received += 1;
    })();
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError);
    expect(received).toBeGreaterThan(0);
  });

  it('stops the upstream when the SDK aborts', async () => {
    target().upstream.reset();
    target().upstream.respond(fixture('openai/chat.sse', { delayMs: 2000 }));
    const stream = await client().chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true });
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk');
      break; // The SDK aborts the request of a loop that is left.
    }
    const [call] = await target().upstream.waitForRequests(1);
    await call?.closed;
    expect(call?.aborted).toBe(true);
    const controller = new AbortController();
    const silent = { model: 'gpt-4o-mini', messages };
    target().upstream.respond({ stall: 'headers' });
    const waiting = client().chat.completions.create(silent, { signal: controller.signal });
    await target().upstream.waitForRequests(2);
    controller.abort();
    await expect(waiting).rejects.toBeInstanceOf(APIUserAbortError);
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function caught(error: unknown): unknown {
  return error;
}

function lastBody({ requests }: FakeUpstream): unknown {
  return requests.at(-1)?.json;
}

function weatherTool(asked: (place: unknown) => void) {
  return {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      parse: (text: string): unknown => JSON.parse(text),
      function(place: unknown) {
        asked(place);
        return '18 degrees';
      },
    },
  };
}

/** 16 bits, one channel, 8,000 samples a second. */
export function oneSecondOfSilence(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 16_000, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(16_000, 40);
  return Buffer.concat([head, Buffer.alloc(16_000)]);
}
