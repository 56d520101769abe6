import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { UpstreamError } from '../../../../core/errors/upstream-error.ts';
import { geminiErrorEvent, writeGeminiError } from '../../../../core/wire/gemini/error.ts';

const reader = { requestId: 'r1', language: 'en' } as const;
const requestInfo = { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r1' };

describe('an error in the Gemini shape', () => {
  it('names our own errors and the request', () => {
    const { status, headers, body } = writeGeminiError(new AppError('token.twoKeys'), reader);
    expect({ status, headers }).toEqual({ status: new AppError('token.twoKeys').status, headers: {} });
    expect(body.error).toMatchObject({ code: status, message: new AppError('token.twoKeys').text('en') });
    expect(body.error.details).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_API_KEY' },
      requestInfo,
    ]);
  });

  it.each([
    [400, 'INVALID_ARGUMENT'],
    [404, 'NOT_FOUND'],
    [409, 'ABORTED'],
    [413, 'INVALID_ARGUMENT'],
    [422, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [501, 'UNIMPLEMENTED'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [507, 'INTERNAL'],
    [529, 'UNAVAILABLE'],
  ])('status %i is %s', (code, status) => {
    const error = new UpstreamError({ status: code, message: 'x', kind: 'retry' });
    expect(writeGeminiError(error, reader)).toMatchObject({ status: code, body: { error: { code, status } } });
  });

  it.each([
    ['token.twoKeys', 401, 'UNAUTHENTICATED'],
    ['relay.quotaUsedUp', 403, 'PERMISSION_DENIED'],
  ] as const)('%s is %i, %s', (name, code, status) => {
    expect(writeGeminiError(new AppError(name), reader)).toMatchObject({
      status: code,
      body: { error: { code, status } },
    });
  });

  it('tells a client to wait, and not whose limit it was', () => {
    const error = new UpstreamError({ status: 429, message: 'org limit', kind: 'retry', retryAfterSeconds: 7 });
    const { headers, body } = writeGeminiError(error, reader);
    expect(headers).toEqual({ 'retry-after': '7' });
    expect(body.error.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: '7s',
    });
    expect(JSON.stringify(body)).not.toContain('org');
  });

  it('ends a stream, and tells nothing of an unexpected error', () => {
    const event = geminiErrorEvent(new Error('secret'), reader);
    expect(event).toMatch(/^data: \{"error":\{"code":500.*\}\n\n$/);
    expect(event).not.toContain('secret');
  });
});
