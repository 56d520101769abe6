import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../core/canonical/chat-event.ts';
import { foldEvents } from '../../../core/canonical/fold.ts';
import { emptyUsage } from '../../../core/canonical/usage.ts';

describe('a folded response', () => {
  it('keeps parts in order of appearance, whichever deltas came between', () => {
    const signature = { origin: 'anthropic-messages', kind: 'signature', value: 's' } as const;
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm', created: 5 },
      { type: 'open', part: 0, choice: 0, kind: 'reasoning' },
      { type: 'delta', part: 0, text: 'hm' },
      { type: 'ping' },
      { type: 'close', part: 0, opaque: signature },
      { type: 'open', part: 1, choice: 0, kind: 'toolCall', id: 'c1', name: 'f' },
      { type: 'open', part: 2, choice: 0, kind: 'toolCall', id: 'c2', name: 'g', custom: true },
      { type: 'delta', part: 2, text: 'x' },
      { type: 'delta', part: 1, text: '{' },
      { type: 'delta', part: 1, text: '}' },
      { type: 'close', part: 1 },
      { type: 'close', part: 2 },
      { type: 'usage', usage: { ...emptyUsage, prompt: 1 } },
      { type: 'usage', usage: { ...emptyUsage, prompt: 2 } },
      { type: 'finish', choice: 0, reason: 'tool' },
      { type: 'end' },
    ];
    expect(foldEvents(events)).toEqual({
      id: 'a',
      model: 'm',
      created: 5,
      choices: [
        {
          index: 0,
          parts: [
            { kind: 'reasoning', text: 'hm', opaque: signature },
            { kind: 'toolCall', id: 'c1', name: 'f', arguments: '{}' },
            { kind: 'toolCall', id: 'c2', name: 'g', arguments: 'x', custom: true },
          ],
          finish: { reason: 'tool' },
        },
      ],
      usage: { ...emptyUsage, prompt: 2 },
      error: undefined,
    });
  });

  it('keeps choices apart and sorted, citations and likelihoods with their text', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'a', model: 'm', created: 5 },
      { type: 'open', part: 0, choice: 1, kind: 'text' },
      { type: 'open', part: 1, choice: 0, kind: 'refusal' },
      { type: 'delta', part: 0, text: 'one' },
      { type: 'citation', part: 0, citation: { url: 'https://a.example' } },
      { type: 'logprobs', part: 0, logprobs: [{ token: 'o' }] },
      { type: 'logprobs', part: 0, logprobs: [{ token: 'ne' }] },
      { type: 'delta', part: 1, text: 'no' },
      { type: 'close', part: 0 },
      { type: 'close', part: 1 },
      { type: 'finish', choice: 1, reason: 'stop', stopSequence: 'X' },
    ];
    const { choices } = foldEvents(events);
    expect(choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(choices[1]?.parts).toEqual([
      {
        kind: 'text',
        text: 'one',
        citations: [{ url: 'https://a.example' }],
        logprobs: [{ token: 'o' }, { token: 'ne' }],
      },
    ]);
    expect(choices[1]?.finish).toEqual({ reason: 'stop', stopSequence: 'X' });
  });

  it('has one empty choice when nothing was said, and remembers what failed', () => {
    const { choices, error } = foldEvents([{ type: 'error', status: 529, body: { error: 'busy' } }]);
    expect(choices).toEqual([{ index: 0, parts: [], finish: undefined }]);
    expect(error).toEqual({ status: 529, body: { error: 'busy' } });
  });
});
