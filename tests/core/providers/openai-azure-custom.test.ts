import { describe, expect, it } from 'vitest';
import { adapterOf, channelOf, hello, send } from './call.ts';

const chat = { model: 'gpt-4o', messages: hello };

describe('an OpenAI channel', () => {
  it('leaves the bytes alone when nothing differs', () => {
    const body = {
      ...chat,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      unknown: { a: 1 },
      messages: [{ role: 'developer', content: 'x' }],
    };
    expect(send(1, body).edits).toEqual([]);
    expect(send(1, { ...chat, max_completion_tokens: 5 }).edits).toEqual([]);
  });

  it.each([
    ['', 'https://api.openai.com/v1/chat/completions'],
    ['https://host.example', 'https://host.example/v1/chat/completions'],
    ['https://host.example/', 'https://host.example/v1/chat/completions'],
    ['https://host.example/v1', 'https://host.example/v1/chat/completions'],
    ['https://host.example/api/v3', 'https://host.example/api/v3/chat/completions'],
    ['https://host.example/v1beta/openai', 'https://host.example/v1beta/openai/chat/completions'],
    ['https://api.groq.com/openai', 'https://api.groq.com/openai/v1/chat/completions'],
    ['https://host.example/compatible-mode/v1', 'https://host.example/compatible-mode/v1/chat/completions'],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gate/openai',
      'https://gateway.ai.cloudflare.com/v1/acc/gate/openai/chat/completions',
    ],
  ])('with the base "%s" calls %s', (base_url, url) => {
    expect(send(1, chat, { channel: { base_url } }).url).toBe(url);
  });

  it('sends its key and organization', () => {
    expect(send(1, chat).headers).toEqual({ authorization: 'Bearer k1', 'content-type': 'application/json' });
    expect(send(1, chat, { channel: { openai_organization: 'org-1' } }).headers['openai-organization']).toBe('org-1');
  });

  it('leaves the content type of a form to the form writer', () => {
    const { headers, edits, url } = send(1, { file: 'f', model: 'whisper-1' }, { protocol: 'openai-transcription' });
    expect(headers).not.toHaveProperty('content-type');
    expect(edits).toEqual([]);
    expect(url).toBe('https://api.openai.com/v1/audio/transcriptions');
  });

  it('sends the mapped model, and the default one where the client named none', () => {
    expect(send(1, chat, { model: 'gpt-4o-2024-08-06' }).edits).toEqual([{ set: 'model', raw: '"gpt-4o-2024-08-06"' }]);
    expect(send(1, { input: 'a' }, { protocol: 'openai-moderation' }).body.model).toBe('omni-moderation-latest');
  });

  it('asks for usage the client did not ask for, unless the operator forbids it', () => {
    const streamed = { ...chat, stream: true };
    expect(send(1, streamed).body.stream_options).toEqual({ include_usage: true });
    const obfuscated = { ...streamed, stream_options: { include_obfuscation: false } };
    expect(send(1, obfuscated).body.stream_options).toEqual({ include_obfuscation: false, include_usage: true });
    expect(send(1, streamed, { forceStreamOption: false }).edits).toEqual([]);
    const reduced = { streamOptions: 'usage' } as const;
    expect(send(1, obfuscated, reduced).body.stream_options).toEqual({ include_usage: true });
    const silent = { ...reduced, forceStreamOption: false };
    expect(send(1, obfuscated, silent).body).not.toHaveProperty('stream_options');
    expect(send(1, { ...chat, stream_options: {} }).body).not.toHaveProperty('stream_options');
    expect(send(1, { model: 'gpt-image-1', prompt: 'a', stream: true }, { protocol: 'openai-image' }).edits).toEqual(
      [],
    );
  });

  it('applies what OpenAI’s reasoning models ask', () => {
    const { body } = send(1, { ...chat, model: 'o3-mini-high', max_tokens: 9, temperature: 0.5 });
    expect(body).toEqual({ model: 'o3-mini', messages: hello, max_completion_tokens: 9, reasoning_effort: 'high' });
    expect(send(1, { ...chat, model: 'gpt-5-mini', max_tokens: 9, temperature: 1 }).body).toEqual({
      model: 'gpt-5-mini',
      messages: hello,
      max_completion_tokens: 9,
      temperature: 1,
    });
  });

  it('reads models and balance', () => {
    const list = adapterOf(1).modelList?.(channelOf(1));
    expect(list).toMatchObject({ url: 'https://api.openai.com/v1/models', headers: { authorization: 'Bearer k1' } });
    expect(list?.read({ data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }, { id: 5 }, null] })).toEqual(['a', 'b']);
    const balance = adapterOf(1).balance?.(channelOf(1), '2026-05-20');
    expect(balance?.requests.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/dashboard/billing/subscription',
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-05-01&end_date=2026-05-20',
      'https://api.openai.com/v1/dashboard/billing/usage?start_date=2026-02-09&end_date=2026-05-20',
    ]);
    const responses = (paid: boolean) => [
      { hard_limit_usd: 120, has_payment_method: paid },
      { total_usage: 1000 },
      { total_usage: 3000 },
    ];
    expect(balance?.read(responses(true))).toBe(110);
    expect(balance?.read(responses(false))).toBe(90);
    expect(() => balance?.read([{}, {}, {}])).toThrow(/hard_limit_usd/);
  });
});

describe('an Azure channel', () => {
  const base_url = 'https://res.openai.azure.com';
  const azure = (body: Record<string, unknown>, options: Parameters<typeof send>[2] = {}) =>
    send(3, body, { ...options, channel: { base_url, ...options.channel } });

  it.each([
    [{}, '', `${base_url}/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview`],
    [
      { other: '2023-06-01-preview' },
      '',
      `${base_url}/openai/deployments/gpt-4o/chat/completions?api-version=2023-06-01-preview`,
    ],
    [
      { other: '2023-06-01-preview' },
      'api-version=2024-10-21&x=1',
      `${base_url}/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21`,
    ],
    [{ other: 'v1' }, '', `${base_url}/openai/v1/chat/completions`],
    [{ other: 'v1' }, 'api-version=preview', `${base_url}/openai/v1/chat/completions?api-version=preview`],
    // Neither form knows the other's versions.
    [{ other: 'v1' }, 'api-version=2024-10-21', `${base_url}/openai/v1/chat/completions`],
    [
      { other: '2024-10-21' },
      'api-version=v1',
      `${base_url}/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21`,
    ],
    [{ base_url: `${base_url}/openai/v1` }, '', `${base_url}/openai/v1/chat/completions`],
    [
      { base_url: 'https://gateway.ai.cloudflare.com/v1/acc/gate/azure-openai/res' },
      '',
      'https://gateway.ai.cloudflare.com/v1/acc/gate/azure-openai/res/gpt-4o/chat/completions?api-version=2024-12-01-preview',
    ],
  ])('%j, query "%s": %s', (channel, query, url) => {
    expect(azure(chat, { channel, query }).url).toBe(url);
  });

  it('takes dots out of deployment names in the dated form alone', () => {
    expect(azure({ ...chat, model: 'gpt-3.5-turbo' }).url).toContain('/deployments/gpt-35-turbo/');
    expect(azure({ ...chat, model: 'gpt-4.1' }, { channel: { other: 'v1' } })).toMatchObject({
      edits: [],
      body: { model: 'gpt-4.1' },
    });
  });

  it('never lets a name or a version out of its place in the URL', () => {
    expect(azure({ ...chat, model: 'a/../b?c#d' }).url).toContain('/deployments/a%2F%2Fb%3Fc%23d/');
    expect(() => azure({ ...chat, model: '...' })).toThrow(/model/);
    expect(() => azure(chat, { query: 'api-version=1%26x%3D2' })).toThrow(/api-version/);
  });

  it('sends resource keys and Entra tokens as each is read', () => {
    expect(azure(chat).headers).toEqual({ 'api-key': 'k1', 'content-type': 'application/json' });
    const key = 'eyJ0eXAi.eyJhdWQi.c2ln';
    expect(azure(chat, { channel: { key } }).headers).toEqual({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    });
  });

  it('leaves fields out that its version does not know', () => {
    const body = { ...chat, stream: true, stream_options: { include_usage: true }, max_completion_tokens: 5 };
    const { max_completion_tokens: limit, ...older } = body;
    expect(azure(body, { channel: { other: '2024-06-01' } }).body).toEqual({ ...older, max_tokens: limit });
    expect(azure(body, { channel: { other: '2024-09-01-preview' } }).edits).toEqual([]);
    expect(azure({ ...chat, stream: true }).body.stream_options).toEqual({ include_usage: true });
  });

  it('needs a base address and offers no moderation', () => {
    expect(() => azure(chat, { channel: { base_url: '' } })).toThrow(/base_url/);
    expect(() => azure({ input: 'a' }, { protocol: 'openai-moderation' })).toThrow(/does not offer/);
  });

  it.each([
    [401, { statusCode: 401, message: 'Access denied due to invalid subscription key' }, 'dead'],
    [404, { error: { code: 'DeploymentNotFound', message: 'x' } }, 'retry'],
    [404, { error: { code: '404', message: 'Resource not found' } }, 'retry'],
    [
      400,
      {
        error: {
          code: 'content_filter',
          message: 'x',
          status: 400,
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
      'policy',
    ],
    [400, { error: { code: 'OperationNotSupported', message: 'x' } }, 'retry'],
    [429, { error: { code: '429', message: 'S0 tier' } }, 'retry'],
    [424, '', 'retry'],
  ])('%d %j is %s', (status, body, kind) => {
    expect(adapterOf(3).readError(status, body, {}).kind).toBe(kind);
  });
});

describe('a custom channel', () => {
  const custom = (base_url: string, options: Parameters<typeof send>[2] = {}, body: Record<string, unknown> = chat) =>
    send(8, body, { ...options, channel: { base_url, ...options.channel } });

  it('calls exactly its address, with the mapped model in it', () => {
    const { url, body } = custom('http://127.0.0.1:9/api/{model}/invoke?v=1', { model: 'org/m-1' });
    expect(url).toBe('http://127.0.0.1:9/api/org%2Fm-1/invoke?v=1');
    expect(body).toEqual({ model: 'org/m-1', messages: hello });
    expect(custom('http://h/{model:raw}?m={model}', { model: '@cf/a:b $&' }).url).toBe(
      'http://h/@cf/a:b%20%24%26?m=%40cf%2Fa%3Ab%20%24%26',
    );
    expect(custom('http://h/fixed').url).toBe('http://h/fixed');
  });

  it('cannot be walked out of its path', () => {
    expect(() => custom('http://h/a/{model:raw}', { model: 'x/../../admin' })).toThrow(/model/);
    expect(() => custom('http://h/a/{model}', { model: '..' })).toThrow(/model/);
  });

  it('asks for usage unless its setting says otherwise', () => {
    const body = { ...chat, stream: true, stream_options: { include_usage: true } };
    expect(custom('http://h/x', {}, body).edits).toEqual([]);
    const without = { channel: { setting: { stream_options: false } } };
    expect(custom('http://h/x', without, body).body).not.toHaveProperty('stream_options');
    const kept = { channel: { setting: { stream_options: true } }, streamOptions: 'none' } as const;
    expect(custom('http://h/x', kept, body).edits).toEqual([]);
  });

  it('refuses a call that its address does not serve', () => {
    const embed = { model: 'm', input: 'a' };
    expect(() => custom('http://h/v1/chat/completions', { protocol: 'openai-embedding' }, embed)).toThrow(
      /chat\/completions/,
    );
    expect(custom('http://h/v1/embeddings', { protocol: 'openai-embedding' }, embed).url).toBe(
      'http://h/v1/embeddings',
    );
    expect(() => custom('http://h/v1/completions?a=1')).toThrow(/completions/);
  });

  it('asks models and balance at its origin', () => {
    const channel = channelOf(8, { base_url: 'https://h.example:8443/a/{model}?x=1' });
    expect(adapterOf(8).modelList?.(channel).url).toBe('https://h.example:8443/v1/models');
    expect(adapterOf(8).balance?.(channel, '2026-01-01').requests[0]?.url).toBe(
      'https://h.example:8443/v1/dashboard/billing/subscription',
    );
  });
});

describe('an error inside a response', () => {
  it.each([
    [{ error: { message: 'overloaded', type: 'server_error', code: 503 } }, 503],
    [{ error: { message: 'x', code: '429' } }, 429],
    [{ error: { message: 'x', type: 'invalid_request_error' } }, 400],
    [{ error: { message: 'bad key', code: 'invalid_api_key' } }, 401],
    [{ error: 'text' }, 503],
    [{ choices: [{ finish_reason: 'network_error' }] }, 503],
    [{ success: false, message: 'x' }, 503],
    [{ code: 514, statusText: 'unAuthApiKey', message: 'x', data: null }, 514],
    [{ choices: [{ message: { content: 'hi' } }], error: null }, undefined],
    [{ object: 'list', data: [], code: 5, message: 'x' }, undefined],
    [{ code: 200, message: 'OK' }, undefined],
    [{ text: 'hello' }, undefined],
    ['text', undefined],
    [null, undefined],
  ])('%j stands for %s', (body, status) => {
    expect(adapterOf(1).hiddenErrorStatus(body)).toBe(status);
  });
});
