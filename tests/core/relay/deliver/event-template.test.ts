import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventTemplate } from '../../../../core/relay/deliver/event-template.ts';
import { openaiChat } from '../../../../core/wire/openai-chat/index.ts';

const delta = (content: string, more: object = {}) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    model: 'm',
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null, ...more }],
    usage: null,
  });

/** A template as the relay uses it: what it cannot tell is parsed, and learned from. */
function reader() {
  const template = new EventTemplate(openaiChat.readEvent);
  return (data: string) => {
    const text = template.textOf(data);
    if (text !== undefined) return { text, isParsed: false };
    const reading = openaiChat.readEvent(JSON.parse(data));
    template.learn(data, reading);
    return { text: reading.text, isParsed: true };
  };
}

describe('an event like the one before it', () => {
  it('is read without parsing', () => {
    const read = reader();
    expect(read(delta('Hello'))).toEqual({ text: 'Hello', isParsed: true });
    expect(read(delta(' world'))).toEqual({ text: ' world', isParsed: false });
  });

  it('is parsed when its text is written otherwise than it reads, or anything beside the text differs', () => {
    const read = reader();
    read(delta('Hello'));
    for (const text of ['line\nend', 'a "word"', 'back\\slash', '\u0001']) {
      expect(read(delta(text))).toEqual({ text, isParsed: true });
    }
    expect(read(delta('', { finish_reason: 'stop' })).isParsed).toBe(true);
    expect(read(delta('!', { finish_reason: 'stop' })).isParsed).toBe(true);
    expect(read(delta('!', { delta: { content: '!', reasoning: '?' } })).text).toBe('!?');
    expect(read(delta('again'))).toEqual({ text: 'again', isParsed: false });
  });

  it('is parsed always when the text that was learned is not what the protocol reads', () => {
    const read = reader();
    const twice = (text: string) => JSON.stringify({ note: text, choices: [{ delta: { reasoning: 'x' } }] });
    for (const text of ['x1', 'x', 'x2']) expect(read(twice(text))).toEqual({ text: 'x', isParsed: true });
  });

  it('reads as parsing does, whatever the texts are', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('role', 'content', 'm', '0', ''),
    );
    const anyEvent = fc.tuple(
      anyText,
      fc.constantFrom({}, { finish_reason: 'stop' }, { delta: { role: 'assistant' } }),
    );
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const read = reader();
        for (const [text, more] of events) {
          // As the relay contains it: one character per byte.
          const data = Buffer.from(delta(text, more)).toString('latin1');
          expect(read(data).text).toBe(openaiChat.readEvent(JSON.parse(data)).text);
        }
      }),
      { numRuns: 300 },
    );
  });
});
