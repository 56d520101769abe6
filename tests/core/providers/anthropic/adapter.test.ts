import { describe, expect, it } from 'vitest';
import { defaultModelSettings } from '../../../../core/providers/model-setting.ts';
import { adapterOf, type CallOptions, channelOf, hello, send } from '../call.ts';

const sonnet = 'claude-sonnet-4-5-20250929';
const chat = { model: sonnet, max_tokens: 4000, messages: hello };
const anthropic = (body: Record<string, unknown> = chat, options: CallOptions = {}) =>
  send(14, body, { protocol: 'anthropic-messages', ...options });
const settings = (changes: Partial<typeof defaultModelSettings>) => ({ ...defaultModelSettings, ...changes });

describe('an Anthropic channel', () => {
  it.each([
    ['', 'https://api.anthropic.com/v1/messages'],
    ['https://host.example/', 'https://host.example/v1/messages'],
    ['https://host.example/v1', 'https://host.example/v1/messages'],
    ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages'],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gate/anthropic',
      'https://gateway.ai.cloudflare.com/v1/acc/gate/anthropic/v1/messages',
    ],
  ])('with the base "%s" calls %s', (base_url, url) => {
    expect(anthropic(chat, { channel: { base_url } }).url).toBe(url);
  });

  it('passes a call through byte for byte, its sampling included, and sends the mapped model', () => {
    const body = { ...chat, model: 'claude-opus-4-7', temperature: 0.5, top_k: 3, unknown: { a: 1 }, stream: true };
    expect(anthropic(body).edits).toEqual([]);
    expect(anthropic(chat, { model: 'claude-opus-4-1' }).edits).toEqual([{ set: 'model', raw: '"claude-opus-4-1"' }]);
  });

  it.each([
    ...['claude-instant-1.2', 'claude-v2', 'claude-2.1', 'claude-3-opus-20240229', 'claude-3-7-sonnet-latest'],
    ...['claude-opus-4-20250514', 'claude-sonnet-4-5-20250929', 'claude-haiku-4-5', 'claude-opus-4@20250514'],
    ...['anthropic.claude-3-5-sonnet-20241022-v2:0', 'us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-opus-4.5'],
  ])('goes on with a turn that has begun with %s', (model) => {
    expect(adapterOf(14).continuesTurn?.(model, 'anthropic-messages', channelOf(14))).toEqual({});
  });

  it.each(['claude-opus-4-6', 'claude-sonnet-4-6-20260201', 'claude-opus-4-7', 'claude-haiku-5', 'claude-next', 'm'])(
    'does not with %s',
    (model) => {
      expect(adapterOf(14).continuesTurn?.(model, 'anthropic-messages', channelOf(14))).toBeUndefined();
    },
  );

  it('sends API keys and OAuth tokens as each is read', () => {
    expect(anthropic().headers).toEqual({
      'x-api-key': 'k1',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    });
    const { headers } = anthropic(chat, { channel: { key: 'sk-ant-oat01-abc' } });
    expect(headers).toMatchObject({ authorization: 'Bearer sk-ant-oat01-abc' });
    expect(headers).not.toHaveProperty('x-api-key');
  });

  it('forwards the version and the betas of a client of its own protocol, but not of another one', () => {
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m-2025-08-07, a' };
    expect(anthropic(chat, { headers }).headers).toMatchObject({
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'context-1m-2025-08-07,a',
    });
    const rewritten = anthropic(chat, { headers, convertedFrom: 'anthropic-messages' }).headers;
    expect(rewritten['anthropic-beta']).toBe('context-1m-2025-08-07,a');
    const converted = anthropic(chat, { headers, convertedFrom: 'openai-chat' }).headers;
    expect(converted['anthropic-version']).toBe('2023-06-01');
    expect(converted).not.toHaveProperty('anthropic-beta');
  });

  it('S: a header of the client never breaks out of its place', () => {
    const headers = { 'anthropic-version': '2023-06-01\r\nx-evil: 1', 'anthropic-beta': 'good,b\r\nx: y' };
    expect(anthropic(chat, { headers }).headers).toMatchObject({
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'good',
    });
  });

  it('adds the betas that fields of the body need', () => {
    const body = { ...chat, context_management: {}, mcp_servers: [], speed: 'fast' };
    const headers = { 'anthropic-beta': 'mcp-client-2025-11-20' };
    expect(anthropic(body, { headers }).headers['anthropic-beta']).toBe(
      'mcp-client-2025-11-20,context-management-2025-06-27,fast-mode-2026-02-01',
    );
    expect(anthropic({ ...chat, speed: 'standard' }).headers).not.toHaveProperty('anthropic-beta');
  });

  it('adds the headers an operator set for the model, but never another key', () => {
    const changed = settings({
      'claude.model_headers_settings': {
        [sonnet]: { 'Anthropic-Beta': ['output-128k-2025-02-19'], 'X-Api-Key': ['other'], 'x-team': ['a', 'b'] },
      },
    });
    const { headers } = anthropic(chat, { settings: changed, headers: { 'anthropic-beta': 'a' } });
    expect(headers).toMatchObject({
      'anthropic-beta': 'a,output-128k-2025-02-19',
      'x-api-key': 'k1',
      'x-team': 'a,b',
    });
    expect(anthropic({ ...chat, model: 'claude-opus-4-1' }, { settings: changed }).headers).not.toHaveProperty(
      'x-team',
    );
  });

  it('counts tokens without fields that only responses need', () => {
    const counted = anthropic({ ...chat, model: `${sonnet}-thinking` }, { path: '/v1/messages/count_tokens' });
    expect(counted.url).toBe('https://api.anthropic.com/v1/messages/count_tokens');
    expect(counted.edits).toEqual([{ set: 'model', raw: JSON.stringify(sonnet) }]);
  });

  it('offers Messages alone, whatever a call was converted from', () => {
    expect(() => send(14, { model: 'm', input: 'a' }, { protocol: 'openai-embedding' })).toThrow(/does not offer/);
    expect(adapterOf(14).balance).toBeUndefined();
  });

  it('reads all of its models at once', () => {
    const list = adapterOf(14).modelList?.(channelOf(14));
    expect(list).toMatchObject({
      url: 'https://api.anthropic.com/v1/models?limit=1000',
      headers: { 'x-api-key': 'k1', 'anthropic-version': '2023-06-01' },
    });
    const body = { data: [{ type: 'model', id: 'claude-b', display_name: 'B' }, { id: 'claude-a' }], has_more: false };
    expect(list?.read(body)).toEqual(['claude-a', 'claude-b']);
  });
});

describe('a model named ...-thinking', () => {
  const thinking = (changes: Record<string, unknown> = {}, options: CallOptions = {}) =>
    anthropic({ ...chat, model: `${sonnet}-thinking`, ...changes }, options).body;

  it('is the model without the ending, told to think with most of its output', () => {
    expect(thinking({ temperature: 0.3, top_p: 0.5, top_k: 2 })).toEqual({
      ...chat,
      thinking: { type: 'enabled', budget_tokens: 3200 },
    });
  });

  it('gets room to think in', () => {
    expect(thinking({ max_tokens: 100 })).toMatchObject({ max_tokens: 1280, thinking: { budget_tokens: 1024 } });
    expect(thinking({ max_tokens: 0 })).toMatchObject({ max_tokens: 8192, thinking: { budget_tokens: 6553 } });
  });

  it('decides by itself where models of its generation do', () => {
    const { model, thinking: asked } = thinking({ model: 'claude-opus-5-thinking' });
    expect({ model, asked }).toEqual({ model: 'claude-opus-5', asked: { type: 'adaptive', display: 'summarized' } });
  });

  it('thinks as the client says, where it says something', () => {
    const own = { type: 'enabled', budget_tokens: 2000 };
    expect(thinking({ thinking: own, temperature: 1 })).toEqual({ ...chat, thinking: own, temperature: 1 });
  });

  it('does not think where Anthropic would refuse the call for it', () => {
    expect(thinking({ tool_choice: { type: 'any' } })).not.toHaveProperty('thinking');
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] };
    const afterTool = (...content: object[]) => ({ messages: [...hello, { role: 'assistant', content }, result] });
    expect(thinking(afterTool(call))).not.toHaveProperty('thinking');
    const signed = { type: 'thinking', thinking: 'a', signature: 's' };
    expect(thinking(afterTool(signed, call))).toHaveProperty('thinking');
  });

  it('is an ordinary name when the operator says so, and thinks with the share that is set', () => {
    const off = settings({ 'claude.thinking_adapter_enabled': false });
    expect(thinking({}, { settings: off })).toEqual({ ...chat, model: `${sonnet}-thinking` });
    const half = settings({ 'claude.thinking_adapter_budget_tokens_percentage': 0.5 });
    expect(thinking({}, { settings: half })).toMatchObject({ thinking: { budget_tokens: 2000 } });
  });

  it('is left to the conversion, which has read it already', () => {
    const body = { ...chat, max_tokens: 5 };
    expect(anthropic(body, { model: `${sonnet}-thinking`, convertedFrom: 'openai-chat' }).edits).toEqual([]);
  });
});

describe('the output of a converted call without a bound', () => {
  const bound = (model: string, maximum: Record<string, number>) =>
    adapterOf(14).writeContext?.(model, channelOf(14), settings({ 'claude.default_max_tokens': maximum }));

  it('is what the operator set for the model, or for all', () => {
    const maximum = { default: 9000, 'claude-3-haiku': 4096 };
    expect(bound(sonnet, maximum)).toEqual({ defaultMaxOutput: 9000, thinkingShare: 0.8 });
    expect(bound('claude-3-haiku', maximum)).toMatchObject({ defaultMaxOutput: 4096 });
    expect(bound('claude-3-haiku-thinking', maximum)).toMatchObject({ defaultMaxOutput: 4096 });
    expect(bound(sonnet, {})).toMatchObject({ defaultMaxOutput: 8192 });
    expect(adapterOf(14).writeContext?.(sonnet, channelOf(14))).toMatchObject({ defaultMaxOutput: 8192 });
  });
});

describe('an error of Anthropic', () => {
  const read = (status: number, error: object, headers = {}) =>
    adapterOf(14).readError(status, { type: 'error', error, request_id: 'r' }, headers, { now: 0 });

  it.each([
    [400, { type: 'invalid_request_error', message: 'max_tokens: Field required' }, 'client'],
    [
      400,
      { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      'contextLength',
    ],
    [
      400,
      { type: 'invalid_request_error', message: 'input length and `max_tokens` exceed context limit: 190000 + 20000' },
      'contextLength',
    ],
    [
      400,
      { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
      'balance',
    ],
    [400, { type: 'invalid_request_error', message: 'x', details: { error_code: 'organization_on_hold' } }, 'dead'],
    [401, { type: 'authentication_error', message: 'invalid x-api-key' }, 'dead'],
    [402, { type: 'billing_error', message: 'x' }, 'balance'],
    [403, { type: 'permission_error', message: 'x' }, 'dead'],
    [404, { type: 'not_found_error', message: 'model: claude-9' }, 'retry'],
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
    [529, { type: 'overloaded_error', message: 'Overloaded' }, 'retry'],
  ])('%d %j is %s', (status, error, kind) => {
    expect(read(status, error)).toMatchObject({ status, kind });
  });

  it('cannot be made to look like one of the account by a caller’s own words', () => {
    const message =
      "messages.0.content.0: Input tag 'your credit balance is too low' found using 'type' does not match";
    expect(read(400, { type: 'invalid_request_error', message }).kind).toBe('client');
  });

  it('says how long to wait, by Retry-After or by the limit that is used up', () => {
    const error = { type: 'rate_limit_error', message: 'x' };
    expect(read(429, error, { 'retry-after': '7' }).retryAfterSeconds).toBe(7);
    const headers = {
      'anthropic-ratelimit-requests-remaining': '5',
      'anthropic-ratelimit-requests-reset': '1970-01-01T00:10:00Z',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '1970-01-01T00:00:42Z',
    };
    expect(read(429, error, headers).retryAfterSeconds).toBe(42);
    expect(read(429, error).retryAfterSeconds).toBeUndefined();
  });

  it.each([
    [{ type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 529],
    [{ type: 'error', error: { type: 'new_kind_of_error', message: 'x' } }, 500],
    [{ error: { type: 'rate_limit_error', message: 'x' } }, 429],
    [{ error: { message: 'a reseller’s own', code: 503 } }, 503],
    [{ type: 'message', content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' }, undefined],
    [{ type: 'message_delta', delta: { stop_reason: 'refusal' } }, undefined],
    [{ input_tokens: 5 }, undefined],
  ])('inside a response, %j stands for %s', (body, status) => {
    expect(adapterOf(14).hiddenErrorStatus(body)).toBe(status);
  });
});
