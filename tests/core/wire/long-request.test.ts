import { describe, expect, it } from 'vitest';
import type { ChatProtocol } from '../../../core/canonical/chat-request.ts';
import { finish, type Steps } from '../../../core/lib/steps.ts';
import { clients, upstreams } from '../../support/chat-codecs.ts';
import { adapterOf, channelOf } from '../providers/call.ts';

const count = 3200;
/** Reading and writing walk through the list more than once, but at least once. */
const minSteps = count / 32;

const list = (make: (index: number) => unknown) => Array.from({ length: count }, (_, index) => make(index));
const side = (index: number, model = 'assistant') => (index % 2 === 0 ? 'user' : model);
const manyMessages: Record<ChatProtocol, Record<string, unknown>> = {
  'openai-chat': { model: 'm', messages: list((index) => ({ role: side(index), content: 'x' })) },
  'openai-responses': { model: 'm', input: list((index) => ({ role: side(index), content: 'x' })) },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 1,
    messages: list((index) => ({ role: side(index), content: 'x' })),
  },
  gemini: { contents: list((index) => ({ role: side(index, 'model'), parts: [{ text: 'x' }] })) },
};
const parts = list(() => ({ type: 'text', text: 'x' }));
const manyParts: Record<ChatProtocol, Record<string, unknown>> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: parts }] },
  'openai-responses': { model: 'm', input: [{ role: 'user', content: parts }] },
  'anthropic-messages': { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: parts }] },
  gemini: { contents: [{ role: 'user', parts: list(() => ({ text: 'x' })) }] },
};

const models: Record<ChatProtocol, string> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};
const names = Object.keys(clients) as ChatProtocol[];
const bodies = { 'many messages': manyMessages, 'many parts in one message': manyParts };
const calls = Object.entries(bodies).flatMap(([what, body]) => names.map((name) => ({ what, name, body: body[name] })));

function countSteps(work: Steps<unknown>): number {
  let steps = 0;
  while (!work.next().done) steps += 1;
  return steps;
}

/** Other calls are served between the steps (`finishInTurns`). */
describe.each(calls)('$what from a $name client', ({ name, body }) => {
  const read = () => clients[name].readRequest(body, { model: 'm' });

  it('are read in steps', () => {
    expect(countSteps(read())).toBeGreaterThanOrEqual(minSteps);
  });

  it.each(names)('are written in steps for an upstream that speaks %s', (upstream) => {
    const context = { model: models[upstream], defaultMaxOutput: 4096 };
    const writing = upstreams[upstream].writeRequest(finish(read()), context);
    expect(countSteps(writing)).toBeGreaterThanOrEqual(minSteps);
  });

  it('are written in steps for an upstream with a format of its own', () => {
    const own = adapterOf(34).ownChat?.('command-a-03-2025', channelOf(34));
    const writing = own?.codec.writeRequest(finish(read()), { model: 'command-a-03-2025', defaultMaxOutput: 4096 });
    expect(writing && countSteps(writing)).toBeGreaterThanOrEqual(minSteps);
  });
});

describe('a long picture with spaces', () => {
  it('loses them in steps', () => {
    const data = 'aGk= \n'.repeat(1_000_000);
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const messages = [{ role: 'user', content: [picture] }];
    const reading = () => clients['anthropic-messages'].readRequest({ model: 'm', max_tokens: 1, messages });
    expect(countSteps(reading())).toBeGreaterThan(50);
    const source = { type: 'data', mime: 'image/png', data: 'aGk='.repeat(1_000_000) };
    expect(finish(reading()).messages).toEqual([{ role: 'user', parts: [{ kind: 'image', source }] }]);
  });
});
