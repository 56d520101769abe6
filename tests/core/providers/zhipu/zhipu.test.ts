import { describe, expect, it } from 'vitest';
import { readZhipuKey } from '../../../../core/providers/zhipu/key.ts';
import { createOlderDecoder } from '../../../../core/providers/zhipu/older-stream.ts';
import { adapterOf, channelOf, send } from '../call.ts';
import { writeNative } from '../write-native.ts';

const key = '0123456789abcdef0123456789abcdef.s3cretS3cret1234';
const hi = { role: 'user', content: 'hi' };

describe('a chat for the older ChatGLM', () => {
  it('goes to version 3 with the sheet’s token, in plain turns', () => {
    const { body, losses, request } = writeNative(
      16,
      { key },
      {
        model: 'chatglm_pro',
        temperature: 2,
        top_p: 1,
        max_tokens: 5,
        messages: [hi, hi],
      },
    );
    expect(body).toEqual({
      prompt: [{ role: 'user', content: 'hi\n\nhi' }],
      temperature: 0.99,
      top_p: 0.99,
      incremental: false,
    });
    expect(losses).toEqual([{ field: 'max_completion_tokens', kind: 'dropped' }]);
    expect(request.url).toBe('https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_pro/invoke');
    expect(request.headers.authorization).toBe(
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.nInQSW2Re49efPfR118bdMbNmHY7KRNye5M5LraIlSY',
    );
  });

  it.each(['one', 'a.b.c', '.secret', 'id.', ''])('with the key %j is refused with the right form', (wrong) => {
    expect(() => readZhipuKey(wrong)).toThrow(/\{id\}\.\{secret\}/);
    expect(() => writeNative(16, { key: wrong }, { model: 'chatglm_pro', messages: [hi] })).toThrow(
      /\{id\}\.\{secret\}/,
    );
  });

  it.each(['glm-4', 'charglm-4', 'codegeex-4'])('of %s goes to version 4', (model) => {
    expect(adapterOf(16).ownChat?.(model, channelOf(16, { key }))).toBeUndefined();
    expect(send(16, { model, messages: [hi] }, { channel: { key } }).url).toBe(
      'https://open.bigmodel.cn/api/paas/v4/chat/completions',
    );
  });
});

describe('the stream of version 3', () => {
  const text = 'event:add\r\nid:1\r\ndata: Grüße\r\ndata:🙂\r\n\r\nevent:finish\nid:1\ndata:\nmeta:{"usage":{"a":1}}';
  const expected = [
    { event: 'add', id: '1', data: ' Grüße\n🙂' },
    { event: 'finish', id: '1', meta: '{"usage":{"a":1}}', data: '' },
  ];

  it.each([1, 3, 7, 1000])('is read in pieces of %i bytes, the last event without its blank line', (size) => {
    const decoder = createOlderDecoder();
    const bytes = Buffer.from(text);
    let out = '';
    for (let at = 0; at < bytes.length; at += size) out += decoder.push(bytes.subarray(at, at + size));
    decoder.end();
    const events = Buffer.from(out, 'latin1').toString().trim().split('\n\n');
    expect(events.map((event) => JSON.parse(event.slice('data: '.length)))).toEqual(expected);
  });

  it('that ends inside an event is broken', () => {
    const decoder = createOlderDecoder();
    decoder.push(Buffer.from('event:add\ndata:Hi'));
    expect(() => decoder.end()).toThrow(RangeError);
  });
});

describe('pictures and embeddings of Zhipu', () => {
  it.each([16, 26])('go to version 4 in type %i', (type) => {
    const drawn = send(
      type,
      { model: 'cogview-3-plus', prompt: 'x', n: 1, size: '1024x1024', user: 'user-1' },
      { protocol: 'openai-image', channel: { key } },
    );
    expect(drawn.url).toBe('https://open.bigmodel.cn/api/paas/v4/images/generations');
    expect(drawn.body).toEqual({ model: 'cogview-3-plus', prompt: 'x', size: '1024x1024' });
  });

  it('are refused for what the vendor has not', () => {
    const draw = (change: object) =>
      send(26, { model: 'cogview-3', prompt: 'x', ...change }, { protocol: 'openai-image' });
    expect(() => draw({ n: 2 })).toThrow(/does not offer n/);
    expect(() => send(26, { model: 'embedding-2', input: ['a', 'b'] }, { protocol: 'openai-embedding' })).toThrow(
      /input/,
    );
  });
});
