import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { finish } from '../../../../core/lib/steps.ts';
import type { ChannelTarget, OwnChat } from '../../../../core/providers/adapter.ts';
import { chatClients } from '../../../../core/wire/chat-client.ts';
import { createEventNameDecoder } from '../../../../core/wire/event-name.ts';
import { cozeEnd, cozeSays, cozeStream } from '../../../support/vendor/coze.ts';
import { adapterOf, channelOf } from '../call.ts';

function ownOf(): OwnChat {
  const own = adapterOf(49).ownChat?.('m', channelOf(49));
  if (!own) throw new Error('Coze has a format of its own');
  return own;
}

function write(messages: unknown[]) {
  const request = finish(chatClients['openai-chat'].readRequest({ model: 'm', messages }));
  return finish(ownOf().codec.writeRequest(request, { model: 'm', defaultMaxOutput: 10 })).body.additional_messages;
}

function build(model: string, channel: Partial<ChannelTarget>) {
  const call = { query: new URLSearchParams(), model, body: {} } as Parameters<OwnChat['buildRequest']>[0];
  return ownOf().buildRequest(call, channelOf(49, channel));
}

function read(...events: [string, unknown][]): ChatEvent[] {
  const reader = ownOf().codec.createStreamReader({ identity: { id: 'i', model: 'm', created: 1 } });
  const read = events.flatMap(([event, data]) => [...reader.event({ event }), ...reader.event(data)]);
  return [...read, ...reader.end()];
}

const textOf = (events: ChatEvent[]) => events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

describe('a bot', () => {
  it.each([
    ['m', { other: ' 73 ' }, '73'],
    ['bot-99', { other: '73' }, '99'],
    ['bot-99', {}, '99'],
  ])('of the model %s and the channel %j is %s', (model, channel, bot) => {
    expect(build(model, channel)).toMatchObject({
      url: 'https://api.coze.cn/v3/chat',
      edits: [{ set: 'bot_id', raw: JSON.stringify(bot) }],
    });
  });

  it('must be named', () => expect(() => build('m', {})).toThrow(/other/));
});

describe('turns of a conversation', () => {
  it('keep their roles, with pictures by address', () => {
    const image = { type: 'image_url', image_url: { url: 'https://p.example/1.png' } };
    expect(
      write([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: [{ type: 'text', text: 'c' }, image] },
      ]),
    ).toEqual([
      { role: 'user', content: 'a', content_type: 'text' },
      { role: 'assistant', type: 'answer', content: 'b', content_type: 'text' },
      {
        role: 'user',
        content: '[{"type":"text","text":"c"},{"type":"image","file_url":"https://p.example/1.png"}]',
        content_type: 'object_string',
      },
    ]);
    const inline = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } };
    expect(() => write([{ role: 'user', content: [inline] }])).toThrow(/the Coze protocol/);
  });
});

describe('the stream of a bot', () => {
  it('tells a response that came in one piece, and what the bot thought', () => {
    const events = read(
      ['conversation.message.completed', cozeSays('knowledge', { type: 'knowledge' })],
      ['conversation.message.completed', cozeSays('Whole.', { reasoning_content: 'hm' })],
      ['conversation.chat.completed', cozeEnd],
    );
    expect(textOf(events)).toBe('hmWhole.');
    expect(events.at(-1)).toEqual({ type: 'end' });
  });

  it('is read wherever it is cut', () => {
    const bytes = Buffer.concat(cozeStream(['event', cozeSays('event:x\n')], ['done', '[DONE]']).pieces ?? []);
    const whole = createEventNameDecoder().push(bytes);
    expect(whole).toMatch(
      /^data: \{"event":"event"\}\n\ndata:\{.*\}\n\ndata: \{"event":"done"\}\n\ndata:"\[DONE\]"\n\n$/,
    );
    for (let at = 1; at < bytes.length; at += 1) {
      const decoder = createEventNameDecoder();
      expect(decoder.push(bytes.subarray(0, at)) + decoder.push(bytes.subarray(at))).toBe(whole);
    }
  });
});
