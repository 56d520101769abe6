import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../../core/canonical/fold.ts';
import { finish } from '../../../core/lib/steps.ts';
import type { OwnChat } from '../../../core/providers/adapter.ts';
import { chatClients } from '../../../core/wire/chat-client.ts';
import { adapterOf, channelOf } from './call.ts';

function ownOf(): OwnChat {
  const own = adapterOf(21).ownChat?.('m', channelOf(21));
  if (!own) throw new Error('the knowledge base has a format of its own');
  return own;
}

const documents = [
  { title: 'Doc A', url: 'https://kb.example/a' },
  { title: '', url: 'https://kb.example/b' },
];
const links =
  '\n\n参考资料 / References:\n\n1. [Doc A](https://kb.example/a)\n2. [https://kb.example/b](https://kb.example/b)';
const context = { identity: { id: 'i', model: 'm', created: 1 } };

describe('an AI Proxy knowledge base', () => {
  it('is asked with the last message, and says what it leaves out', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ];
    const request = finish(chatClients['openai-chat'].readRequest({ model: 'm', messages, temperature: 1, user: 'u' }));
    const { body, losses } = finish(ownOf().codec.writeRequest(request, { model: 'up', defaultMaxOutput: 1 }));
    expect(body).toEqual({ model: 'up', query: 'c', stream: false });
    expect(losses.map(({ field }) => field)).toEqual(['temperature', 'safety_identifier', 'messages']);
  });

  it('cannot be asked before its id is set', () => {
    const call = { query: new URLSearchParams(), model: 'm', body: {} } as Parameters<OwnChat['buildRequest']>[0];
    expect(() => ownOf().buildRequest(call, channelOf(21))).toThrow(/other/);
  });

  it('names its documents behind the response, in whichever event they come', () => {
    const reader = ownOf().codec.createStreamReader(context);
    const events = [
      ...reader.event({ content: 'X is ', finish: false, documents }),
      ...reader.event({ content: 'a thing.', finish: true, documents: [] }),
      ...reader.end(),
    ];
    const [part] = foldEvents(events).choices[0]?.parts ?? [];
    expect(part).toMatchObject({ kind: 'text', text: `X is a thing.${links}`, citations: [{ title: 'Doc A' }, {}] });
    expect(ownOf().codec.readResponse({ success: true, answer: 'X.', documents }, context)).toContainEqual({
      type: 'delta',
      part: 0,
      text: links,
    });
  });

  it('whose stream ends before the response does has broken off', () => {
    const reader = ownOf().codec.createStreamReader(context);
    expect([...reader.event({ content: 'X', finish: false }), ...reader.end()].at(-1)).toMatchObject({ type: 'error' });
  });
});
