import { describe, expect, it } from 'vitest';
import { endpointPath } from '../../../../core/providers/baidu/endpoint.ts';
import { readBaiduKey } from '../../../../core/providers/baidu/key.ts';
import { exchangeOf } from '../../../../core/providers/baidu/token.ts';
import { adapterOf, channelOf, send } from '../call.ts';
import { writeNative } from '../write-native.ts';

const channel = { key: 'AKdemo|SKdemo' };
const hi = { role: 'user', content: 'hi' };
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };

describe('a key of Baidu', () => {
  it.each([
    ['AKdemo|SKdemo', { kind: 'v1', apiKey: 'AKdemo', secretKey: 'SKdemo' }],
    [' AKdemo | SKdemo ', { kind: 'v1', apiKey: 'AKdemo', secretKey: 'SKdemo' }],
    ['bce-v3/ALTAK-x/y', { kind: 'v2', key: 'bce-v3/ALTAK-x/y', appId: undefined }],
    ['bce-v3/ALTAK-x/y|app-1', { kind: 'v2', key: 'bce-v3/ALTAK-x/y', appId: 'app-1' }],
  ])('%s is read', (key, read) => {
    expect(readBaiduKey(key)).toEqual(read);
  });

  it.each(['AKdemo', 'AKdemo|', '|SKdemo', 'a|b|c', ''])(
    '%j has no known form, and the error shows the right one',
    (key) => {
      expect(() => readBaiduKey(key)).toThrow(/APIKey\|SecretKey/);
      expect(() =>
        adapterOf(15)
          .ownChat?.('ERNIE-4.0', channelOf(15, { key }))
          ?.buildRequest({ model: 'ERNIE-4.0', query: new URLSearchParams() } as never, channelOf(15, { key })),
      ).toThrow(/APIKey\|SecretKey/);
    },
  );
});

describe('the token of a Baidu key', () => {
  const credential = exchangeOf({ kind: 'v1', apiKey: 'AK/demo', secretKey: 'SK+demo' }, 'https://aip.baidubce.com');

  it('is asked for as the sheet says, its parts escaped', () => {
    expect(credential.request).toMatchObject({
      method: 'POST',
      url: 'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=AK%2Fdemo&client_secret=SK%2Bdemo',
    });
    expect(credential.read(200, { access_token: '24.demo', expires_in: 2_592_000 })).toEqual({
      token: '24.demo',
      lifetimeSeconds: 2_592_000,
    });
  });

  it.each([
    [401, { error: 'invalid_client', error_description: 'unknown client id' }, 'dead'],
    [200, { error: 'invalid_client', error_description: 'Client authentication failed' }, 'dead'],
    [500, { error: 'invalid_client' }, 'retry'],
    [200, {}, 'retry'],
    [403, 'a page', 'retry'],
  ])('is not given with %i %j: %s', (status, body, kind) => {
    expect(() => credential.read(status, body)).toThrow(expect.objectContaining({ kind }));
  });
});

describe('the address of a Baidu model', () => {
  it.each([
    ['ERNIE-4.0-8K', 'chat/completions_pro'],
    ['ERNIE-4.0-8K-Preview-0518', 'chat/completions_adv_pro'],
    ['ERNIE-3.5-8K', 'chat/completions'],
    ['ERNIE-3.5-8K-0205', 'chat/ernie-3.5-8k-0205'],
    ['ERNIE-Speed-128K', 'chat/ernie-speed-128k'],
    ['ERNIE-Bot-turbo', 'chat/eb-instant'],
    ['Yi-34B-Chat', 'chat/yi_34b_chat'],
    ['Embedding-V1', 'embeddings/embedding-v1'],
    ['bge-large-zh', 'embeddings/bge_large_zh'],
    ['tao-8k', 'embeddings/tao_8k'],
    ['../oauth', 'chat/..%2Foauth'],
  ])('%s is %s', (model, end) => {
    expect(endpointPath(model)).toBe(`/rpc/2.0/ai_custom/v1/wenxinworkshop/${end}`);
  });
});

describe('a chat for Baidu', () => {
  it('has the bounds and the names of the vendor', () => {
    const { body, losses } = writeNative(15, channel, {
      model: 'ERNIE-4.0-8K',
      temperature: 0,
      top_p: 1,
      frequency_penalty: 1,
      max_tokens: 1,
      stop: 'x',
      user: 'u1',
      seed: 7,
      stream: true,
      messages: [{ role: 'system', content: 'Be brief.' }, hi, hi],
    });
    expect(body).toEqual({
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'hi\n\nhi' }],
      stream: true,
      temperature: 0.01,
      top_p: 1,
      penalty_score: 1.5,
      max_output_tokens: 2,
      stop: ['x'],
      user_id: 'u1',
      disable_search: false,
      enable_citation: false,
    });
    expect(losses).toEqual([{ field: 'seed', kind: 'dropped' }]);
  });

  it('calls functions one by one', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: `{"n":"${id}"}` } });
    const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `result ${id}` });
    const { body } = writeNative(15, channel, {
      model: 'ERNIE-3.5-8K',
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'f' } },
      messages: [
        hi,
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
        result('b'),
        result('a'),
      ],
    });
    expect(body.messages).toEqual([
      hi,
      { role: 'assistant', content: '', function_call: { name: 'f', arguments: '{"n":"a"}' } },
      { role: 'function', name: 'f', content: 'result a' },
      { role: 'assistant', content: '', function_call: { name: 'f', arguments: '{"n":"b"}' } },
      { role: 'function', name: 'f', content: 'result b' },
    ]);
    expect(body).toMatchObject({
      functions: [{ name: 'f', description: 'f', parameters: { type: 'object', properties: {} } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
    });
  });

  it('asks for JSON in words, and says so', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const { body, losses } = writeNative(15, channel, { model: 'ERNIE-4.0', response_format: format, messages: [hi] });
    expect(body.system).toContain(JSON.stringify(schema));
    expect(losses).toEqual([{ field: 'response_format', kind: 'emulated' }]);
  });

  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['tools', { tools: [tool], model: 'ERNIE-Speed-8K' }],
    [
      'messages: image',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/1.png' } }] }] },
    ],
  ])('is refused with %s', (what, change) => {
    const ask = () => writeNative(15, channel, { model: 'ERNIE-4.0-8K', messages: [hi], ...change });
    expect(ask).toThrow(
      expect.objectContaining({ code: 'convert.notPossible', details: { what, upstream: 'Baidu Wenxin' } }),
    );
  });
});

describe('a chat for the newer interface', () => {
  const v2 = { key: 'bce-v3/ALTAK-x/y|app-1' };
  it.each([15, 46])('of type %i goes to its own address, with the application', (type) => {
    const { url, headers, body } = send(
      type,
      { model: 'm', messages: [hi], max_tokens: 5, temperature: 0 },
      { channel: v2 },
    );
    expect(url).toBe('https://qianfan.baidubce.com/v2/chat/completions');
    expect(headers).toMatchObject({ authorization: 'Bearer bce-v3/ALTAK-x/y', appid: 'app-1' });
    expect(body).toEqual({ model: 'm', messages: [hi], max_tokens: 5, temperature: 0.01 });
  });
});
