import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { finish } from '../../../../core/lib/steps.ts';
import type { ChannelTarget, OwnChat } from '../../../../core/providers/adapter.ts';
import { chatClients } from '../../../../core/wire/chat-client.ts';
import { difyEnd, difyEvent } from '../../../support/vendor/dify.ts';
import { adapterOf, channelOf } from '../call.ts';

function ownOf(): OwnChat {
  const own = adapterOf(37).ownChat?.('m', channelOf(37));
  if (!own) throw new Error('Dify has a format of its own');
  return own;
}

function write(body: Record<string, unknown>) {
  const request = finish(chatClients['openai-chat'].readRequest({ model: 'm', ...body }));
  return finish(ownOf().codec.writeRequest(request, { model: 'm', defaultMaxOutput: 10 }));
}

function addressOf(channel: Partial<ChannelTarget>) {
  const { body } = write({ messages: [{ role: 'user', content: 'hi' }] });
  const call = { query: new URLSearchParams(), model: 'm', body } as Parameters<OwnChat['buildRequest']>[0];
  return ownOf().buildRequest(call, channelOf(37, channel)).url;
}

function read(...events: unknown[]): ChatEvent[] {
  const reader = ownOf().codec.createStreamReader({ identity: { id: 'i', model: 'm', created: 1 } });
  return [...events.flatMap((event) => reader.event(event)), ...reader.end()];
}

const textsOf = (events: ChatEvent[]) => {
  const kinds = new Map<number, string>();
  const texts: Record<string, string> = {};
  for (const event of events) {
    if (event.type === 'open') kinds.set(event.part, event.kind);
    if (event.type !== 'delta') continue;
    const kind = kinds.get(event.part) ?? '';
    texts[kind] = (texts[kind] ?? '') + event.text;
  }
  return texts;
};

describe('the address of a Dify app', () => {
  it.each([
    [{}, 'https://api.dify.ai/v1/chat-messages'],
    [{ other: 'Agent' }, 'https://api.dify.ai/v1/chat-messages'],
    [{ other: 'completion', base_url: 'https://d.example/v1/' }, 'https://d.example/v1/completion-messages'],
  ])('%j: %s', (channel, url) => expect(addressOf(channel)).toBe(url));

  it('needs a kind that is known', () => {
    expect(() => addressOf({ other: 'poem' })).toThrow('must be chat, agent, completion');
  });
});

describe('a question to a Dify app', () => {
  it('is the bare text of one message, with pictures by address and the app’s variables', () => {
    const image = { type: 'image_url', image_url: { url: 'https://p.example/1.png' } };
    const { body, losses } = write({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'look' }, image] }],
      inputs: { city: 'Paris' },
      user: 'ann@example.com',
    });
    expect(body).toEqual({
      inputs: { city: 'Paris' },
      query: 'look',
      response_mode: 'streaming',
      user: expect.stringMatching(/^[\da-f]{64}$/),
      files: [{ type: 'image', transfer_method: 'remote_url', url: 'https://p.example/1.png' }],
      auto_generate_name: false,
    });
    expect(losses).toEqual([]);
  });

  it('contains a longer conversation under headings, and the form of the response as a sentence', () => {
    const { body, losses } = write({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
      response_format: { type: 'json_object' },
      temperature: 1,
      tools: [{ type: 'function', function: { name: 'f' } }],
    });
    expect(body.query).toBe(
      'SYSTEM:\nBe brief.\nSYSTEM:\nAnswer with nothing but one JSON object.\nUSER:\na\nASSISTANT:\nb\nUSER:\nc\n',
    );
    expect(losses).toEqual([
      { field: 'temperature', kind: 'dropped' },
      { field: 'tools', kind: 'dropped' },
      { field: 'response_format', kind: 'emulated' },
      { field: 'messages', kind: 'emulated' },
    ]);
  });

  it.each([
    { n: 2 },
    { logprobs: true },
    { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
    { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } },
    {
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }] },
      ],
    },
  ])('refuses what the app cannot do: %j', (body) => {
    expect(() => write({ messages: [{ role: 'user', content: 'a' }], ...body })).toThrow(/the Dify protocol/);
  });
});

describe('the stream of a Dify app', () => {
  it('tells thoughts, in either form, and pictures apart from what is for others', () => {
    const events = read(
      difyEvent('reasoning_chunk', { data: { reasoning: 'hm ' } }),
      difyEvent('message', { answer: '<details style="color:gray" open> <summary> Thinking... </summary>' }),
      difyEvent('message', { answer: 'so' }),
      difyEvent('message', { answer: '</details>' }),
      difyEvent('message', { answer: 'Yes' }),
      difyEvent('message_file', { type: 'image', belongs_to: 'user', url: 'https://p.example/mine.png' }),
      difyEvent('message_file', { type: 'image', belongs_to: 'assistant', url: 'https://p.example/1.png' }),
      difyEnd,
    );
    expect(textsOf(events)).toEqual({ reasoning: 'hm so', text: 'Yes\n![image](https://p.example/1.png)\n' });
    expect(events.at(-1)).toEqual({ type: 'end' });
  });

  it.each([
    [difyEvent('message_replace', { answer: 'No.' }), 'filter'],
    [difyEvent('workflow_paused'), 'stop'],
    [difyEvent('human_input_required'), 'stop'],
  ])('ends with %j as %s', (event, reason) => {
    const events = read(difyEvent('message', { answer: 'a' }), event);
    expect(events).toContainEqual({ type: 'finish', choice: 0, reason });
  });

  it('is counted by us where the app reports zeros, and is broken without an end', () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const said = difyEvent('message', { answer: 'a' });
    expect(read(said, difyEvent('message_end', { metadata: { usage } })).some(({ type }) => type === 'usage')).toBe(
      false,
    );
    expect(read(said).at(-1)).toMatchObject({ type: 'error', status: 502 });
  });
});
