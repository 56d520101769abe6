import fc from 'fast-check';
import type { ChatEvent, FinishReason } from '../../core/canonical/chat-event.ts';
import { emptyUsage } from '../../core/canonical/usage.ts';

/** What one part says, in pieces. */
interface Script {
  kind: 'text' | 'reasoning' | 'toolCall';
  pieces: string[];
  signature: string;
}

const word = fc.stringMatching(/^[a-z0-9äß€ ]{0,8}[a-z]$/);
const script: fc.Arbitrary<Script> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    pieces: fc.array(word, { minLength: 1, maxLength: 4 }),
    signature: fc.constant(''),
  }),
  fc.record({
    kind: fc.constant('reasoning' as const),
    pieces: fc.array(word, { minLength: 1, maxLength: 3 }),
    signature: fc.constantFrom('', 'c2ln'),
  }),
  fc.record({
    kind: fc.constant('toolCall' as const),
    pieces: fc.oneof(
      fc.constant<string[]>([]),
      word.map((value) => ['{"a":', JSON.stringify(value), '}']),
    ),
    signature: fc.constant(''),
  }),
);

/**
 * Responses as an upstream may send them: parts of every kind, tool calls open side by side and told in turns. Every sequence keeps
 * the rules of chat-event.ts.
 */
export const arbitraryResponse: fc.Arbitrary<ChatEvent[]> = fc
  .record({
    scripts: fc.array(script, { minLength: 1, maxLength: 6 }),
    picks: fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
    reason: fc.constantFrom<FinishReason>('stop', 'length', 'filter'),
  })
  .map(({ scripts, picks, reason }) => tell(scripts, picks, reason));

function tell(scripts: Script[], picks: number[], reason: FinishReason): ChatEvent[] {
  const events: ChatEvent[] = [{ type: 'start', id: 'a1', model: 'm', created: 9 }];
  const open: { part: number; script: Script; at: number }[] = [];
  let next = 0;
  let step = 0;
  const pick = (count: number) => (picks[step++ % picks.length] ?? 0) % count;
  while (next < scripts.length || open.length > 0) {
    const mayOpen = next < scripts.length && open.every(({ script: { kind } }) => kind === 'toolCall');
    const opens = mayOpen && (open.length === 0 || pick(2) === 0);
    if (opens) {
      const part = next++;
      const opened = scripts[part] as Script;
      open.push({ part, script: opened, at: 0 });
      const { kind } = opened;
      if (kind === 'toolCall')
        events.push({ type: 'open', part, choice: 0, kind, id: `call_${part}`, name: `tool_${part}` });
      else events.push({ type: 'open', part, choice: 0, kind });
      continue;
    }
    // A text or thought that is open is told to its end; calls take turns.
    const current = open.at(-1)?.script.kind === 'toolCall' ? open[pick(open.length)] : open.at(-1);
    if (!current) continue;
    const piece = current.script.pieces[current.at++];
    if (piece !== undefined) {
      events.push({ type: 'delta', part: current.part, text: piece });
      continue;
    }
    const { signature: value } = current.script;
    const opaque = value === '' ? {} : { opaque: { origin: 'anthropic-messages', kind: 'signature', value } as const };
    events.push({ type: 'close', part: current.part, ...opaque });
    open.splice(open.indexOf(current), 1);
  }
  const hasCall = scripts.some(({ kind }) => kind === 'toolCall');
  events.push({
    type: 'usage',
    usage: { ...emptyUsage, prompt: 20, completion: 5, cachedRead: 4, cacheWrite: 3, reasoning: 2 },
  });
  events.push({ type: 'finish', choice: 0, reason: hasCall && reason === 'stop' ? 'tool' : reason });
  events.push({ type: 'end' });
  return events;
}
