import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { failure } from '../../support/upstream-script.ts';
import { chatHead, openRaw } from './raw-client.ts';
import { expectCharged, expectErrorShape, expectRefused, openHolds } from './relay-checks.ts';

const messages = [{ role: 'user', content: 'hi' }];
const chatPath = '/v1/chat/completions';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { bodyTimeMs: 1000 });
  await gateway.addChannel({ name: 'others', models: 'whisper-1,tts-1,dall-e-3,text-embedding-3-small' });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** The body as text, so that it may hold what JSON.stringify cannot write. */
async function refuse(body: unknown, expected: Partial<Parameters<typeof expectRefused>[2]>): Promise<void> {
  await expectRefused(gateway, () => gateway.call(chatPath, body), { status: 400, ...expected });
}

function lastBody(): Record<string, unknown> {
  return gateway.upstream.requests.at(-1)?.json as Record<string, unknown>;
}

describe('a request body that cannot be served', () => {
  it.each([
    ['empty', '', 'body is empty'],
    ['no JSON', 'model=gpt-4o-mini', 'not a valid JSON object'],
    ['cut off', '{"model":"gpt-4o-mini"', 'not a valid JSON object'],
    ['an array', '[]', 'not a valid JSON object'],
    ['null', 'null', 'not a valid JSON object'],
    ['a text', '"x"', 'not a valid JSON object'],
    ['a number', '1', 'not a valid JSON object'],
  ])('B107 is refused when it is %s', (_name, body, says) => refuse(body, { code: 'invalid_request', says }));

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 5],
    ['a list', ['gpt-4o-mini']],
    ['10 KiB long', 'm'.repeat(10_240)],
    ['holding a line break', 'gpt-4o\r\nx-evil: 1'],
    ['holding a NUL', 'gpt-4o\0'],
    ['a step up', '..'],
  ])('B108 is refused when its model is %s', (_name, model) => refuse({ model, messages }, { param: 'model' }));

  it.each(['../admin', 'a?b=1', 'a#b', 'a/../../b', 'a%2e%2e', 'gpt-4o-mini;x'])(
    'B108 names an unknown model %s in a 404 and goes nowhere',
    (model) => refuse({ model, messages }, { status: 404, code: 'model_not_found', param: 'model' }),
  );

  it.each([
    ['missing', { model: 'gpt-4o-mini' }, 'messages'],
    ['empty', { model: 'gpt-4o-mini', messages: [] }, 'messages'],
    ['a text', { model: 'gpt-4o-mini', messages: 'hi' }, 'messages'],
    ['an object', { model: 'gpt-4o-mini', messages: {} }, 'messages'],
    ['holding null', { model: 'gpt-4o-mini', messages: [null] }, 'messages[0]'],
    ['without a role', { model: 'gpt-4o-mini', messages: [{ content: 'hi' }] }, 'messages[0].role'],
    ['holding numbers', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    ['with a part of null', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: [null] }] }, undefined],
  ])('B109, B110 is refused when its messages are %s', (_name, body, param) =>
    refuse(body, param === undefined ? {} : { param }),
  );

  it('B109 is refused with 100,000 messages', () =>
    refuse({ model: 'gpt-4o-mini', messages: new Array(100_000).fill(messages[0]) }, { says: '10000 messages' }));

  it.each([
    [
      '500,000 parts of text',
      { messages: [{ role: 'user', content: Array(500_000).fill({ type: 'text', text: 'a' }) }] },
    ],
    [
      '100,000 tool calls',
      { messages: [{ role: 'assistant', tool_calls: Array(100_000).fill({ id: 'a', function: { name: 'f' } }) }] },
    ],
    [
      'a schema of 200,000 properties',
      {
        messages,
        response_format: {
          json_schema: { schema: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`p${i}`, {}])) },
        },
      },
    ],
    ['a million empty objects', { messages, z: Array(1_000_000).fill({}) }],
  ])('is refused with %s, which would hold up the calls of others', (_name, body) =>
    refuse({ model: 'gpt-4o-mini', ...body }, { says: '100000 values' }),
  );

  it('B110 is refused when it is nested 201 levels deep', () =>
    refuse(`{"model":"gpt-4o-mini","messages":${'['.repeat(201)}${']'.repeat(201)}}`, { says: '200 levels' }));

  it.each([
    ...[-1, 1.5, 1e308, '9', true, [1], 1_073_741_824].map((value) => ['max_tokens', value] as const),
    ...[-1, 1e10].map((value) => ['max_completion_tokens', value] as const),
    ...[0, -1, 11, 1e9, 1.5, '2'].map((value) => ['n', value] as const),
    ...['true', 1, 'yes', {}].map((value) => ['stream', value] as const),
    ...[-0.1, 2.1, '1'].map((value) => ['temperature', value] as const),
    ...[-0.1, 1.1].map((value) => ['top_p', value] as const),
    ...['x', [1]].map((value) => ['stream_options', value] as const),
  ])('B111, B112, B113, B114 is refused with %s %j', (param, value) =>
    refuse({ model: 'gpt-4o-mini', messages, [param]: value }, { param }),
  );

  it('B114 is refused with a temperature beyond all numbers', () =>
    refuse('{"model":"gpt-4o-mini","messages":[{"role":"user","content":"hi"}],"temperature":1e309}', {
      param: 'temperature',
    }));

  it.each([
    ['twice', '"model":"gpt-4o-mini","model":"gpt-4"'],
    ['twice, once written with escapes', '"model":"gpt-4o-mini","\\u006dodel":"gpt-4"'],
    ['in another case', '"model":"gpt-4o-mini","Model":"gpt-4"'],
    ['and max_tokens twice', '"model":"gpt-4o-mini","max_tokens":1,"max_tokens":100000'],
    ['and stream twice, with an escape', '"model":"gpt-4o-mini","stream":false,"str\\u0065am":true'],
  ])('B115 is refused when it names the model %s', (_name, members) =>
    refuse(`{${members},"messages":[{"role":"user","content":"hi"}]}`, { code: 'invalid_request' }),
  );

  it('B117 is refused beyond 32 MiB', () =>
    refuse(`{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${'x'.repeat(33 * 1024 * 1024)}"}]}`, {
      status: 413,
      code: 'request_too_large',
    }));

  const bomb = Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', messages, pad: 'x'.repeat(4_000_000) }));
  it.each([
    ['a bomb', gzipSync(bomb), 'gzip', 413],
    ['a bomb in brotli', brotliCompressSync(bomb), 'br', 413],
    ['compressed twice', gzipSync(gzipSync(Buffer.from('{}'))), 'gzip, gzip', 415],
    ['not what it says', Buffer.from('{"model":"x"}'), 'gzip', 400],
    ['cut off', gzipSync(Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', messages }))).subarray(0, 20), 'gzip', 400],
    ['of an unknown encoding', Buffer.from('{}'), 'snappy', 415],
  ])('B118 is refused when it is %s', async (_name, body, encoding, status) => {
    const call = () => postBytes(chatPath, body, { 'content-type': 'application/json', 'content-encoding': encoding });
    await expectRefused(gateway, call, { status });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json\tx',
  ])('is refused as %s', async (type) => {
    const call = () =>
      gateway.call(chatPath, { model: 'gpt-4o-mini', messages }, { headers: { 'content-type': type } });
    await expectRefused(gateway, call, { status: 415, code: 'unsupported_media_type' });
  });

  it('B126 is refused as a form without boundary, with 10,000 parts, or as JSON where a form is due', async () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => part(`f${index}`, 'x')).join('');
    const path = '/v1/audio/transcriptions';
    const post = (type: string, body: string) => () => postBytes(path, Buffer.from(body), { 'content-type': type });
    await expectRefused(gateway, post('multipart/form-data', '--b--'), { status: 400, says: 'form' });
    await expectRefused(gateway, post('multipart/form-data; boundary=b', `${parts}--b--\r\n`), { status: 400 });
    const posing = '{"model":"whisper-1","file":{"path":"/etc/passwd"}}';
    await expectRefused(gateway, post('application/json', posing), { status: 415 });
    await expectRefused(gateway, post('multipart/form-data; boundary=b', `${part('file', posing)}--b--\r\n`), {
      status: 400,
    });
  });

  it('stays in the language the client asks for', async () => {
    const response = await gateway.call(
      chatPath,
      { model: 'gpt-4o-mini' },
      { headers: { 'accept-language': 'zh-CN' } },
    );
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
      '缺少必填字段 messages',
    );
  });
});

describe('a request body that is slow', () => {
  it('B119 is given up with 408 when less comes than Content-Length says, and the connection closes', async () => {
    const call = await openRaw(gateway.url);
    call.socket.write(`${chatHead(gateway.key, { 'content-length': 500 })}{"model":`);
    await call.closed;
    expect(call.text()).toMatch(/^HTTP\/1\.1 408 /);
    expectErrorShape(bodyOf(call.text()), idIn(call.text()));
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('B119 is refused with 400 when the client stops writing half way', async () => {
    const call = await openRaw(gateway.url);
    call.socket.end(`${chatHead(gateway.key, { 'content-length': 500 })}{"model":`);
    await call.closed;
    expect(gateway.upstream.requests).toHaveLength(0);
    expect(await openHolds(gateway)).toBe(0);
  });

  it('B120 is given up with 408 when it comes byte by byte', async () => {
    const call = await openRaw(gateway.url);
    call.socket.write(chatHead(gateway.key, { 'content-length': 500 }));
    const drip = setInterval(() => call.socket.write(' '), 100);
    await call.closed;
    clearInterval(drip);
    expect(call.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('a request body that is only odd', () => {
  it('B116 keeps unknown fields, and none of them steers the call', async () => {
    const odd = {
      api_base: 'http://127.0.0.1:9',
      base_url: 'http://127.0.0.1:9',
      api_key: 'sk-mine',
      user_data: { a: [1] },
    };
    const response = await gateway.chat({ ...odd, temperature: 0 });
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ ...odd, temperature: 0 });
    expect(gateway.upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-key');
    await expectCharged(gateway, { prompt: 20, completion: 10 });
  });

  it('B118 is read when it is compressed once', async () => {
    const bytes = gzipSync(Buffer.from(JSON.stringify({ model: 'gpt-4o-mini', messages })));
    const response = await postBytes(chatPath, bytes, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ messages });
    expect(gateway.upstream.requests[0]?.headers['content-encoding']).toBeUndefined();
  });

  it('B121 passes schemas that refer to themselves, and holds for their 10,000 property names', async () => {
    const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { $ref: '#' }]));
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }];
    const response = await gateway.chat({ tools, tool_choice: 'none' });
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ tools });
  });

  it('B122 is searched for sensitive words in linear time', async () => {
    await gateway.setOption('SensitiveWords', '(a+)+$\naaaaaaaaaaaaaaaaaaaaaaaab\nsecret plan');
    const response = await gateway.chat({ messages: [{ role: 'user', content: 'a'.repeat(500_000) }] });
    expect(response.status).toBe(200);
  });

  it('sensitive words are found in any case and any part, and the list is not told', async () => {
    const parts = [{ type: 'text', text: 'the SECRET Plan' }];
    await refuse(
      { model: 'gpt-4o-mini', messages: [{ role: 'user', content: parts }] },
      { code: 'sensitive_words_detected', says: /^((?!secret).)*$/i },
    );
    await gateway.setOption('CheckSensitiveOnPromptEnabled', 'false');
    expect((await gateway.chat({ messages: [{ role: 'user', content: parts }] })).status).toBe(200);
    await gateway.setOption('CheckSensitiveOnPromptEnabled', 'true');
    await gateway.setOption('SensitiveWords', '');
  });

  it('B123 carries lone surrogates, NUL and line separators through, and counts them when it must', async () => {
    gateway.upstream.respond('compatible/usage-missing.json');
    const text = '\\ud800 \\u0000 \u2028 \\udfff ok';
    const response = await gateway.call(
      chatPath,
      `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${text}"}]}`,
    );
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ messages: [{ content: JSON.parse(`"${text}"`) }] });
    const row = await expectCharged(gateway);
    expect(row.other.usage_source).toBe('counted');
  });

  it('B124 never fetches a picture itself, wherever it lies', async () => {
    for (const url of [
      gateway.upstream.url,
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
    ]) {
      const content = [{ type: 'image_url', image_url: { url } }];
      expect((await gateway.chat({ messages: [{ role: 'user', content }] })).status).toBe(200);
    }
    expect(gateway.upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      new Array(4).fill(`POST ${chatPath}`),
    );
  });

  it('B125 leaves a broken data: URL to the upstream, which refuses it at no charge', async () => {
    gateway.upstream.respond(
      failure(400, { type: 'invalid_request_error', code: 'invalid_image', message: 'Bad image.' }),
    );
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } }];
    await expectRefused(gateway, () => gateway.chat({ messages: [{ role: 'user', content }] }), {
      status: 400,
      code: 'invalid_image',
      upstreamCalls: 1,
    });
  });

  it('B127 is held and charged by the length of its sound, whatever its head claims', async () => {
    await gateway.setOption('ModelRatio', '{"whisper-1":15}');
    gateway.upstream.respond('openai/transcription-duration.json');
    // 16,000 bytes at 16,000 bytes a second; the head claims ten hours.
    const response = await transcribe(wav(16_000, 576_000_000));
    expect(response.status).toBe(200);
    expect((await expectCharged(gateway)).prompt_tokens).toBe(4);
    gateway.upstream.respond('openai/transcription-duration.json');
    expect((await transcribe(Buffer.alloc(0))).status).toBeLessThan(500);
    await gateway.verifyBooks();
  });

  it('B129 takes template marks as the text they are', async () => {
    const content = '{{system}} <|im_start|>system <|endoftext|> %s {0} $& <%= 1 %>';
    const response = await gateway.chat({ messages: [{ role: 'user', content }] });
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ messages: [{ role: 'user', content }] });
  });

  it('passes a body of 8 MiB on, whole, and charges it', async () => {
    const content = 'word '.repeat(1_600_000);
    const response = await gateway.chat({ messages: [{ role: 'user', content }] });
    expect(response.status).toBe(200);
    expect(lastBody()).toMatchObject({ messages: [{ content }] });
    await expectCharged(gateway, { prompt: 20, completion: 10 });
  });
});

function postBytes(path: string, body: Buffer, headers: Record<string, string>): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
    body,
  });
}

function part(name: string, text: string): string {
  return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

function transcribe(sound: Buffer): Promise<Response> {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new Blob([sound], { type: 'audio/wav' }), '../../x.wav');
  return fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}` },
    body: form,
  });
}

/** Silence of 16 bits, one channel, 8,000 samples a second; the head may claim more bytes than follow. */
function wav(bytes: number, claimedBytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + claimedBytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(claimedBytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes)]);
}

function bodyOf(raw: string): unknown {
  return JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4));
}

function idIn(raw: string): string {
  return /x-request-id: (\S+)/i.exec(raw)?.[1] ?? '';
}
