import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../../core/canonical/chat-request.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { chatClients } from '../../../../core/wire/chat-client.ts';
import { createJsonLineDecoder } from '../../../../core/wire/json-lines.ts';
import { jsonLines, said } from '../../../support/vendor/ollama.ts';
import { adapterOf, channelOf, send } from '../call.ts';

const native = { setting: { native: true } };
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } };
const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } };

function write(body: Record<string, unknown>, model = 'llama3.2') {
  const request: ChatRequest = finish(chatClients['openai-chat'].readRequest({ model, messages: [], ...body }));
  const own = adapterOf(4).ownChat?.(model, channelOf(4, native));
  if (!own) throw new Error('the channel is not native');
  const context = { model, defaultMaxOutput: 10, replaysReasoning: true };
  return finish(own.codec.writeRequest(request, context));
}

describe('an Ollama channel', () => {
  it.each([
    [{}, false],
    [{ native: true }, true],
    [{ options: { num_ctx: 4096 } }, true],
    [{ keep_alive: 0 }, true],
    [{ options: { num_ctx: 4096 }, native: false }, false],
  ])('with the setting %j is spoken to natively: %s', (setting, isNative) => {
    expect(Boolean(adapterOf(4).ownChat?.('m', channelOf(4, { setting })))).toBe(isNative);
  });

  it.each(['http://h:11434', 'http://h:11434/', 'http://h:11434/v1', 'http://h:11434/api'])(
    'may have the address %s',
    (base_url) => {
      const channel = { base_url };
      expect(send(4, { model: 'm', messages: [{ role: 'user', content: 'a' }] }, { channel }).url).toBe(
        'http://h:11434/v1/chat/completions',
      );
      expect(send(4, { model: 'm', input: 'a' }, { channel, protocol: 'openai-embedding' }).url).toBe(
        'http://h:11434/api/embed',
      );
      expect(adapterOf(4).modelList?.(channelOf(4, channel)).url).toBe('http://h:11434/api/tags');
    },
  );

  it('keeps what a call says of the runner before what the channel says', () => {
    const channel = channelOf(4, { setting: { options: { num_ctx: 8192, seed: 1 }, keep_alive: '5m' } });
    const { body } = write({ messages: [{ role: 'user', content: 'a' }], seed: 7 });
    const own = adapterOf(4).ownChat?.('m', channel);
    const call = { query: new URLSearchParams(), model: 'm', body } as Parameters<
      NonNullable<typeof own>['buildRequest']
    >[0];
    expect(own?.buildRequest(call, channel).edits).toEqual([
      { set: 'options', raw: '{"num_ctx":8192,"seed":7}' },
      { set: 'keep_alive', raw: '"5m"' },
    ]);
  });
});

describe('a native chat request', () => {
  it('has pictures beside the text, calls as objects, results by the name of the tool, and thinking', () => {
    const { body } = write({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'look' }, picture] },
        {
          role: 'assistant',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"n":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      ],
      tools: [weather],
    });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      model: 'llama3.2',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look', images: ['iVBORw=='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ function: { name: 'get_weather', arguments: { n: 1 } } }],
        },
        { role: 'tool', content: 'sunny', tool_name: 'get_weather' },
      ],
      tools: [weather],
      stream: false,
      options: {},
    });
  });

  it('has limits and sampling as options, the format, and how far to think', () => {
    const asked = {
      messages: [{ role: 'user', content: 'a' }],
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      stop: 'x',
    };
    const schema = { type: 'object', properties: {} };
    const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    expect(
      write({ ...asked, seed: 3, response_format: format, reasoning_effort: 'low', stream: true }).body,
    ).toMatchObject({
      stream: true,
      format: schema,
      think: true,
      options: { num_predict: 9, temperature: 0.5, top_p: 0.9, stop: ['x'], seed: 3 },
    });
    expect(write({ ...asked, response_format: { type: 'json_object' } }).body).toMatchObject({ format: 'json' });
    expect(write({ ...asked, reasoning_effort: 'none' }).body).toMatchObject({ think: false });
    expect(write({ ...asked, reasoning_effort: 'low' }, 'gpt-oss:20b').body).toMatchObject({ think: 'low' });
  });

  it('names what it cannot say, and refuses what the client cannot do without', () => {
    const asked = { messages: [{ role: 'user', content: 'a' }], tools: [weather] };
    const { losses, body } = write({ ...asked, tool_choice: 'required', logit_bias: { 1: 2 }, user: 'u', foo: 1 });
    expect(losses.map(({ field }) => field)).toEqual(['logit_bias', 'safety_identifier', 'foo', 'tool_choice']);
    expect(body).not.toHaveProperty('foo');
    expect(write({ ...asked, tool_choice: 'none' }).body).not.toHaveProperty('tools');
    expect(() => write({ ...asked, n: 2 })).toThrow(/Ollama protocol, which does not support n\./);
    const address = { type: 'image_url', image_url: { url: 'https://a.example/x.png' } };
    expect(() => write({ messages: [{ role: 'user', content: [address] }] })).toThrow(/https:\/\/a\.example/);
  });
});

describe('an embeddings call', () => {
  it('refuses tokens of another vocabulary', () => {
    expect(() => send(4, { model: 'm', input: [[1, 2]] }, { protocol: 'openai-embedding' })).toThrow(/token ids/);
  });
});

describe('a stream of JSON lines', () => {
  it('is read wherever it is cut', () => {
    const bytes = Buffer.concat(jsonLines(said({ content: 'é\\n' }), said({}, { done: true })).pieces ?? []);
    const whole = createJsonLineDecoder().push(bytes);
    expect(whole.split('\n\n').filter(Boolean)).toHaveLength(2);
    for (let at = 1; at < bytes.length; at += 1) {
      const decoder = createJsonLineDecoder();
      expect(decoder.push(bytes.subarray(0, at)) + decoder.push(bytes.subarray(at))).toBe(whole);
    }
  });
});
