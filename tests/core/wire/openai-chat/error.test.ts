import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { UpstreamError } from '../../../../core/errors/upstream-error.ts';
import { streamErrorEvent, writeOpenAiError } from '../../../../core/wire/openai-chat/error.ts';

const reader = { requestId: 'r1', language: 'en' } as const;

describe('an error in the OpenAI shape', () => {
  it('names our own errors, their field and the request', () => {
    const error = new AppError('request.notInteger', { field: 'n', minimum: 1, maximum: 10 }, { param: 'n' });
    expect(writeOpenAiError(error, reader)).toEqual({
      status: 400,
      headers: {},
      body: {
        error: {
          message: 'n must be a whole number from 1 to 10. (request id: r1)',
          type: 'new_api_error',
          param: 'n',
          code: 'invalid_request',
        },
      },
    });
  });

  it('is Chinese for who reads Chinese', () => {
    const { body } = writeOpenAiError(new AppError('request.fieldMissing', { field: 'model' }), {
      ...reader,
      language: 'zh',
    });
    expect(body.error.message).toBe('缺少必填字段 model。 (request id: r1)');
  });

  it('passes on what the upstream said', () => {
    const error = new UpstreamError({
      status: 400,
      message: 'too long',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: null,
      kind: 'contextLength',
    });
    expect(writeOpenAiError(error, reader).body.error).toEqual({
      message: 'too long (request id: r1)',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: null,
    });
  });

  it('says so when the upstream had no error object', () => {
    const error = new UpstreamError({ status: 502, message: 'Bad Gateway', kind: 'retry' });
    expect(writeOpenAiError(error, reader)).toMatchObject({
      status: 502,
      body: { error: { type: 'upstream_error', code: 'bad_response_status_code', param: '502' } },
    });
  });

  it('tells a client to wait without telling whose quota it was', () => {
    const error = new UpstreamError({
      status: 429,
      message: 'org-77 exceeded',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      kind: 'balance',
      retryAfterSeconds: 7,
    });
    const written = writeOpenAiError(error, reader);
    expect(written).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(JSON.stringify(written.body)).not.toMatch(/org-77|insufficient/);
    expect(written.body.error.message).toMatch(/saturated/);
  });

  it('hides unexpected errors', () => {
    const written = writeOpenAiError(new TypeError('secret path /x'), reader);
    expect(written).toMatchObject({ status: 500, body: { error: { type: 'new_api_error', code: 'internal_error' } } });
    expect(JSON.stringify(written)).not.toContain('secret');
  });

  it('ends a broken stream as one event of valid JSON', () => {
    const error = new UpstreamError({ status: 502, message: 'line\nbreak\u2028', kind: 'retry' });
    const event = streamErrorEvent(error, reader);
    expect(event).toMatch(/^data: [^\n]*\n\n$/);
    expect(JSON.parse(event.slice(6))).toMatchObject({ error: { type: 'upstream_error' } });
  });
});
