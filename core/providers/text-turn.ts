import { type JsonObject, textOf } from '../lib/json-value.ts';

/** One turn for vendors that know text alone. */
export type TextTurn = JsonObject & { role: string; content: string };

/** System texts of OpenAI's messages, wherever they stand, and the other messages. */
export function splitSystem(messages: readonly JsonObject[]): { system: string; others: JsonObject[] } {
  const isSystem = ({ role }: JsonObject) => role === 'system';
  return {
    system: messages.filter(isSystem).map(contentOf).join('\n\n'),
    others: messages.filter((message) => !isSystem(message)),
  };
}

/** System texts in front that a vendor has no role for: the user says them, and the model agrees. */
export function systemAsTurns(system: string): TextTurn[] {
  return system === ''
    ? []
    : [
        { role: 'user', content: system },
        { role: 'assistant', content: 'Okay' },
      ];
}

/** Text of a message that contains no media. */
export function contentOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part: JsonObject) => textOf(part.text)).join('\n\n');
}

/** Plain turns of one role in a row become one, for vendors that insist on taking turns. */
export function mergeTurns<T extends JsonObject>(turns: readonly T[]): T[] {
  const merged: T[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last && last.role === turn.role && isPlain(last) && isPlain(turn))
      merged[merged.length - 1] = { ...turn, content: `${textOf(last.content)}\n\n${textOf(turn.content)}` };
    else merged.push(turn);
  }
  return merged;
}

function isPlain(turn: JsonObject): boolean {
  return Object.keys(turn).length === 2 && typeof turn.content === 'string';
}
