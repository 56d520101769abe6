import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import {
  chunked,
  cut,
  type FakeResponse,
  failure,
  fixture,
  json,
  raw,
  slow,
  stall,
} from '../../../support/upstream-script.ts';
import { attemptsOf, expectCharged, expectErrorShape, expectRefused, requestIdOf } from '../relay-checks.ts';
import { chatResponse, done, says, stops, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;
/** Asked first, and the one that misbehaves; the second one is well. */
let first = 0;
let second = 0;
let cases = 0;
/** Retries are limited per model, and these tests need many. */
const nextModel = () => `case-${cases++}`;

beforeAll(async () => {
  gateway = await startGateway(
    'sqlite',
    { STREAMING_TIMEOUT: '1' },
    { limits: { headersMs: 700, slowHeadersMs: 700, progressMs: 60_000 } },
  );
  const names = Array.from({ length: 100 }, (_, index) => `case-${index}`);
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
  const models = ['gpt-4o', 'dall-e-3', 'whisper-1', ...names].join(',');
  first = await gateway.addChannel({ name: 'first', models, priority: 10 });
  second = await gateway.addChannel({ name: 'second', models });
});
afterEach(() => {
  gateway.upstream.reset();
  gateway.gateway.relay.breaker.succeed(1);
  gateway.gateway.relay.breaker.succeed(first);
});
afterAll(() => gateway.stop());

const page: FakeResponse = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><title>Sign in</title></html>'),
};
const headersOf100Kib = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`x-padding-${index}`, 'p'.repeat(1000)]),
);
const twoResponses = json(200, chatResponse({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }));
const wholeLength = twoResponses.body?.length ?? 0;
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Each of them is not a response at all, so nothing has been sent and another channel may serve. */
const faults: [name: string, response: () => FakeResponse, outcome: string | RegExp][] = [
  ['B141 a web page', () => page, 'upstream_bad_answer'],
  [
    'B141 a web page called JSON',
    () => ({ ...page, headers: { 'content-type': 'application/json' } }),
    'upstream_bad_answer',
  ],
  ['B141 an empty body', () => ({ status: 200, body: Buffer.alloc(0) }), /upstream_b/],
  ['B142 an error object in a 200', () => fixture('compatible/error-200.json'), '503'],
  ['B150 100 KiB of headers', () => json(200, chatResponse(undefined), headersOf100Kib), 'upstream_badResponse'],
  [
    'B152 a Content-Length too long',
    () => raw(`${head}content-length: ${wholeLength + 9}\r\n\r\n${twoResponses.body}`),
    'upstream_reset',
  ],
  ['B152 a Content-Length too short', () => raw(`${head}content-length: 9\r\n\r\n${twoResponses.body}`), /upstream_b/],
  [
    'B152 garbage for a chunk',
    () => raw(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`),
    'upstream_badResponse',
  ],
  ['B151 a redirect to a page', () => json(302, {}, { location: 'https://login.example/' }), '502'],
  ['B151 a redirect that keeps the method', () => json(307, {}, { location: 'https://other.example/v1' }), '502'],
  [
    'B153 fifty encodings',
    () => json(200, chatResponse(undefined), { 'content-encoding': 'gzip,'.repeat(50) }),
    'upstream_badResponse',
  ],
  [
    'B153 an encoding that it is not',
    () => json(200, chatResponse(undefined), { 'content-encoding': 'gzip' }),
    /upstream_/,
  ],
  ['B156 status 0', () => raw('HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n'), 'upstream_badResponse'],
  ['B156 status 99', () => raw('HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n'), 'upstream_badResponse'],
  ['B156 status 600', () => raw('HTTP/1.1 600 None\r\ncontent-length: 0\r\n\r\n'), 'upstream_badResponse'],
  ['B156 status 204 with a body', () => raw('HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n{}'), 'upstream_badResponse'],
  ['B156 status 204', () => raw('HTTP/1.1 204 No\r\n\r\n'), /upstream_b/],
  ['B157 a flood of early hints', () => raw('HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n'.repeat(40)), /upstream_/],
  ['something else than HTTP', () => raw('220 mail.example.com ESMTP\r\n'), 'upstream_badResponse'],
  ['F5 silence', () => stall('headers'), 'upstream_headersTimeout'],
  ['F6 headers and then silence', () => stall('body', streamOf([says('a')]), 0), 'upstream_idleTimeout'],
  ['F10 a rate limit', () => fixture('openai/error-rate-limit.json', { status: 429 }), 'rate_limit_exceeded'],
  ['F11 an overload', () => fixture('openai/error-overloaded.json', { status: 503 }), 'server_is_overloaded'],
  ['a wrong key', () => fixture('openai/error-invalid-key.json', { status: 401 }), 'invalid_api_key'],
  ['an empty account', () => fixture('openai/error-quota.json', { status: 429 }), 'insufficient_quota'],
];
const streamFaults: typeof faults = [
  ...faults.filter(([name]) => !name.includes('Content-Length too short')),
  ['B142 an error as the first event', () => fixture('compatible/error-after-200.sse'), '503'],
  ['B145 a stream of nothing', () => streamOf([]), 'upstream_broken'],
  ['B145 a stream of nothing but its end', () => streamOf([done]), 'upstream_broken'],
  ['B146 an event of 17 MiB', () => streamOf(['data: "', Buffer.alloc(17 << 20, 'x')]), 'upstream_broken'],
  ['B148 broken JSON', () => streamOf(['data: {"id":\n\n', done]), 'upstream_broken'],
];

/** What is over in a moment most times is asked once more before another channel is. */
const triesOf = (outcome: string | RegExp) =>
  ['upstream_reset', 'server_is_overloaded'].includes(String(outcome)) ? 2 : 1;
const misbehave = (reply: () => FakeResponse, outcome: string | RegExp) =>
  gateway.upstream.respond(...Array.from({ length: triesOf(outcome) }, reply));

describe('an upstream that does not respond', () => {
  it.each(faults)('%s: another channel responds, which the receipt and the log name', async (_name, reply, outcome) => {
    misbehave(reply, outcome);
    const response = await gateway.chat({ model: nextModel() });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello from upstream. 你好!' } }] });
    await expectFailover(response, outcome);
  });

  it.each(streamFaults)('%s, streamed: another channel responds', async (_name, reply, outcome) => {
    misbehave(reply, outcome);
    const response = await gateway.chat({ model: nextModel(), stream: true });
    expect(response.status).toBe(200);
    const { text, done: ends } = await collectSse(response);
    expect(text).toBe('Hello from upstream. 你好!');
    expect(ends).toBe(1);
    await expectFailover(response, outcome);
  });

  async function expectFailover(response: Response, outcome: string | RegExp): Promise<void> {
    const tries = triesOf(outcome);
    expect(response.headers.get('x-tollgate-served')).toBe(
      `channel=${second}; model=case-${cases - 1}; attempt=${tries + 1}`,
    );
    const row = await expectCharged(gateway, { prompt: 20, completion: 10 });
    expect(row.channel_id).toBe(second);
    expect(attemptsOf(row)).toMatchObject([
      ...Array.from({ length: tries }, () => ({ channel: first, outcome: expect.stringMatching(outcome) })),
      { channel: second, outcome: 'ok' },
    ]);
    const asked = [...Array.from({ length: tries }, () => first), second];
    expect(row.other.admin_info).toMatchObject({ use_channel: asked.map(String) });
  }

  it('F12 a kept connection that closes under a call is asked once more, silently, and then counts as a failure', async () => {
    const model = nextModel();
    await gateway.chat({ model });
    gateway.upstream.respond(cut({}, -1));
    const again = await gateway.chat({ model });
    expect(again.headers.get('x-tollgate-served')).toBeNull();
    expect((await expectCharged(gateway, { prompt: 20 })).channel_id).toBe(first);
    gateway.upstream.respond(cut({}, -1), cut({}, -1, 'reset'), cut({}, -1, 'reset'));
    await expectFailover(await gateway.chat({ model }), 'upstream_reset');
    expect(gateway.upstream.requests).toHaveLength(7);
  });

  it.each<[string, () => FakeResponse, number, number]>([
    ['B141 a web page', () => page, 502, 2],
    ['B142 an error object in a 200', () => fixture('compatible/error-200.json'), 503, 2],
    ['B151 a redirect to the inside', () => json(302, {}, { location: 'http://169.254.169.254/' }), 502, 1],
    [
      'B151 a redirect that keeps the method',
      () => json(307, {}, { location: `${gateway.upstream.url}/v1/x` }),
      502,
      1,
    ],
    ['B156 status 204', () => raw('HTTP/1.1 204 No\r\n\r\n'), 502, 2],
    ['F5 silence', () => stall('headers'), 504, 1],
    ['F11 an overload', () => fixture('openai/error-overloaded.json', { status: 503 }), 503, 2],
    ['a server error', () => fixture('openai/error-server.json', { status: 500 }), 500, 2],
    ['a refusal of the parameters', () => fixture('openai/error-unsupported.json', { status: 400 }), 400, 1],
    ['an unknown model', () => fixture('openai/error-model.json', { status: 404 }), 404, 1],
    ['a content filter', () => fixture('azure/error-content-filter.json', { status: 400 }), 400, 1],
    ['a body of text', () => ({ status: 500, body: Buffer.from('oops') }), 500, 2],
    ['an unreadable error', () => cut({ status: 500, body: Buffer.alloc(50_000) }, 10), 500, 2],
  ])(
    '%s is reported as an error of status %3$i when no other channel is left',
    async (_name, response, status, upstreamCalls) => {
      gateway.upstream.always(response());
      await expectRefused(gateway, () => gateway.chat(), { status, upstreamCalls });
      gateway.upstream.requests.length = 0;
      await expectRefused(gateway, () => gateway.chat({ stream: true }), { status, upstreamCalls });
      await gateway.verifyBooks();
    },
  );

  it('F1, F3, F4 a closed port, an unknown host and a port without TLS lead to the next channel', async () => {
    const addresses = [
      'http://127.0.0.1:9',
      'http://no-such-host.invalid',
      gateway.upstream.url.replace('http:', 'https:'),
    ];
    for (const base_url of addresses) {
      await gateway.addChannel({ name: base_url, base_url, models: 'gpt-4.1', priority: 10 });
    }
    const last = await gateway.addChannel({ name: 'well', models: 'gpt-4.1' });
    await gateway.setOption('RetryTimes', '5');
    const response = await gateway.chat({ model: 'gpt-4.1' });
    expect(response.status).toBe(200);
    const row = await expectCharged(gateway);
    expect(row.channel_id).toBe(last);
    expect(
      attemptsOf(row)
        .map(({ outcome }) => outcome)
        .sort(),
    ).toEqual(['ok', 'upstream_connect', 'upstream_connect', 'upstream_dns', 'upstream_tls']);
    await gateway.setOption('RetryTimes', '2');
  });

  it('B155 cannot make us show a key or an address', async () => {
    gateway.upstream.always(fixture('openai/error-secret-in-text.json', { status: 401 }));
    const error = await expectRefused(gateway, () => gateway.chat(), { status: 502, upstreamCalls: 1 });
    expect(error.message).not.toMatch(/sk-|10\.1\.2\.3|8080/);
    const own = `your key upstream-key at ${gateway.upstream.url} (127.0.0.1:${gateway.upstream.port}) failed`;
    gateway.upstream.always(failure(400, { message: own, type: 'upstream-key', code: 'upstream-key' }));
    const shown = await expectRefused(gateway, () => gateway.chat(), { status: 400, upstreamCalls: 1 });
    expect(JSON.stringify(shown)).not.toMatch(/upstream-key|127\.0\.0\.1/);
  });

  it.each([
    ['-5', '1'],
    ['1000000000', '3600'],
    ['Thu, 01 Jan 1970 00:00:00 GMT', '1'],
    ['soon', null],
    ['4', '4'],
  ])('G-239 B160 passes on Retry-After %s as %s', async (given, shown) => {
    const date = 'Thu, 99 Foo 0000 99:99:99 GMT';
    gateway.upstream.always(failure(429, { headers: { 'retry-after': given, date, age: '-1' } }));
    const response = await gateway.chat({ model: nextModel() });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe(shown);
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe('upstream_saturated');
    gateway.gateway.relay.breaker.succeed(second);
  });
});

describe('an upstream stream that breaks where no other goes on', () => {
  beforeAll(() => gateway.setOption('StreamRescue', 'off'));
  afterAll(() => gateway.setOption('StreamRescue', 'exact'));
  const begun = [says('Hello'), says(' wonderful'), says(' world')];
  it.each<[string, () => FakeResponse, string]>([
    ['B142 an error event', () => streamOf([...begun, { error: { message: 'overloaded', code: 'busy' } }]), 'busy'],
    ['B145 an end without [DONE] and finish', () => streamOf(begun), 'upstream_broken'],
    ['B146 an event of 17 MiB', () => streamOf([...begun, 'data: "', Buffer.alloc(17 << 20, 'x')]), 'upstream_broken'],
    [
      'B148 broken JSON in the middle',
      () => streamOf([...begun, 'data: {"id":\n\n', says('!'), done]),
      'upstream_broken',
    ],
    ['B152 a cut', () => cut(streamOf([...begun, says('!')]), 700), 'upstream_reset'],
    ['B152 a reset', () => cut(streamOf([...begun, says('!')]), 700, 'reset'), 'upstream_reset'],
    ['F9 a stall', () => stall('body', streamOf([...begun, says('!')]), 700), 'upstream_idleTimeout'],
    [
      'a finish that says that it gave up',
      () => streamOf([...begun, { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }, done]),
      '',
    ],
  ])(
    '%s ends with an error event, never with [DONE], and the delivered part is charged',
    async (_name, reply, code) => {
      gateway.upstream.respond(reply());
      const response = await gateway.chat({ model: 'gpt-4o', stream: true });
      expect(response.status).toBe(200);
      const { chunks, done: ends, text } = await collectSse(response);
      expect(text).toBe('Hello wonderful world');
      expect(ends).toBe(0);
      const error = expectErrorShape(chunks.at(-1), requestIdOf(response));
      if (code) expect(error.code).toBe(code);
      expect(gateway.upstream.requests).toHaveLength(1);
      const row = await expectCharged(gateway, { completion: 3 });
      expect(row.other).toMatchObject({ outcome: 'broken', usage_source: 'counted' });
      expect(row.channel_id).toBe(first);
    },
  );

  it('a plain response of 3 MiB that breaks off is never taken for a whole one: the call is sent again', async () => {
    const body = Buffer.from(JSON.stringify(chatResponse(undefined, 'word '.repeat(600_000))));
    gateway.upstream.respond(cut({ status: 200, headers: { 'content-type': 'application/json' }, body }, 2_500_000));
    const response = await gateway.chat({ model: 'gpt-4o' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ usage: { prompt_tokens: 20, completion_tokens: 10 } });
    await expectCharged(gateway, { prompt: 20, completion: 10 });
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  it('B159 a picture of more than 64 MiB is broken off', async () => {
    const pieces = ['{"created":1,"data":[{"b64_json":"', ...new Array(70).fill('A'.repeat(1 << 20)), '"}]}'];
    gateway.upstream.respond({ ...streamOf(pieces), headers: { 'content-type': 'application/json' } });
    const response = await gateway.call('/v1/images/generations', { model: 'dall-e-3', prompt: 'a dot' });
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await expectCharged(gateway)).other.outcome).toBe('broken');
  });
});

describe('usage as an upstream reports it', () => {
  const counted = 'counted';
  it.each<[string, unknown, { prompt?: number; completion?: number }, string]>([
    [
      'in order',
      { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
      { prompt: 7, completion: 3 },
      'upstream',
    ],
    ['missing', undefined, { completion: 2 }, counted],
    ['null', null, { completion: 2 }, counted],
    ['empty', {}, { completion: 2 }, counted],
    ['zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, { completion: 2 }, counted],
    ['negative', { prompt_tokens: -5, completion_tokens: 3, total_tokens: -2 }, { completion: 2 }, counted],
    ['text', { prompt_tokens: '7', completion_tokens: 'many' }, { completion: 2 }, counted],
    ['broken numbers', { prompt_tokens: 7.5, completion_tokens: 3 }, { completion: 2 }, counted],
    ['beyond belief', { prompt_tokens: 1e18, completion_tokens: 1, total_tokens: 1e18 }, { completion: 2 }, counted],
    ['a list', [7, 3], { completion: 2 }, counted],
    [
      'of a wrong total',
      { prompt_tokens: 7, completion_tokens: 3, total_tokens: 99 },
      { prompt: 7, completion: 3 },
      'upstream',
    ],
    [
      'with more cached than there was',
      { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 1e17 } },
      { prompt: 7, completion: 3 },
      'upstream',
    ],
  ])('M7 B143 %s is charged by rule', async (_name, usage, expected, source) => {
    gateway.upstream.respond(json(200, chatResponse(usage)));
    expect((await gateway.chat()).status).toBe(200);
    expect((await expectCharged(gateway, expected)).other.usage_source).toBe(source);
    const events = [
      says('Hello'),
      says(' world'),
      stops,
      ...(usage === undefined ? [] : [{ choices: [], usage }]),
      done,
    ];
    gateway.upstream.respond(streamOf(events));
    expect((await collectSse(await gateway.chat({ stream: true }))).done).toBe(1);
    expect((await expectCharged(gateway, expected)).other.usage_source).toBe(source);
  });

  it('B143 at the end of a long response is read, and without it its words are charged', async () => {
    await gateway.app.services.users.adjustQuota(systemActor, { id: gateway.userId, amount: 10_000_000, note: '' });
    const content = 'word '.repeat(600_000);
    gateway.upstream.respond(json(200, chatResponse({ prompt_tokens: 9, completion_tokens: 600_000 }, content)));
    expect(await (await gateway.chat()).json()).toMatchObject({ choices: [{ message: { content } }] });
    await expectCharged(gateway, { prompt: 9, completion: 600_000 });
    gateway.upstream.respond(json(200, chatResponse(undefined, content)));
    await (await gateway.chat()).arrayBuffer();
    const row = await expectCharged(gateway);
    expect(row.other.usage_source).toBe('counted');
    expect(row.completion_tokens).toBeGreaterThan(500_000);
    // A picture is no text, however long it is.
    const url = `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`;
    const message = { role: 'assistant', content: 'Hello world', images: [{ type: 'image_url', image_url: { url } }] };
    gateway.upstream.respond(json(200, { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(await (await gateway.chat()).json()).toMatchObject({ choices: [{ message }] });
    await expectCharged(gateway, { completion: 2 });
  });

  it('M7 B143 far above the estimate is charged, and marked', async () => {
    gateway.upstream.respond(json(200, chatResponse({ prompt_tokens: 9, completion_tokens: 900_000 })));
    await gateway.chat();
    expect((await expectCharged(gateway, { completion: 900_000 })).other.flags).toEqual(['usage_far_above_estimate']);
  });

  it('B144 that comes twice counts as it came last, and sane', async () => {
    gateway.upstream.respond('compatible/usage-twice.sse');
    await collectSse(await gateway.chat({ stream: true }));
    await expectCharged(gateway, { prompt: 3, completion: 2 });
    gateway.upstream.respond(streamOf([says('Hi'), uses(3, 1), stops, uses(4, 2), done]));
    await collectSse(await gateway.chat({ stream: true }));
    await expectCharged(gateway, { prompt: 4, completion: 2 });
  });
});

describe('a response that is only odd', () => {
  it.each([
    ['CR alone', 'compatible/carriage-returns.sse', '你好'],
    ['a byte order mark', 'compatible/byte-order-mark.sse', '你好'],
    ['comments, other fields and no space', 'compatible/named-events.sse', 'a'],
    ['usage on every chunk and no [DONE]', 'compatible/usage-every-chunk.sse', '你好'],
    ['no [DONE]', 'compatible/no-done.sse', 'Hi'],
    ['undocumented shapes', 'compatible/odd-shapes.sse', 'Hi!'],
    ['usage inside the choice', 'compatible/usage-in-choice.sse', 'Hi'],
  ])('B147 %s is read right, byte by byte too, and ends once', async (_name, name, text) => {
    for (const response of [fixture(name), chunked(name, 1), chunked(name, 7, 2)]) {
      gateway.upstream.respond(response);
      const stream = await collectSse(await gateway.chat({ stream: true }));
      expect(stream.text).toBe(text);
      expect(stream.done).toBe(1);
      await expectCharged(gateway, { prompt: 3, completion: 2 });
    }
  });

  it('B147 lines that end in CR LF are read right', async () => {
    const bytes = Buffer.concat(fixture('openai/chat.sse').pieces ?? [])
      .toString('utf8')
      .replaceAll('\n', '\r\n');
    gateway.upstream.respond(chunked(streamOf([bytes]), 1));
    const { text, done: ends } = await collectSse(await gateway.chat({ stream: true }));
    expect(text).toBe('Hi there. 你好。');
    expect(ends).toBe(1);
  });

  it('B147 a whole response behind a byte order mark is read right, long or short', async () => {
    for (const content of ['Hi', 'x'.repeat(1_100_000)]) {
      const body = JSON.stringify(chatResponse({ prompt_tokens: 3, completion_tokens: 2 }, content));
      gateway.upstream.respond(json(200, `\ufeff${body}`));
      expect(await (await gateway.chat()).json()).toEqual(JSON.parse(body));
      await expectCharged(gateway, { prompt: 3, completion: 2 });
    }
  });

  it('F7 one byte at a time is read as long as it takes', async () => {
    gateway.upstream.respond(slow(streamOf([says('slow'), stops, uses(3, 2), done]), 4));
    const { text, events } = await collectSse(await gateway.chat({ stream: true }));
    expect(text).toBe('slow');
    expect((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)).toBeGreaterThan(1000);
    await expectCharged(gateway, { prompt: 3, completion: 2 });
  });

  it('B149 whatever follows [DONE] is ignored', async () => {
    gateway.upstream.respond('compatible/done-twice.sse');
    const stream = await collectSse(await gateway.chat({ stream: true }));
    expect(stream.text).toBe('Hi');
    expect(stream.done).toBe(1);
    await expectCharged(gateway, { prompt: 3, completion: 2 });
    gateway.upstream.respond('compatible/usage-after-done.sse');
    await collectSse(await gateway.chat({ stream: true }));
    expect((await expectCharged(gateway)).other.usage_source).toBe('counted');
  });

  it('B154 markup in a response stays data: JSON goes out as JSON, whatever it was called', async () => {
    const model = '<img src=x onerror=alert(1)>\n\r"';
    const body = { ...chatResponse({ prompt_tokens: 3, completion_tokens: 2 }, '<script>1</script>'), model };
    gateway.upstream.respond(json(200, body, { 'content-type': 'text/html; charset=utf-8' }));
    const response = await gateway.chat();
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toEqual(body);
    gateway.upstream.respond(streamOf([{ ...says('Hi'), model }, { ...stops, model }, done]));
    const { chunks } = await collectSse(await gateway.chat({ stream: true, stream_options: { include_usage: true } }));
    expect(chunks.at(-1)).toMatchObject({ model, choices: [], usage: { completion_tokens: 1 } });
    gateway.upstream.respond(json(200, { text: '<script>1</script>' }, { 'content-type': 'text/html' }));
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(4000)]), 'a.mp3');
    const headers = { authorization: `Bearer ${gateway.key}` };
    const heard = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    expect(heard.status).toBe(200);
    expect(heard.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('B157 a few early hints do no harm', async () => {
    const response = `${head}content-length: ${wholeLength}\r\n\r\n${twoResponses.body}`;
    gateway.upstream.respond(raw('HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n'.repeat(3) + response));
    expect((await gateway.chat()).status).toBe(200);
    await expectCharged(gateway, { prompt: 1, completion: 1 });
  });

  it('B158 tool calls with wild indexes stay few, also where we write the shape', async () => {
    const strict = await gateway.addChannel({
      name: 'strict',
      models: 'gpt-4.1-mini',
      setting: '{"force_format":true}',
    });
    for (const model of ['gpt-4o-mini', 'gpt-4.1-mini']) {
      gateway.upstream.respond('compatible/tool-index-wild.sse');
      const stream = await collectSse(await gateway.chat({ model, stream: true }));
      expect(stream.done).toBe(1);
      expect(JSON.stringify(stream.chunks).length).toBeLessThan(5000);
      await expectCharged(gateway, { prompt: 3, completion: 2 });
    }
    expect((await gateway.lastLog())?.channel_id).toBe(strict);
  });

  it('one document in place of a stream reaches the client as a stream', async () => {
    gateway.upstream.respond('openai/chat.json');
    const response = await gateway.chat({ stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const { text, done: ends } = await collectSse(response);
    expect(text).toBe('Hi there. 你好。');
    expect(ends).toBe(1);
    await expectCharged(gateway, { prompt: 1024, completion: 256, cachedRead: 512 });
    gateway.upstream.respond(
      json(200, `\ufeff${JSON.stringify(chatResponse({ prompt_tokens: 3, completion_tokens: 2 }, 'Marked'))}`),
    );
    expect((await collectSse(await gateway.chat({ stream: true }))).text).toBe('Marked');
    await expectCharged(gateway, { prompt: 3, completion: 2 });
  });

  it('all chunks of a Gemini stream as one list reach the client as a stream, with the usage of the last', async () => {
    await gateway.addChannel({ name: 'gemini', models: 'case-gemini', type: 24 });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'case-gemini': 1 }));
    const says = (text: string, more = {}) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }],
    });
    const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 };
    const list = [says('One, '), says('two, '), { ...says('three', { finishReason: 'STOP' }), usageMetadata }];
    gateway.upstream.respond(json(200, list));
    expect((await collectSse(await gateway.chat({ model: 'case-gemini', stream: true }))).text).toBe('One, two, three');
    await expectCharged(gateway, { prompt: 7, completion: 5 });
    gateway.upstream.respond(json(200, list));
    const path = '/v1beta/models/case-gemini:streamGenerateContent?alt=sse';
    const own = await gateway.call(path, { contents: [{ role: 'user', parts: [{ text: 'Count' }] }] });
    expect(await own.text()).toMatch(/^data: .*One, .*\n\ndata: .*two, .*\n\ndata: .*three/);
    await expectCharged(gateway, { prompt: 7, completion: 5 });
  });
});
