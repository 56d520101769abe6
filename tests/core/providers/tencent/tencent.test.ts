import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../../core/integrations/credential/authorizer.ts';
import { createOutbound } from '../../../../core/integrations/outbound/outbound.ts';
import { readTencentKey } from '../../../../core/providers/tencent/key.ts';
import { writeNative } from '../write-native.ts';

const id = 'AKIDexample0000000000000000000000000';
const key = `1300000000|${id}|exampleSecretKey0000000000000000`;
const hi = { role: 'user', content: 'hi' };

describe('the signature of a Hunyuan call', () => {
  it('is that of the sheet’s vector, over the bytes that go out', async () => {
    const { body, request } = writeNative(
      23,
      { key, base_url: 'https://proxy.example' },
      { model: 'hunyuan-lite', messages: [hi] },
    );
    const bytes = Buffer.from(JSON.stringify(body));
    expect(bytes.toString()).toBe(
      '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
    );
    const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
    const authorizer = createAuthorizer({ outbound, now: () => 1_700_000_000_000 });
    if (!request.credential) throw new Error('nothing to sign with');
    const signed = { url: request.url, method: 'POST', headers: request.headers, body: bytes };
    const { headers } = await authorizer.authorize(signed, request.credential, { privateAllowed: false });
    expect(headers).toEqual({
      'x-tc-timestamp': '1700000000',
      authorization: `TC3-HMAC-SHA256 Credential=${id}/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=72c3f35dd56988f3c6a1e2421fb22c81cd65f091c8d904c74988b169c4b98754`,
    });
    expect(authorizer.refused(request.credential, signed)).toBe(false);
    await outbound.close();
  });
});

describe('a key of Tencent', () => {
  it('is read', () => {
    expect(readTencentKey(key)).toEqual({ secretId: id, secretKey: 'exampleSecretKey0000000000000000' });
  });
  it.each(['a|b', 'x|AKID|secret', '1|AKID|', '1|AKID|s|t', ''])(
    'is not %j, and the error shows the right form',
    (wrong) => {
      expect(() => readTencentKey(wrong)).toThrow(/AppId\|SecretId\|SecretKey/);
    },
  );
});

describe('a chat for Hunyuan', () => {
  it('has its names in capitals, and says what it leaves out', () => {
    const schema = { type: 'object', properties: {} };
    const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: schema } };
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const { body, losses } = writeNative(
      23,
      { key },
      {
        model: 'hunyuan-pro',
        temperature: 0.5,
        top_p: 0.9,
        seed: 20_000,
        stop: ['x'],
        max_tokens: 9,
        stream: true,
        tools: [tool],
        tool_choice: { type: 'function', function: { name: 'f' } },
        messages: [
          hi,
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c1', content: '42' },
        ],
      },
    );
    const written = { Type: 'function', Function: { Name: 'f', Description: 'd', Parameters: JSON.stringify(schema) } };
    expect(body).toEqual({
      Model: 'hunyuan-pro',
      Messages: [
        { Role: 'user', Content: 'hi' },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'f', Arguments: '{}' }, Index: 0 }],
        },
        { Role: 'tool', Content: '42', ToolCallId: 'c1' },
      ],
      Stream: true,
      Temperature: 0.5,
      TopP: 0.9,
      Seed: 1,
      Stop: ['x'],
      Tools: [written],
      ToolChoice: 'custom',
      CustomTool: written,
    });
    expect(losses).toEqual([
      { field: 'max_completion_tokens', kind: 'dropped' },
      { field: 'stop', kind: 'emulated' },
    ]);
  });
});
