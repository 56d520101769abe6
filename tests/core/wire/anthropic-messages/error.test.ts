import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { UpstreamError } from '../../../../core/errors/upstream-error.ts';
import { readAnthropicError } from '../../../../core/providers/anthropic/error-rule.ts';
import { anthropicErrorEvent, writeAnthropicError } from '../../../../core/wire/anthropic-messages/error.ts';

const reader = { requestId: 'r1', language: 'en' } as const;

describe('an error in the Anthropic shape', () => {
  it('names our own errors and the request', () => {
    expect(writeAnthropicError(new AppError('request.fieldMissing', { field: 'max_tokens' }), reader)).toEqual({
      status: 400,
      headers: { 'request-id': 'r1' },
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'max_tokens is required.' },
        request_id: 'r1',
      },
    });
  });

  it.each([
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('status %i is %s', (status, type) => {
    const error = new UpstreamError({ status, message: 'x', kind: 'retry' });
    expect(writeAnthropicError(error, reader)).toMatchObject({ status, body: { error: { type } } });
  });

  it.each([
    ['token.twoKeys', 401, 'authentication_error'],
    ['relay.quotaUsedUp', 403, 'permission_error'],
  ] as const)('%s is %i, %s', (code, status, type) => {
    expect(writeAnthropicError(new AppError(code), reader)).toMatchObject({ status, body: { error: { type } } });
  });

  it.each([
    [401, 502],
    [402, 503],
    [403, 502],
  ])('the refusal %i of the operator’s own account is %i', (from, status) => {
    const error = new UpstreamError({ status: from, message: 'invalid x-api-key', kind: 'retry' });
    const written = writeAnthropicError(error, reader);
    expect(written.status).toBe(status);
    expect(written.body.error.message).not.toContain('x-api-key');
  });

  it('tells a client to wait', () => {
    const error = new UpstreamError({ status: 429, message: 'org limit', kind: 'retry', retryAfterSeconds: 7 });
    const { headers, body } = writeAnthropicError(error, reader);
    expect(headers).toMatchObject({ 'retry-after': '7' });
    expect(body.error.message).not.toContain('org');
  });

  it('ends a stream', () => {
    expect(anthropicErrorEvent(new Error('secret'), reader)).toMatch(/^event: error\ndata: \{"type":"error".*\}\n\n$/);
    expect(anthropicErrorEvent(new Error('secret'), reader)).not.toContain('secret');
  });
});

describe('an error of Anthropic', () => {
  const kindOf = (status: number, error: object) => readAnthropicError(status, { type: 'error', error }, {}).kind;

  it.each([
    [400, { type: 'invalid_request_error', message: 'max_tokens: too large' }, 'client'],
    [400, { type: 'invalid_request_error', message: 'Your credit balance is too low to access' }, 'balance'],
    [400, { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' }, 'contextLength'],
    [400, { type: 'invalid_request_error', message: 'x', details: { error_code: 'organization_on_hold' } }, 'dead'],
    [401, { type: 'authentication_error', message: 'invalid x-api-key' }, 'dead'],
    [402, { type: 'billing_error', message: 'x' }, 'balance'],
    [403, { type: 'permission_error', message: 'x' }, 'dead'],
    [404, { type: 'not_found_error', message: 'model: x' }, 'retry'],
    [409, { type: 'conflict_error', message: 'x' }, 'retry'],
    [413, { type: 'request_too_large', message: 'x' }, 'client'],
    [429, { type: 'rate_limit_error', message: 'x' }, 'retry'],
    [
      429,
      { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
      'balance',
    ],
    [500, { type: 'api_error', message: 'x' }, 'retry'],
    [504, { type: 'timeout_error', message: 'x' }, 'retry'],
    [529, { type: 'overloaded_error', message: 'x' }, 'retry'],
  ])('%i %o is %s', (status, error, kind) => {
    expect(kindOf(status, error)).toBe(kind);
  });
});
