import { describe, expect, it } from 'vitest';
import type { ProtocolName } from '../../../core/canonical/request.ts';
import type { ChannelTarget } from '../../../core/providers/adapter.ts';
import { adapterFor } from '../../../core/providers/registry.ts';
import { zhipuToken } from '../../../core/providers/zhipu/token.ts';
import { adapterOf, channelOf, hello, send } from './call.ts';

const chat = { model: 'm1', messages: hello };
const embed = { model: 'm1', input: 'a' };
const streamed = { ...chat, stream: true, stream_options: { include_usage: true } };

describe('the address a channel type calls', () => {
  const urls: [number, Partial<ChannelTarget>, string][] = [
    [4, {}, 'http://localhost:11434/v1/chat/completions'],
    [6, {}, 'https://api.openaimax.com/v1/chat/completions'],
    [7, {}, 'https://api.ohmygpt.com/v1/chat/completions'],
    [9, {}, 'https://api.caipacity.com/v1/chat/completions'],
    [10, {}, 'https://api.aiproxy.io/v1/chat/completions'],
    [12, {}, 'https://api.api2gpt.com/v1/chat/completions'],
    [13, {}, 'https://api.aigc2d.com/v1/chat/completions'],
    [17, {}, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [17, { base_url: 'https://d.example/compatible-mode/v1' }, 'https://d.example/compatible-mode/v1/chat/completions'],
    [19, {}, 'https://api.360.cn/v1/chat/completions'],
    [20, {}, 'https://openrouter.ai/api/v1/chat/completions'],
    [25, {}, 'https://api.moonshot.cn/v1/chat/completions'],
    [26, {}, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [26, { base_url: 'https://api.z.ai/api/coding/paas/v4' }, 'https://api.z.ai/api/coding/paas/v4/chat/completions'],
    [27, {}, 'https://api.perplexity.ai/chat/completions'],
    [31, {}, 'https://api.lingyiwanwu.com/v1/chat/completions'],
    [35, {}, 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    [39, { other: 'acc1' }, 'https://api.cloudflare.com/client/v4/accounts/acc1/ai/v1/chat/completions'],
    [
      39,
      { base_url: 'https://gateway.ai.cloudflare.com/v1/acc/gate/workers-ai' },
      'https://gateway.ai.cloudflare.com/v1/acc/gate/workers-ai/v1/chat/completions',
    ],
    [40, {}, 'https://api.siliconflow.cn/v1/chat/completions'],
    [42, {}, 'https://api.mistral.ai/v1/chat/completions'],
    [43, {}, 'https://api.deepseek.com/v1/chat/completions'],
    [45, {}, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [46, {}, 'https://qianfan.baidubce.com/v2/chat/completions'],
    [46, { base_url: 'https://q.example/v2' }, 'https://q.example/v2/chat/completions'],
    [47, { base_url: 'http://10.0.0.9:9997' }, 'http://10.0.0.9:9997/v1/chat/completions'],
    [48, {}, 'https://api.x.ai/v1/chat/completions'],
  ];
  it.each(urls)('for a chat, type %d %j: %s', (type, channel, url) => {
    expect(send(type, chat, { channel }).url).toBe(url);
  });

  it.each([
    [17, 'https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings'],
    [26, 'https://open.bigmodel.cn/api/paas/v4/embeddings'],
    [44, 'https://api.moka.ai/v1/embeddings'],
    [45, 'https://ark.cn-beijing.volces.com/api/v3/embeddings'],
  ])('for an embedding, type %d: %s', (type, url) => {
    expect(send(type, embed, { protocol: 'openai-embedding' }).url).toBe(url);
  });

  it('is another one for Doubao’s bots and DeepSeek’s completions', () => {
    expect(send(45, { ...chat, model: 'bot-1' }).url).toBe(
      'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions',
    );
    expect(send(43, { model: 'm', prompt: 'a' }, { protocol: 'openai-completion' }).url).toBe(
      'https://api.deepseek.com/beta/completions',
    );
    const begun = [...hello, { role: 'assistant', content: 'So', prefix: true }];
    expect(send(43, { model: 'deepseek-chat', messages: begun }).url).toBe(
      'https://api.deepseek.com/beta/chat/completions',
    );
  });

  it.each([
    [43, 'deepseek-chat', '', { mark: 'prefix' }],
    [43, 'deepseek-chat', 'https://reseller.example', undefined],
    [43, 'deepseek-reasoner', '', undefined],
    [25, 'moonshot-v1-8k', 'https://reseller.example', { mark: 'partial' }],
    [25, 'kimi-k2-thinking', '', undefined],
    [1, 'gpt-4o', '', undefined],
  ])('type %d, model %s at "%s" goes on with a turn that has begun: %o', (type, model, base_url, contract) => {
    const channel = channelOf(type, { base_url });
    expect(adapterOf(type).continuesTurn?.(model, 'openai-chat', channel)).toEqual(contract);
  });

  it('needs what the operator alone knows', () => {
    expect(() => send(47, chat)).toThrow(/base_url/);
    expect(() => send(39, chat)).toThrow(/other/);
    expect(send(39, chat, { channel: { other: 'a/../b' } }).url).toContain('/accounts/a%2F..%2Fb/ai/');
  });
});

describe('what a channel type offers', () => {
  const offered: [number, ProtocolName[]][] = [
    [27, ['openai-chat']],
    [35, ['openai-chat', 'openai-image', 'openai-speech']],
    [44, ['openai-embedding']],
    [48, ['openai-chat', 'openai-image']],
    [
      39,
      [
        'openai-chat',
        'openai-responses',
        'openai-embedding',
        'openai-completion',
        'openai-image',
        'openai-transcription',
      ],
    ],
  ];
  it.each(offered)('type %d: %j', (type, names) => {
    expect([...adapterOf(type).protocols]).toEqual(names);
  });

  it('is reported without a call', () => {
    expect(() => send(44, chat)).toThrow(/MokaAI M3E does not offer \/v1\/chat\/completions/);
  });

  it('is unknown for types that no adapter serves', () => {
    for (const type of [0, 2, 5, 28, 999]) expect(adapterFor(type)).toBeUndefined();
  });
});

describe('the body a channel type gets', () => {
  const chatTypes = [1, 4, 6, 7, 9, 10, 12, 13, 17, 19, 20, 25, 26, 27, 31, 35, 39, 40, 42, 43, 45, 46, 48];
  it.each(chatTypes)('type %d: usage asked for, unless its upstream refused that', (type) => {
    const channel = { other: 'a' };
    for (const body of [streamed, { ...chat, stream: true }]) {
      expect(send(type, body, { channel }).body.stream_options).toEqual({ include_usage: true });
      expect(send(type, body, { channel, streamOptions: 'none' }).body).not.toHaveProperty('stream_options');
    }
  });

  it.each([4, 17, 19, 25, 26, 27, 31, 35, 40, 42, 43, 45, 46])('type %d: the older names of limit and role', (type) => {
    const { body } = send(type, {
      model: 'm',
      max_completion_tokens: 5,
      messages: [{ role: 'developer', content: 'x' }, ...hello],
    });
    expect(body).toEqual({ model: 'm', max_tokens: 5, messages: [{ role: 'system', content: 'x' }, ...hello] });
  });

  it.each([6, 19, 20, 31, 40, 46])('type %d: untouched when nothing differs', (type) => {
    expect(send(type, { ...chat, max_tokens: 5, temperature: 0.3, tools: [], custom_field: 1 }).edits).toEqual([]);
  });

  it('is left alone inside when it was too large to be parsed', () => {
    const body = { model: 'm', max_completion_tokens: 5, messages: [{ role: 'developer', content: 'x' }] };
    expect(send(31, body, { isUnparsed: true }).body.messages).toEqual(body.messages);
  });

  it('drops hints that a vendor does not know, and refuses what would change the response', () => {
    const hinted = { ...chat, store: true, service_tier: 'flex', seed: 1, user: 'u' };
    expect(send(43, hinted).body).toEqual(chat);
    expect(send(45, hinted).body).toEqual({ ...chat, service_tier: 'flex', seed: 1, user: 'u' });
    expect(() => send(43, { ...chat, n: 2 })).toThrow(/DeepSeek does not offer n/);
    expect(send(43, { ...chat, n: 1 }).edits).toEqual([]);
    expect(() => send(39, { ...chat, logprobs: true }, { channel: { other: 'a' } })).toThrow(/logprobs/);
    expect(send(26, { ...chat, logprobs: false, n: null }).edits).toEqual([]);
  });

  it('Qwen: sampling within its range, search by suffix, plugin by header', () => {
    expect(send(17, { ...chat, model: 'qwen-plus-internet', top_p: 1, temperature: 2 }).body).toEqual({
      model: 'qwen-plus',
      messages: hello,
      top_p: 0.999,
      temperature: 1.99,
      enable_search: true,
    });
    expect(send(17, { ...chat, top_p: 0 }).body).toEqual(chat);
    expect(send(17, chat, { channel: { other: '{"a":{}}' } }).headers['x-dashscope-plugin']).toBe('{"a":{}}');
  });

  it('Moonshot: temperature up to one for its first models', () => {
    expect(
      send(25, { ...chat, model: 'moonshot-v1-8k', temperature: 1.5, tool_choice: 'required' }).body,
    ).toMatchObject({ temperature: 1, tool_choice: 'auto' });
    expect(send(25, { ...chat, model: 'kimi-k2', temperature: 1.5 }).edits).toEqual([]);
  });

  it('Zhipu: ranges, stop as a list, user id, bare pictures for the first vision models', () => {
    const picture = (url: string) => [
      { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] },
    ];
    expect(
      send(26, { ...chat, temperature: 2, top_p: 1, stop: 'x', user: 'user-1', tool_choice: 'required' }).body,
    ).toEqual({ ...chat, temperature: 1, top_p: 0.99, stop: ['x'], user_id: 'user-1', tool_choice: 'auto' });
    expect(send(26, { ...chat, user: 'u' }).body).toEqual(chat);
    expect(send(26, { model: 'glm-4v', messages: picture('data:image/png;base64,AAAA') }).body.messages).toEqual(
      picture('AAAA'),
    );
    expect(send(26, { model: 'glm-4v', messages: picture('https://a.example/b') }).edits).toEqual([]);
    expect(send(26, { model: 'glm-4.5v', messages: picture('data:image/png;base64,AAAA') }).edits).toEqual([]);
  });

  it('MiniMax: no zero temperature', () => {
    expect(send(35, { ...chat, temperature: 0, top_p: 0 }).body).toEqual({ ...chat, temperature: 0.01, top_p: 0.01 });
  });

  it('Cloudflare: always a token limit, because its own is small', () => {
    const channel = { other: 'a' };
    expect(send(39, chat, { channel }).body).toEqual({ ...chat, max_tokens: 2048 });
    expect(send(39, { ...chat, max_tokens: 9 }, { channel }).edits).toEqual([]);
    expect(send(39, { ...chat, max_completion_tokens: 9 }, { channel }).body).toEqual({ ...chat, max_tokens: 9 });
    expect(send(39, embed, { protocol: 'openai-embedding', channel }).edits).toEqual([]);
  });

  it('DeepSeek: a schema among the instructions, thinking switched off by effort none', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body } = send(43, {
      ...chat,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      reasoning_effort: 'none',
    });
    expect(body).toMatchObject({ response_format: { type: 'json_object' }, thinking: { type: 'disabled' } });
    expect(body).not.toHaveProperty('reasoning_effort');
    expect(body.messages).toEqual([
      { role: 'system', content: expect.stringContaining(JSON.stringify(schema)) },
      ...hello,
    ]);
  });

  it('names what a rule of the vendor takes out, but not what goes out under another name', () => {
    const asked = { ...chat, model: 'grok-3-mini', max_tokens: 9, stop: ['x'], seed: 1, user: null };
    expect(send(48, asked).losses).toEqual([{ field: 'stop', kind: 'dropped' }]);
    expect(send(48, asked).body).toMatchObject({ max_completion_tokens: 9, seed: 1 });
    expect(send(42, { ...chat, seed: 1, top_k: 5 }).losses).toEqual([{ field: 'top_k', kind: 'dropped' }]);
  });

  it('Perplexity: turns of one role in a row become one', () => {
    const turn = (role: string, content: unknown) => ({ role, content });
    const picture = [{ type: 'text', text: 'see' }];
    const messages = [turn('system', 's'), turn('user', 'a'), turn('user', 'b'), turn('user', picture)];
    expect(send(27, { ...chat, messages }).body.messages).toEqual([
      turn('system', 's'),
      turn('user', 'a\n\nb'),
      turn('user', picture),
    ]);
  });

  it('xAI: effort by suffix, the newer limit for reasoning models, no size of pictures', () => {
    expect(send(48, { ...chat, model: 'grok-3-mini-fast-beta-high', max_tokens: 7, stop: ['x'] }).body).toEqual({
      model: 'grok-3-mini-fast-beta',
      messages: hello,
      max_completion_tokens: 7,
      reasoning_effort: 'high',
    });
    expect(send(48, { ...chat, model: 'grok-3-mini', max_completion_tokens: 7 }).body).toEqual({
      model: 'grok-3-mini',
      messages: hello,
      max_completion_tokens: 7,
    });
    expect(
      send(48, { model: 'grok-2-image', prompt: 'a', size: '512x512' }, { protocol: 'openai-image' }).body,
    ).toEqual({ model: 'grok-2-image', prompt: 'a' });
  });

  it('Mistral: nothing but its own fields', () => {
    const body = {
      ...chat,
      seed: 3,
      max_completion_tokens: 9,
      tool_choice: 'required',
      temperature: 0,
      top_p: 0.5,
      logit_bias: {},
      unknown: 1,
    };
    expect(send(42, body).body).toEqual({
      ...chat,
      random_seed: 3,
      max_tokens: 9,
      tool_choice: 'any',
      temperature: 0,
      top_p: 1,
    });
    expect(send(42, { ...embed, dimensions: 8, user: 'u' }, { protocol: 'openai-embedding' }).body).toEqual({
      ...embed,
      output_dimension: 8,
    });
  });

  it('Mistral: short tool ids that still belong together, no empty turns', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call('call_abc'), call('call_def'), call('A1b2C3d4E')] },
      { role: 'tool', tool_call_id: 'call_def', content: 'ok' },
      { role: 'tool', tool_call_id: 'A1b2C3d4E', content: 'ok' },
      { role: 'user', content: 'go on' },
    ];
    const sent = send(42, { model: 'm', messages }).body.messages as Record<string, unknown>[];
    const calls = (sent[0]?.tool_calls ?? []) as { id: string }[];
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(sent[1]?.tool_call_id).toBe(ids[1]);
    expect([ids[2], sent[2]?.tool_call_id]).toEqual(['A1b2C3d4E', 'A1b2C3d4E']);
    expect(sent.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'assistant', 'user']);
    expect(sent[0]?.content).toBe('');
    expect(send(42, { model: 'm', messages: hello }).edits).toEqual([]);
  });
});

describe('the credential a channel type sends', () => {
  it.each([4, 6, 10, 17, 19, 20, 25, 27, 31, 35, 40, 42, 43, 45, 46, 48])('type %d: the key as Bearer', (type) => {
    expect(send(type, chat, { channel: { key: 'fastgpt-demo-64f' } }).headers.authorization).toBe(
      'Bearer fastgpt-demo-64f',
    );
  });

  it('OpenRouter learns who calls', () => {
    expect(send(20, chat).headers['x-title']).toBe('Tollgate');
  });

  it('Zhipu: a token signed for this moment, or the key where it is not of that form', () => {
    const key = '0123456789abcdef0123456789abcdef.s3cretS3cret1234';
    const token =
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.nInQSW2Re49efPfR118bdMbNmHY7KRNye5M5LraIlSY';
    expect(zhipuToken(key, 1_700_000_000_000)).toBe(token);
    expect(send(26, chat, { channel: { key }, now: 1_700_000_000_000 }).headers.authorization).toBe(`Bearer ${token}`);
    expect(send(26, chat, { channel: { key } }).headers.authorization).toBe(`Bearer ${key}`);
    expect(send(26, chat, { channel: { key: 'plain' }, now: 1 }).headers.authorization).toBe('Bearer plain');
  });
});

describe('a vendor’s refusal', () => {
  const rows: [number, number, unknown, string][] = [
    [
      17,
      429,
      { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'retry',
    ],
    [17, 400, { code: 'Arrearage', message: 'Access denied' }, 'balance'],
    [17, 400, { code: 'DataInspectionFailed', message: 'x' }, 'policy'],
    [17, 401, { code: 'InvalidApiKey', message: 'x' }, 'dead'],
    [17, 403, { code: 'AccessDenied.Unpurchased', message: 'x' }, 'retry'],
    [17, 400, { code: 'InvalidParameter', message: 'x' }, 'client'],
    [19, 403, { error: { message: '余额不足' } }, 'balance'],
    [19, 400, { error: { code: '1004', message: 'x' } }, 'policy'],
    [20, 402, { error: { code: 402, message: 'no credits' } }, 'balance'],
    [20, 403, { error: { code: 403, message: 'Input was flagged' } }, 'policy'],
    [22, 200, { code: 514, statusText: 'unAuthApiKey', message: 'Key is error', data: null }, 'dead'],
    [22, 200, { code: 500, statusText: 'aiPointsNotEnough', message: 'x', data: null }, 'balance'],
    [
      25,
      429,
      { error: { message: 'suspended, insufficient balance', type: 'exceeded_current_quota_error' } },
      'balance',
    ],
    [25, 429, { error: { message: 'x', type: 'rate_limit_reached_error' } }, 'retry'],
    [25, 403, { error: { message: 'x', type: 'permission_denied_error' } }, 'retry'],
    [25, 400, { error: { message: 'x', type: 'content_filter' } }, 'policy'],
    [26, 429, { error: { code: '1113', message: 'account in arrears' } }, 'balance'],
    [26, 429, { error: { code: '1302', message: 'x' } }, 'retry'],
    [26, 401, { error: { code: '1002', message: 'x' } }, 'dead'],
    [26, 400, { error: { code: '1301', message: 'x' } }, 'policy'],
    [26, 400, { error: { code: '1210', message: 'x' } }, 'client'],
    [26, 400, { error: { code: '1261', message: 'x' } }, 'contextLength'],
    [26, 435, '', 'client'],
    [27, 401, '<html><head><title>401 Authorization Required</title></head></html>', 'dead'],
    [31, 429, { error: { message: 'quota used up' } }, 'balance'],
    [31, 529, '', 'retry'],
    [35, 200, { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'balance'],
    [35, 200, { base_resp: { status_code: 1004, status_msg: 'x' } }, 'dead'],
    [35, 200, { base_resp: { status_code: 1026, status_msg: 'x' } }, 'policy'],
    [35, 200, { base_resp: { status_code: 2013, status_msg: 'x' } }, 'client'],
    [35, 200, { base_resp: { status_code: 1002, status_msg: 'x' } }, 'retry'],
    [39, 403, { success: false, errors: [{ code: 10000, message: 'Authentication error' }], result: null }, 'dead'],
    [39, 400, { success: false, errors: [{ code: 5007, message: 'No such model' }] }, 'retry'],
    [39, 400, { success: false, errors: [{ code: 5004, message: 'x' }] }, 'client'],
    [39, 429, { success: false, errors: [{ code: 3036, message: 'x' }] }, 'retry'],
    [40, 403, { code: 30001, message: 'balance insufficient', data: null }, 'balance'],
    [40, 403, { code: 30003, message: 'x', data: null }, 'retry'],
    [40, 400, { code: 20012, message: 'Model does not exist', data: null }, 'client'],
    [40, 401, '"Invalid token"', 'dead'],
    [
      42,
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] },
      'client',
    ],
    [42, 403, { message: 'x' }, 'dead'],
    [43, 402, { error: { message: 'Insufficient Balance' } }, 'balance'],
    [45, 403, { error: { code: 'AccountOverdueError', message: 'x' } }, 'balance'],
    [45, 429, { error: { code: 'QuotaExceeded', message: 'x' } }, 'balance'],
    [45, 429, { error: { code: 'ModelAccountRpmRateLimitExceeded', message: 'x' } }, 'retry'],
    [45, 400, { error: { code: 'SensitiveContentDetected.SevereViolation', message: 'x' } }, 'policy'],
    [45, 403, { error: { code: 'OperationDenied.ServiceNotOpen', message: 'x' } }, 'retry'],
    [48, 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***' }, 'dead'],
    [48, 403, { code: 'x', error: 'You have used all available credits' }, 'balance'],
  ];
  it.each(rows)('type %d, HTTP %d %j is %s', (type, status, body, kind) => {
    const adapter = adapterOf(type);
    const asked = status === 200 ? adapter.hiddenErrorStatus(body) : status;
    expect(asked).toBeDefined();
    expect(adapter.readError(asked ?? 0, body, {}).kind).toBe(kind);
  });

  it('a budget that frees itself is not an empty account (OpenRouter)', () => {
    expect(adapterOf(20).readError(402, {}, { 'retry-after': '5' }).kind).toBe('retry');
  });

  it('a client’s mistake inside HTTP 200 is reported as one', () => {
    const body = { base_resp: { status_code: 2013, status_msg: 'invalid params' } };
    expect(adapterOf(35).hiddenErrorStatus(body)).toBe(400);
    expect(adapterOf(35).hiddenErrorStatus({ choices: [], base_resp: { status_code: 0 } })).toBeUndefined();
  });
});

describe('lists and balances', () => {
  it.each([
    [4, {}, 'http://localhost:11434/api/tags', { models: [{ name: 'llama3:8b', model: 'llama3:8b' }] }, ['llama3:8b']],
    [26, {}, 'https://open.bigmodel.cn/api/paas/v4/models', { data: [{ id: 'glm-4' }] }, ['glm-4']],
    [
      39,
      { other: 'a' },
      'https://api.cloudflare.com/client/v4/accounts/a/ai/models/search?per_page=100&page=1',
      { result: [{ id: 'f9f2250b-1048-4a52-9910-d0bf976616a1', name: '@cf/x/y' }] },
      ['@cf/x/y'],
    ],
    [43, {}, 'https://api.deepseek.com/models', { data: [{ id: 'deepseek-flash' }] }, ['deepseek-flash']],
    [45, {}, 'https://ark.cn-beijing.volces.com/api/v3/models', ['b', 'a'], ['a', 'b']],
    [46, {}, 'https://qianfan.baidubce.com/v2/models', null, []],
  ])('type %d %j lists its models at %s', (type, channel, url, body, names) => {
    const list = adapterOf(type).modelList?.(channelOf(type, channel));
    expect(list?.url).toBe(url);
    expect(list?.read(body)).toEqual(names);
  });

  it('are unknown for vendors without them', () => {
    for (const type of [22, 27, 35]) expect(adapterOf(type).modelList).toBeUndefined();
    for (const type of [3, 4, 17, 19, 22, 26, 27, 31, 35, 39, 42, 45, 48])
      expect(adapterOf(type).balance).toBeUndefined();
  });

  const balances: [number, Partial<ChannelTarget>, string, unknown, number][] = [
    [10, {}, 'https://aiproxy.io/api/report/getUserOverview', { data: { totalPoints: 12.34 } }, 12.34],
    [12, {}, 'https://api.api2gpt.com/dashboard/billing/credit_grants', { total_remaining: 5 }, 5],
    [13, {}, 'https://api.aigc2d.com/dashboard/billing/credit_grants', { total_available: 6 }, 6],
    [20, {}, 'https://openrouter.ai/api/v1/credits', { data: { total_credits: 10, total_usage: 4 } }, 6],
    [25, {}, 'https://api.moonshot.cn/v1/users/me/balance', { data: { available_balance: 73 } }, 10],
    [
      25,
      { base_url: 'https://api.moonshot.ai' },
      'https://api.moonshot.ai/v1/users/me/balance',
      { data: { available_balance: 7 } },
      7,
    ],
    [40, {}, 'https://api.siliconflow.cn/v1/user/info', { code: 20000, data: { totalBalance: '146.00' } }, 20],
    [
      43,
      {},
      'https://api.deepseek.com/user/balance',
      { balance_infos: [{ currency: 'CNY', total_balance: '73.00' }] },
      10,
    ],
    [
      43,
      {},
      'https://api.deepseek.com/user/balance',
      {
        balance_infos: [
          { currency: 'CNY', total_balance: '1' },
          { currency: 'USD', total_balance: '4.50' },
        ],
      },
      4.5,
    ],
  ];
  it.each(balances)('type %d %j reads its balance in dollars at %s', (type, channel, url, body, dollars) => {
    const query = adapterOf(type).balance?.(channelOf(type, channel), '2026-01-01', 7.3);
    expect(query?.requests.map((request) => request.url)).toEqual([url]);
    expect(query?.read([body])).toBeCloseTo(dollars, 9);
    expect(() => query?.read([{ code: 1, message: 'no' }])).toThrow();
  });
});
