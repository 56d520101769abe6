import { AppError } from '../errors/app-error.ts';
import type { RelayBody } from './call.ts';

export interface SensitiveWords {
  /** Throws `relay.sensitive` when the prompt holds a word of the list, in any case; at once, or for a long body as a promise. */
  check(body: RelayBody): Promise<void> | undefined;
}

/** Keys whose strings a model reads. */
const promptKeys = ['messages', 'prompt', 'input', 'instruction', 'instructions', 'system'];
/** Pieces that are searched between two turns of the event loop. */
const turnCharacters = 1024 * 1024;

/** Substring search, linear in the text for each word; nothing in a word is a pattern. */
export function createSensitiveWords(words: () => readonly string[]): SensitiveWords {
  let given: readonly string[] = [];
  let lowered: readonly string[] = [];

  /** The option hands out the same list until it changes. */
  function lowerCase(list: readonly string[]): readonly string[] {
    if (list !== given) {
      given = list;
      lowered = list.map((word) => word.toLowerCase());
    }
    return lowered;
  }

  return {
    check(body) {
      const list = lowerCase(words());
      if (list.length === 0) return undefined;
      const json = body.json();
      if (json instanceof Promise || body.size > turnCharacters) return checkInTurns(json, list);
      if (json) refuseWords(textsOf(json).join('\n'), list);
      return undefined;
    },
  };
}

type Json = Record<string, unknown> | undefined;

async function checkInTurns(reading: Json | Promise<Json>, list: readonly string[]): Promise<void> {
  const json = await reading;
  if (!json) return;
  let pending = '';
  for (const text of textsOf(json)) {
    pending += `${text}\n`;
    if (pending.length < turnCharacters) continue;
    refuseWords(pending, list);
    pending = '';
    await new Promise((resolve) => setImmediate(resolve));
  }
  refuseWords(pending, list);
}

function refuseWords(text: string, words: readonly string[]): void {
  const lower = text.toLowerCase();
  if (words.some((word) => lower.includes(word))) throw new AppError('relay.sensitive');
}

function textsOf(body: Record<string, unknown>): string[] {
  const texts: string[] = [];
  const open: unknown[] = promptKeys.map((key) => body[key]);
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      if (!value.startsWith('data:')) texts.push(value);
    } else if (Array.isArray(value)) {
      // One by one: spreading a long array would overflow the stack.
      for (const item of value) open.push(item);
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) open.push((value as Record<string, unknown>)[key]);
    }
  }
  return texts;
}
