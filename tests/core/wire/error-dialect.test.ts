import { describe, expect, it } from 'vitest';
import { AppError } from '../../../core/errors/app-error.ts';
import { dialectOf, errorDialects } from '../../../core/wire/error-dialect.ts';

const reader = { requestId: 'r1', language: 'en' } as const;
const version = { 'anthropic-version': '2023-06-01' };

describe('the dialect of a caller', () => {
  it.each([
    ['/v1/chat/completions', {}, 'openai'],
    ['/v1/chat/completions', { 'x-api-key': 'k' }, 'openai'],
    ['/v1/responses/resp_1', { authorization: 'Bearer k' }, 'openai'],
    ['/v1beta/openai/chat/completions', {}, 'openai'],
    ['/v1/models', { authorization: 'Bearer k' }, 'openai'],
    ['/v1/messages', { authorization: 'Bearer k' }, 'anthropic'],
    ['/v1/messages/count_tokens', {}, 'anthropic'],
    ['/v1/models', version, 'anthropic'],
    ['/v1/models/claude-x', { 'x-api-key': 'k' }, 'anthropic'],
    ['/v1/files', { ...version, 'x-goog-api-key': 'k' }, 'anthropic'],
    ['/v1/messagesque', {}, 'openai'],
    ['/v1/models', { 'x-goog-api-key': 'k' }, 'gemini'],
    ['/v1beta/models', {}, 'gemini'],
    ['/v1beta/models/gemini-x:generateContent', { 'x-api-key': 'k' }, 'gemini'],
    ['/v1/models/gemini-x:generateContent', {}, 'gemini'],
    ['/v1/models/some/model:generateContent', {}, 'gemini'],
    ['/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:countTokens', {}, 'gemini'],
    ['/upload/v1beta/files', {}, 'gemini'],
    ['/v2/rerank', {}, 'cohere'],
    ['/v1/rerank', { 'x-fern-sdk-name': 'cohere-ai' }, 'cohere'],
    ['/v1/rerank', {}, 'openai'],
    ['/rerank', {}, 'openai'],
  ])('%s with %o is %s', (path, headers, dialect) => {
    expect(dialectOf(path, headers)).toBe(dialect);
  });

  it('is Gemini where the key is in the query of a model path', () => {
    expect(dialectOf('/v1/models', {}, new URLSearchParams('key=k'))).toBe('gemini');
    expect(dialectOf('/v1/chat/completions', {}, new URLSearchParams('key=k'))).toBe('openai');
  });
});

describe('an error', () => {
  it.each([
    ['openai', { error: { code: 'invalid_api_key', type: 'new_api_error' } }],
    ['anthropic', { type: 'error', error: { type: 'authentication_error' } }],
    ['gemini', { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['cohere', { id: 'r1' }],
  ] as const)('keeps its status and its words in the dialect %s', (name, shape) => {
    const error = new AppError('token.missing');
    const { status, body } = errorDialects[name].write(error, reader);
    expect(status).toBe(401);
    expect(body).toMatchObject(shape);
    expect(JSON.stringify(body)).toContain(JSON.stringify(error.text('en')).slice(1, -1));
    expect(errorDialects[name].event(error, reader)).toContain(JSON.stringify(body));
  });
});
