import { describe, expect, it } from 'vitest';
import { readXunfeiKey } from '../../../../core/providers/xunfei/key.ts';
import { signedUrl } from '../../../../core/providers/xunfei/signed-url.ts';
import { sparkModel, sparkVersion } from '../../../../core/providers/xunfei/version.ts';
import { maskUrl } from '../../../../core/relay/explain/mask-request.ts';
import { send } from '../call.ts';
import { writeNative } from '../write-native.ts';

const secrets = { kind: 'socket', appId: 'a', apiSecret: 'YXBpc2VjcmV0MTIz' } as const;
const key = { ...secrets, apiKey: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' };
const base = 'https://spark-api.xf-yun.com';
const hi = { role: 'user', content: 'hi' };
const channel = { key: 'abcd1234|YXBpc2VjcmV0MTIz|0f1e2d3c4b5a69788796a5b4c3d2e1f0', other: 'v2.1' };
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: {} } };

function signatureIn(url: string): string | undefined {
  const proof = Buffer.from(new URL(url).searchParams.get('authorization') ?? '', 'base64').toString();
  return /signature="([^"]+)"/.exec(proof)?.[1];
}

describe('the signed address of Spark', () => {
  it('is that of the sheet’s vectors', () => {
    expect(signedUrl(base, '/v3.5/chat', key, 1_700_000_000_000)).toBe(
      'https://spark-api.xf-yun.com/v3.5/chat?authorization=aG1hYyB1c2VybmFtZT0iMGYxZTJkM2M0YjVhNjk3ODg3OTZhNWI0YzNkMmUxZjAiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0ieGVVM1Bnektzd25CcXJtaXorRlRUVUtEWk5yWERPVC9mbytTRGFESkl0Zz0i&date=Tue%2C+14+Nov+2023+22%3A13%3A20+GMT&host=spark-api.xf-yun.com',
    );
    expect(signatureIn(signedUrl(base, '/v1.1/chat', key, 1_700_000_000_000))).toBe(
      'ygWEIsyp7vPW6VP3/mTmGXjEDCYBwpLiUJr6Yw/D6Qo=',
    );
    const published = { ...key, apiSecret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi' };
    expect(signatureIn(signedUrl(base, '/v1.1/chat', published, Date.parse('2023-05-05T10:43:39Z')))).toBe(
      'z5gHdu3pxVV4ADMyk467wOWDQ9q6BQzR3nfMTjc/DaQ=',
    );
  });

  it('is shown to an operator without its proof, which contains the key', () => {
    const url = signedUrl(base, '/v3.5/chat', key, 1_700_000_000_000);
    expect(maskUrl(url, [])).toMatch(/\/v3\.5\/chat\?authorization=…&date=/);
  });
});

describe('a key of Spark', () => {
  it('is three parts, or a password', () => {
    expect(readXunfeiKey(channel.key)).toMatchObject({ kind: 'socket', appId: 'abcd1234', apiKey: key.apiKey });
    expect(readXunfeiKey('abc:def')).toEqual({ kind: 'http', password: 'abc:def' });
  });
  it.each(['a|b', 'a||c', 'a|b|c|d', '', 'a b'])('is not %j, and the error shows the right form', (wrong) => {
    expect(() => readXunfeiKey(wrong)).toThrow(/APPID\|APISecret\|APIKey/);
  });
});

describe('the version of Spark', () => {
  it.each([
    ['SparkDesk-v3.5', 'v2.1', null, '/v3.5/chat', 'generalv3.5'],
    ['SparkDesk', 'v3.1', null, '/v3.1/chat', 'generalv3'],
    ['SparkDesk', '', null, '/v1.1/chat', 'lite'],
    ['Spark-Pro-128K', 'v2.1', null, '/chat/pro-128k', 'pro-128k'],
    ['Spark-Max-32K', '', null, '/chat/max-32k', 'max-32k'],
    ['Spark-4.0-Ultra', 'v2.1', null, '/v4.0/chat', '4.0Ultra'],
    ['Spark-Lite', '', 'v4.0', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk', 'v9.9', null, '/v9.9/chat', 'generalv9.9'],
    ['SparkDesk', '../x', null, '/..%2Fx/chat', 'general../x'],
  ])('of %s with %j, asked for %j, is %s as %s', (model, other, asked, path, domain) => {
    expect(sparkVersion(model, other, asked)).toMatchObject({ path, domain });
  });

  it('is a model’s name over HTTP', () => {
    expect(['Spark-Lite', 'SparkDesk-v3.5', '4.0Ultra', 'Spark-X1'].map(sparkModel)).toEqual([
      'lite',
      'generalv3.5',
      '4.0Ultra',
      'X1'.toLowerCase(),
    ]);
  });
});

describe('a chat for Spark', () => {
  it('is the sheet’s one message, over the signed socket', () => {
    const { body, losses, request } = writeNative(18, channel, {
      model: 'SparkDesk-v3.5',
      temperature: 0,
      top_k: 9,
      max_tokens: 32_000,
      user: 'u1',
      seed: 1,
      messages: [{ role: 'system', content: 'Be brief.' }, hi],
      tools: [tool],
    });
    expect(body).toEqual({
      header: { uid: 'u1' },
      parameter: { chat: { domain: 'generalv3.5', temperature: 0.01, top_k: 6, max_tokens: 8192 } },
      payload: {
        message: { text: [{ role: 'system', content: 'Be brief.' }, hi] },
        functions: { text: [{ name: 'f', description: 'd', parameters: {} }] },
      },
    });
    expect(losses).toEqual([
      { field: 'seed', kind: 'dropped' },
      { field: 'max_completion_tokens', kind: 'emulated' },
    ]);
    expect(request.url).toContain(`${base}/v3.5/chat?authorization=`);
    expect(request.edits).toContainEqual({ set: 'header', raw: '{"app_id":"abcd1234","uid":"u1"}' });
  });

  it('says the instructions as the user where the version knows no system, and functions in words', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const { body, losses } = writeNative(18, channel, {
      model: 'SparkDesk-v3.1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        hi,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '42' },
      ],
    });
    expect(body).toMatchObject({
      payload: {
        message: {
          text: [
            { role: 'user', content: 'Be brief.' },
            { role: 'assistant', content: 'Okay' },
            hi,
            { role: 'assistant', content: 'I call the function f with {"a":1}.' },
            { role: 'user', content: 'Result of the function: 42' },
          ],
        },
      },
    });
    expect(losses).toEqual([{ field: 'messages', kind: 'emulated' }]);
  });

  it('takes its version from the call, too, and keeps a long user’s name short', () => {
    const { body, request } = writeNative(
      18,
      channel,
      { user: 'u'.repeat(40), messages: [hi] },
      { query: 'api-version=v4.0' },
    );
    expect(request.url).toContain('/v4.0/chat?');
    expect(request.edits).toContainEqual({ set: 'parameter', raw: '{"chat":{"domain":"4.0Ultra"}}' });
    const day = { query: 'api-version=2024-10-21' };
    expect(writeNative(18, channel, { model: 'Spark-Max', messages: [hi] }, day).request.url).toContain('/v3.5/chat?');
    expect((body.header as { uid: string }).uid).toMatch(/^[\da-f]{32}$/);
  });

  it('without functions for a version that has none is refused', () => {
    const ask = () => writeNative(18, channel, { model: 'Spark-Lite', messages: [hi], tools: [tool] });
    expect(ask).toThrow(expect.objectContaining({ code: 'convert.notPossible' }));
  });

  it('over HTTP goes to the interface of its model', () => {
    const ask = (model: string) => send(18, { model, messages: [hi] }, { channel: { key: 'password' } });
    expect(ask('Spark-Max')).toMatchObject({
      url: 'https://spark-api-open.xf-yun.com/v1/chat/completions',
      body: { model: 'generalv3.5' },
    });
    expect(ask('x1').url).toBe('https://spark-api-open.xf-yun.com/v2/chat/completions');
  });
});
