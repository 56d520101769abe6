import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { createAnthropicMender, namedEvent } from '../../../../core/wire/anthropic-messages/mend-event.ts';

const identity = { id: 'msg_1', model: 'claude', created: 1 };
const start = (usage: unknown) => ({
  type: 'message_start',
  message: { id: 'msg_2', type: 'message', role: 'assistant', model: 'claude', content: [], usage },
});
const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const begins = (text: string) => ({ ...block, content_block: { type: 'text', text } });
const says = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const stop = { type: 'content_block_stop', index: 0 };
const delta = (usage: unknown) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage,
});
const end = { type: 'message_stop' };
const input = { input_tokens: 7, output_tokens: 1 };

/** As the client gets them. */
function passed(events: readonly object[]): string {
  const mender = createAnthropicMender(identity, 7);
  const own = (event: object) => namedEvent(`data: ${JSON.stringify(event)}\n\n`);
  const written = events.map((event) => (mender.isStray(event) ? mender.mend(event) : own(event)));
  return written.join('') + mender.end({ ...emptyUsage, prompt: 7, completion: 2 }) + own(end);
}

async function read(text: string) {
  const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const client = new Anthropic({ apiKey: 'k', baseURL: 'http://localhost', maxRetries: 0, fetch });
  const call = { model: 'claude', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] };
  return client.messages.stream(call).finalMessage();
}

describe('a Messages stream that its SDK would throw on, or lose something of', () => {
  it.each([
    ['no usage at its start', [start(undefined), block, says('Hi'), says('!'), stop, delta({ output_tokens: 2 })]],
    ['null for a usage', [start(null), block, says('Hi'), says('!'), stop, delta(null)]],
    ['no usage at its end', [start(input), block, says('Hi!'), stop, { ...delta(0), usage: undefined }]],
    ['no start of a text', [start(input), says('Hi'), says('!'), stop, delta({ output_tokens: 2 })]],
    ['no start at all', [block, says('Hi!'), stop, delta({ output_tokens: 2 })]],
    ['its text in the start of the block', [start(input), begins('Hi!'), stop, delta({ output_tokens: 2 })]],
    ['two starts', [start(input), start(input), block, says('Hi!'), stop, delta({ output_tokens: 2 })]],
    ['two odd starts', [start(null), start(input), start(null), block, says('Hi!'), stop, delta({ output_tokens: 2 })]],
    ['no word for its end', [start(input), block, says('Hi!'), stop]],
    ['null for its end', [start(input), block, says('Hi!'), stop, { ...delta({ output_tokens: 2 }), delta: {} }]],
    ['neither of them', [says('Hi!'), delta(null)]],
  ])('is whole with %s', async (_name, events) => {
    expect(await read(passed(events))).toMatchObject({
      content: [{ type: 'text', text: 'Hi!' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 2 },
    });
  });

  it('has its text behind the start of the block, where all clients read it', () => {
    expect(passed([start(input), begins('Hi!'), stop, delta({ output_tokens: 2 })])).toContain(
      `${JSON.stringify(block)}\n\nevent: content_block_delta\ndata: ${JSON.stringify(says('Hi!'))}\n\n`,
    );
  });

  it('is left as it is otherwise', () => {
    const events = [start(input), block, says('Hi'), { type: 'ping' }, stop, delta({ output_tokens: 2 })];
    const mender = createAnthropicMender(identity, 7);
    expect(events.some((event) => mender.isStray(event))).toBe(false);
    expect(mender.end(emptyUsage)).toBe('');
    const named = 'event: ping\ndata: {"type":"ping"}\n\n';
    expect([namedEvent(named), namedEvent('data: [DONE]\n\n')]).toEqual([named, 'data: [DONE]\n\n']);
  });
});
