import { describe, expect, it } from 'vitest';
import { classifyUpstream } from '../../../core/errors/classify-upstream.ts';
import { maskText } from '../../../core/errors/mask-text.ts';
import { readRetryAfter } from '../../../core/errors/retry-after.ts';

const classify = (status: number, body: unknown, headers = {}) => classifyUpstream({ status, body, headers });
const openai = (code: string | null, type: string | null = null, message = 'no') => ({
  error: { message, type, code, param: null },
});

describe('the class of an upstream error', () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504, 520, 524, 403, 404, 424, 498])('retries %d elsewhere', (status) => {
    expect(classify(status, '')).toMatchObject({ kind: 'retry', retryable: true, disablesChannel: false, status });
  });

  it.each([400, 413, 422, 415])('gives %d back to the client', (status) => {
    expect(classify(status, '')).toMatchObject({ kind: 'client', retryable: false, disablesChannel: false, status });
  });

  it.each([301, 302, 304, 307, 308])('takes %d for a channel that leads elsewhere: another one is asked', (status) => {
    expect(classify(status, '')).toMatchObject({ kind: 'retry', retryable: true, transient: false, status: 502 });
  });

  it.each([0, 99, 204, 600, 999])('returns 502 for the invalid status %d', (status) => {
    expect(classify(status, '')).toMatchObject({ kind: 'retry', status: 502 });
  });

  it.each([
    [401, openai(null), 'dead'],
    [403, openai('account_deactivated'), 'dead'],
    [400, openai('invalid_api_key'), 'dead'],
    [403, openai(null, 'permission_error'), 'dead'],
    [403, openai(null, 'forbidden'), 'dead'],
    [402, '', 'balance'],
    [429, openai(null, 'insufficient_quota'), 'balance'],
    [429, openai('rate_limit_exceeded', 'requests'), 'retry'],
    [403, openai('billing_not_active'), 'balance'],
    [400, openai(null, null, 'Your credit balance is too low to access the API'), 'balance'],
    [403, openai(null, null, 'Permission denied: no access'), 'dead'],
    [400, openai(null, null, 'This organization has been disabled.'), 'dead'],
    [429, openai(null, null, 'You exceeded your current quota, please check'), 'balance'],
    [500, openai(null, null, 'permission denied on disk'), 'retry'],
    [400, openai(null, null, "Invalid name 'permission denied' of tool"), 'client'],
    [400, openai(null, null, 'Invalid name "permission denied" of tool'), 'client'],
    [400, openai(null, null, 'Invalid name `operation not allowed` of tool'), 'client'],
    [400, openai('context_length_exceeded'), 'contextLength'],
    [400, openai(null, null, "This model's maximum context length is 8192 tokens"), 'contextLength'],
    [500, openai('context_length_exceeded'), 'retry'],
    [400, openai('content_filter'), 'policy'],
    [400, { error: { code: 'x', message: 'm', innererror: { code: 'ResponsibleAIPolicyViolation' } } }, 'policy'],
    [400, openai('content_policy_violation'), 'policy'],
    [451, '', 'policy'],
    [404, openai('model_not_found'), 'retry'],
    [404, openai('DeploymentNotFound'), 'retry'],
  ])('%d %j is %s', (status, body, kind) => {
    expect(classify(status, body).kind).toBe(kind);
  });

  it('follows the operator’s own words instead of ours', () => {
    const context = { disableKeywords: ['Project Suspended', ' '] };
    const said = (message: string) =>
      classifyUpstream({ status: 403, body: openai(null, null, message), headers: {} }, [], context).kind;
    expect(said('your PROJECT SUSPENDED yesterday')).toBe('dead');
    expect(said('permission denied')).toBe('retry');
  });
});

describe('what an upstream says', () => {
  it.each([
    ['OpenAI', openai('c', 't', 'hello'), 'hello'],
    ['a text as error', { error: 'hello' }, 'hello'],
    ['Azure API management', { statusCode: 401, message: 'hello' }, 'hello'],
    ['Azure not found', { error: { code: '404', message: 'hello' } }, 'hello'],
    ['detail', { detail: 'hello' }, 'hello'],
    ['a validation list', { detail: [{ loc: ['body', 'n'], msg: 'hello' }] }, 'body.n: hello'],
    ['an object as message', { message: { detail: [{ loc: ['a'], msg: 'hello' }] } }, 'a: hello'],
    ['Cloudflare', { success: false, errors: [{ code: 10000, message: 'hello' }] }, 'hello'],
    ['msg', { msg: 'hello' }, 'hello'],
    ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'hello' } }, 'hello'],
    ['success false', { success: false, message: 'hello' }, 'hello'],
    ['Google', [{ error: { code: 403, message: 'hello', status: 'PERMISSION_DENIED' } }], 'hello'],
    ['header', { header: { message: 'hello' } }, 'hello'],
    ['response', { response: { error: { message: 'hello' } } }, 'hello'],
    ['plain text', 'hello', 'hello'],
    [
      'a page with a title',
      '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
      '502 Bad Gateway',
    ],
    ['a page without', '<p>hello</p><br>there', 'hello there'],
    ['nothing', '', 'bad response status code 500'],
    ['null', null, 'bad response status code 500'],
    ['a number', 5, 'bad response status code 500'],
  ])('is found: %s', (_who, body, message) => {
    expect(classify(500, body).message).toBe(message);
  });

  it('keeps type, code and param of an error object and of nothing else', () => {
    expect(classify(400, { error: { message: 'm', type: 't', code: 42, param: 'p' } })).toMatchObject({
      type: 't',
      code: 42,
      param: 'p',
    });
    const bare = classify(500, { message: 'm', code: 5, type: 'x' });
    expect([bare.type, bare.code, bare.param]).toEqual([undefined, undefined, undefined]);
  });

  it('is cut to two thousand characters', () => {
    expect(classify(500, 'x'.repeat(100_000)).message.length).toBeLessThanOrEqual(2000);
  });

  it.each([
    'Incorrect API key provided: sk-proj-abc***wxyz.',
    'Incorrect API key provided: abcdef123456.',
    'Authorization: Bearer abcdef123456',
    'invalid token eyJhbGciOiJIUzI1NiJ9.eyJhcGlfa2V5.c2ln',
    'api_key=abcdef123456',
    'see https://internal.example/path?key=abcdef123456',
    'dial tcp 10.0.0.7:8443: connection refused',
    'connect ECONNREFUSED 10.0.0.7:8443',
    'lookup gateway.internal.example on 127.0.0.53:53: no such host',
    'upstream gateway.internal.example:8443 failed',
    'no route to 10.0.0.7',
    'connect to [fd00::1]:8443',
    'connect to localhost:8443',
    'the key abcdef123456 of this channel',
  ])('hides keys and addresses: %s', (text) => {
    const error = classifyUpstream({ status: 500, body: { message: text }, headers: {} }, [], {
      secrets: ['abcdef123456'],
    });
    expect(error.message).not.toMatch(/sk-proj|abcdef|eyJ|internal\.example|10\.0\.0|fd00|localhost|8443|127\.0/);
  });

  it('leaves ordinary text alone', () => {
    const text = 'Invalid value for max_tokens: 5. The model gpt-4.1 allows at most 32768 (see messages[0].content).';
    expect(maskText(text)).toBe(text);
  });

  it('is masked in linear time: quadratic time would end in the time limit of the test', () => {
    for (const text of [
      'a.'.repeat(500_000),
      'a-'.repeat(500_000),
      '['.repeat(500_000),
      'sk-'.repeat(500_000),
      '1.'.repeat(500_000),
      '<'.repeat(500_000),
    ])
      classify(500, text);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  it.each([
    [{ 'retry-after': '7' }, 7],
    [{ 'retry-after': '-5' }, 1],
    [{ 'retry-after': '1000000000' }, 3600],
    [{ 'retry-after': '0' }, 1],
    [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after-ms': '2500', 'retry-after': '60' }, 3],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30],
    [{ 'retry-after': 'Fri, 02 Jan 1970 03:04:35 GMT' }, 1],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': ['9', '10'] }, 9],
    [{}, undefined],
  ])('%j is %s seconds', (headers, seconds) => {
    expect(readRetryAfter(headers, now)).toBe(seconds);
  });

  it('measures a date from the response’s own clock where ours is not given', () => {
    const headers = { 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT', date: 'Fri, 02 Jan 2026 03:04:05 GMT' };
    expect(readRetryAfter(headers)).toBe(30);
    expect(classify(429, '', headers).retryAfterSeconds).toBe(30);
  });
});
