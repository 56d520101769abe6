import { describe, expect, it } from 'vitest';
import { adapterOf, type CallOptions, channelOf, hello, send } from '../call.ts';

const key = 'AKID|secret|us-east-1';
const body = { model: 'claude-3-5-haiku-20241022', max_tokens: 16, messages: hello };

function sendMessages(changes: Record<string, unknown> = {}, options: CallOptions = {}) {
  const channel = { key, ...options.channel };
  return send(33, { ...body, ...changes }, { protocol: 'anthropic-messages', ...options, channel });
}

describe('an AWS channel', () => {
  it('invokes the model that the address names, in the region of its key', () => {
    const { url, headers, body: sent } = sendMessages();
    expect(url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-5-haiku-20241022-v1%3A0/invoke',
    );
    expect(headers).toEqual({ 'content-type': 'application/json', accept: 'application/json' });
    expect(sent).toEqual({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 16, messages: hello });
  });

  it('asks for a stream by its address, not in the body', () => {
    const { url, headers, body: sent } = sendMessages({ stream: true });
    expect(url).toMatch(/-v1%3A0\/invoke-with-response-stream$/);
    expect(headers.accept).toBe('application/vnd.amazon.eventstream');
    expect(sent).not.toHaveProperty('stream');
  });

  it('signs with an access key, and sends an API key as it is', () => {
    const call = (channelKey: string) =>
      adapterOf(33).modelList?.(channelOf(33, { key: channelKey })) ?? { headers: {}, credential: undefined };
    expect(call(`${key}|token`).credential).toMatchObject({ kind: 'aws', accessKeyId: 'AKID', sessionToken: 'token' });
    expect(call(key).headers).not.toHaveProperty('authorization');
    expect(call('ABSK1|us-east-1').credential).toBeUndefined();
    expect(call('ABSK1|us-east-1').headers).toMatchObject({ authorization: 'Bearer ABSK1' });
  });

  it.each([
    ['cn-north-1', '', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/'],
    ['us-east-1', 'https://vpce-1.example/', 'https://vpce-1.example/model/'],
  ])('calls in %s with the base "%s" %s', (region, base_url, start) => {
    expect(sendMessages({}, { channel: { key: `a|b|${region}`, base_url } }).url).toContain(start);
  });

  it('puts an ARN into one segment of the address', () => {
    const model = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/a/../b';
    expect(sendMessages({}, { model }).url).toContain('/model/arn%3Aaws%3Abedrock');
    expect(sendMessages({}, { model }).url).toContain('profile%2Fa%2F..%2Fb/invoke');
    expect(() => sendMessages({}, { model: '..' })).toThrow('model');
  });

  it('takes the profile of the channel’s settings', () => {
    const withProfile = (inference_profile: unknown) =>
      sendMessages({}, { channel: { setting: { inference_profile } } }).url;
    expect(withProfile('global')).toContain('/model/global.anthropic.');
    expect(withProfile('')).toContain('/model/anthropic.');
    expect(withProfile('../x')).toContain('/model/us.anthropic.');
  });

  it('leaves out what Bedrock refuses', () => {
    const sent = sendMessages({ service_tier: 'auto', metadata: { user_id: 'u' }, top_k: 5 }).body;
    expect(Object.keys(sent).sort()).toEqual(['anthropic_version', 'max_tokens', 'messages', 'top_k']);
  });

  it('moves known betas from the header into the body, and no others', () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07, files-api-2025-04-14,interleaved-thinking-2025-05-14' };
    expect(sendMessages({}, { headers }).body.anthropic_beta).toEqual([
      'context-1m-2025-08-07',
      'interleaved-thinking-2025-05-14',
    ]);
    expect(sendMessages({ anthropic_beta: ['nonsense', 5] }).body).not.toHaveProperty('anthropic_beta');
    const own = { anthropic_betas: ['files-api-2025-04-14'] };
    expect(sendMessages({}, { headers, channel: { setting: own } }).body.anthropic_beta).toEqual([
      'files-api-2025-04-14',
    ]);
  });

  it('makes a model named -thinking think, under its real name', () => {
    const { url, body: sent } = sendMessages({ max_tokens: 2000 }, { model: 'claude-sonnet-4-5-20250929-thinking' });
    expect(url).toContain('/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke');
    expect(sent.thinking).toEqual({ type: 'enabled', budget_tokens: 1600 });
  });

  it('leaves a body alone that was written for it', () => {
    const options = { convertedFrom: 'openai-chat', model: 'claude-sonnet-4-5-20250929-thinking' } as const;
    const { url, body: sent } = sendMessages({ max_tokens: 2000 }, options);
    expect(url).toContain('/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke');
    expect(sent).not.toHaveProperty('thinking');
  });

  it('counts tokens of the call as it would be sent', () => {
    const counted = sendMessages({ stream: true }, { path: '/v1/messages/count_tokens' });
    expect(counted.url).toMatch(/\/model\/anthropic\.claude-3-5-haiku-20241022-v1%3A0\/count-tokens$/);
    const { input } = counted.body as unknown as { input: { invokeModel: { body: string } } };
    expect(JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString())).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 16,
      messages: hello,
    });
    expect(counted.readResponse?.({ inputTokens: 11 })).toEqual({ input_tokens: 11 });
    expect(() => counted.readResponse?.({})).toThrow('does not contain inputTokens');
  });

  it('leaves the count of a picture it would have to fetch to us', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://host.example/a.png' } };
    const messages = [{ role: 'user', content: [image] }];
    const path = '/v1/messages/count_tokens';
    expect(() => sendMessages({ messages }, { path })).toThrow('AWS Claude does not offer');
  });

  it('serves nothing but Messages', () => {
    const chat = { model: 'claude-3-haiku-20240307', messages: hello };
    expect(() => send(33, chat, { channel: { key } })).toThrow('AWS Claude does not offer /v1/chat/completions');
    expect([...adapterOf(33).protocols]).toEqual(['anthropic-messages']);
  });

  it('has pictures fetched, which Bedrock takes in the body alone', () => {
    expect(adapterOf(33).inlinesMedia?.('https://host.example/a.png')).toBe(true);
  });

  it('lists the models that can be called at once, under the names clients use', () => {
    const list = adapterOf(33).modelList?.(channelOf(33, { key }));
    expect(list?.url).toBe('https://bedrock.us-east-1.amazonaws.com/foundation-models?byProvider=anthropic');
    const response = {
      modelSummaries: [
        { modelId: 'anthropic.claude-sonnet-4-6', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
        { modelId: 'anthropic.claude-3-haiku-20240307-v1:0', inferenceTypesSupported: ['ON_DEMAND'] },
        { modelId: 'anthropic.claude-3-haiku-20240307-v1:0:48k', inferenceTypesSupported: ['PROVISIONED'] },
        { modelId: 5 },
        null,
      ],
    };
    expect(list?.read(response)).toEqual(['claude-3-haiku-20240307', 'claude-sonnet-4-6']);
    expect(list?.read('nothing')).toEqual([]);
  });
});

describe('a refusal of AWS', () => {
  const read = (status: number, type: string, message = 'x') =>
    adapterOf(33).readError(status, { message }, { 'x-amzn-errortype': type && `${type}:http://internal.amazon/` });

  it.each([
    [400, 'ValidationException', 'max_tokens: must be positive', 'client'],
    [400, 'ValidationException', "Invocation of model ID x with on-demand throughput isn't supported.", 'retry'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'retry'],
    [400, 'ValidationException', "The provided model doesn't support counting tokens.", 'retry'],
    [400, 'ValidationException', 'Input is too long for requested model.', 'contextLength'],
    [400, 'ValidationException', 'prompt is too long: 9 tokens > 8 maximum', 'contextLength'],
    [400, 'ValidationException', 'Operation not allowed', 'dead'],
    [400, 'ServiceQuotaExceededException', 'quota', 'retry'],
    [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.', 'dead'],
    [400, 'UnrecognizedClientException', 'x', 'dead'],
    [403, 'ExpiredTokenException', 'The security token included in the request is expired', 'dead'],
    [403, 'InvalidSignatureException', 'The request signature we calculated does not match', 'dead'],
    [403, 'InvalidSignatureException', 'Signature expired: 20260102T030405Z is now earlier than 2026', 'retry'],
    [403, 'AccessDeniedException', 'You don’t have access to the model with the specified model ID.', 'retry'],
    [403, 'AccessDeniedException', 'Your account is not authorized to invoke this API operation.', 'dead'],
    [403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.', 'dead'],
    [404, 'ResourceNotFoundException', 'This model version has reached the end of its life.', 'retry'],
    [408, 'ModelTimeoutException', 'x', 'retry'],
    [424, 'ModelErrorException', 'x', 'retry'],
    [429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'retry'],
    [429, 'ModelNotReadyException', 'x', 'retry'],
    [500, 'InternalServerException', 'x', 'retry'],
    [503, 'ServiceUnavailableException', 'x', 'retry'],
    [400, '', 'x', 'client'],
  ])('%i %s "%s" is %s (R: only a dead key disables a channel)', (status, type, message, kind) => {
    expect(read(status, type, message).kind).toBe(kind);
  });

  it('is read from every spelling, and never tells where it came from', () => {
    const error = adapterOf(33).readError(403, { Message: 'no', __type: 'com.amazon.coral#ExpiredTokenException' }, {});
    expect(error).toMatchObject({ kind: 'dead', message: 'no', type: undefined });
    expect(adapterOf(33).readError(502, '<html><title>Bad Gateway</title></html>', {}).message).toBe('Bad Gateway');
  });

  it('inside a stream is judged by Anthropic’s name for it', () => {
    const event = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } };
    const status = adapterOf(33).hiddenErrorStatus(event);
    expect(status).toBe(429);
    expect(adapterOf(33).readError(status ?? 0, event, {})).toMatchObject({ kind: 'retry', message: 'slow down' });
    expect(adapterOf(33).hiddenErrorStatus({ type: 'message', content: [] })).toBeUndefined();
  });
});
