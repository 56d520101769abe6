import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../../core/canonical/chat-request.ts';
import { orderToolResults, settleToolResults } from '../../../core/canonical/tool-order.ts';
import { finish } from '../../../core/lib/steps.ts';

const call = (id: string): Part => ({ kind: 'toolCall', id, name: 'f', arguments: '{}' });
const result = (callId: string, text = callId): Part => ({
  kind: 'toolResult',
  callId,
  parts: [{ kind: 'text', text }],
});
const text = (value: string): Part => ({ kind: 'text', text: value });
const say = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts });

/** `assistant:a,b` for short. */
function outline(messages: readonly Message[]): string[] {
  return messages.map(({ role, parts }) => {
    const names = parts.map((part) => {
      if (part.kind === 'toolCall') return part.id;
      if (part.kind === 'toolResult') return `=${(part.parts[0] as { text: string }).text}`;
      return 'text' in part ? part.text : part.kind;
    });
    return `${role}:${names.join(',')}`;
  });
}

describe('results of tool calls', () => {
  it('edge 11: stand directly behind their calls, in the order of the calls, whatever the client put between', () => {
    const messages = [
      say('user', text('go')),
      say('assistant', call('a'), call('b')),
      say('user', text('wait')),
      say('tool', result('b')),
      say('tool', result('a')),
    ];
    expect(outline(finish(orderToolResults(messages)))).toEqual([
      'user:go',
      'assistant:a,b',
      'tool:=a,=b',
      'user:wait',
    ]);
  });

  it('belong to the latest call of their id: upstreams that count from 0 use one twice', () => {
    const messages = [
      say('assistant', call('0')),
      say('tool', result('0', 'first')),
      say('assistant', call('0')),
      say('tool', result('0', 'second')),
    ];
    expect(outline(finish(settleToolResults(messages)).messages)).toEqual([
      'assistant:0',
      'tool:=first',
      'assistant:0',
      'tool:=second',
    ]);
  });

  it('find the calls they belong to where an upstream gave one id to all calls of a message', () => {
    const messages = [
      say('assistant', call('x'), call('x'), call('x_2'), call('x')),
      say('tool', result('x', 'one'), result('x', 'two'), result('x_2', 'other')),
      say('user', text('and?')),
    ];
    const { messages: settled } = finish(settleToolResults(finish(orderToolResults(messages))));
    expect(outline(settled)).toEqual([
      'assistant:x,x_3,x_2,x_4',
      'tool:=one,=two,=other,=There is no result: the call was interrupted.',
      'user:and?',
    ]);
    const ids = settled[1]?.parts.map((part) => (part.kind === 'toolResult' ? part.callId : ''));
    expect(ids).toEqual(['x', 'x_3', 'x_2', 'x_4']);
  });

  it('are the last ones given', () => {
    const messages = [say('assistant', call('a')), say('tool', result('a', 'old')), say('tool', result('a', 'new'))];
    expect(outline(finish(orderToolResults(messages)))).toEqual(['assistant:a', 'tool:=new']);
  });

  it('edge 11: are made up as errors where they are missing, and become text without a call', () => {
    const settled = finish(
      settleToolResults([
        say('assistant', call('a'), call('b'), call('c')),
        say('tool', result('c'), result('b')),
        say('tool', result('stray')),
        say('assistant', call('d')),
      ]),
    );
    expect(settled).toMatchObject({ hasAdded: true, hasOrphan: true });
    expect(outline(settled.messages)).toEqual([
      'assistant:a,b,c',
      'tool:=There is no result: the call was interrupted.,=b,=c',
      'user:Result of the tool call stray:\nstray',
      'assistant:d',
      'tool:=There is no result: the call was interrupted.',
    ]);
  });

  it('change nothing where all is in order', () => {
    const messages = [say('user', text('x')), say('assistant', call('a')), say('tool', result('a')), say('user')];
    expect(finish(settleToolResults(messages))).toEqual({ messages, hasAdded: false, hasOrphan: false });
  });
});
