import { describe, expect, it } from 'vitest';
import type { ChatRequest, Message } from '../../../../core/canonical/chat-request.ts';
import { defaultModelSettings } from '../../../../core/providers/model-setting.ts';
import type { ReadCall } from '../../../../core/relay/call.ts';
import { convertCall, readChat } from '../../../../core/relay/request/conversion.ts';
import { ObjectBody } from '../../../../core/relay/request/object-body.ts';
import { protocols } from '../../../../core/wire/registry.ts';
import { chatRequest } from '../../../support/chat-request.ts';
import { adapterOf, channelOf } from '../../providers/call.ts';

const messageCount = 160;

/** An object whose reading takes at least a millisecond, as a long one would. */
function slowly<T extends object>(object: T, member: keyof T): T {
  const value = object[member];
  return Object.defineProperty({ ...object }, member, {
    enumerable: true,
    get() {
      const until = performance.now() + 1;
      while (performance.now() < until);
      return value;
    },
  });
}

const slowList = <T extends object>(object: T, member: keyof T) =>
  Array.from({ length: messageCount }, () => slowly(object, member));

function callWith(json: Record<string, unknown>, chat: ChatRequest | undefined): ReadCall {
  const protocol = protocols['openai-chat'];
  const body = new ObjectBody(json);
  return {
    call: { id: 'id', protocol, query: new URLSearchParams(), clientHeaders: {} },
    body,
    json,
    chat,
    request: protocol.parse(body.fields),
    promptEstimate: 1,
    media: {} as ReadCall['media'],
  };
}

/** How often others had their turn until it was done. */
async function turnsDuring(work: Promise<unknown> | undefined): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  await work;
  clearImmediate(next);
  return turns;
}

describe('a call that takes long to convert', () => {
  it('leaves turns to others while it is read', async () => {
    const messages = slowList({ role: 'user', content: 'x' }, 'content');
    const run = callWith({ model: 'm', messages }, undefined);
    expect(await turnsDuring(readChat(run))).toBeGreaterThanOrEqual(4);
    expect(run.chat?.messages).toHaveLength(messageCount);
  });

  it('leaves turns to others while it is written', async () => {
    const message: Message = { role: 'user', parts: [{ kind: 'text', text: 'x' }] };
    const run = callWith(
      { model: 'm', messages: [{ role: 'user', content: 'x' }] },
      chatRequest({ messages: slowList(message, 'parts') }),
    );
    const channel = { ...channelOf(14), name: 'claude' } as unknown as Parameters<typeof convertCall>[1]['channel'];
    const target = { channel, adapter: adapterOf(14), upstreamModel: 'claude-sonnet-4-5', created: 1 };
    const options = { modelSettings: () => defaultModelSettings };
    expect(await turnsDuring(convertCall(run, { ...target, options }))).toBeGreaterThanOrEqual(4);
  });
});
