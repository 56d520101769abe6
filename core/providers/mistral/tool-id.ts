import { createHash } from 'node:crypto';
import type { JsonObject } from '../../lib/json-value.ts';
import { mapMessages } from '../message-fix.ts';

const accepted = /^[a-zA-Z0-9]{9}$/;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Mistral takes nothing but nine letters and digits as the id of a tool call; others are replaced, the same one always by the same. */
export function shortenToolIds(messages: JsonObject[]): JsonObject[] {
  const shorten = createShortener(messages);
  return mapMessages(messages, (message) => {
    const { tool_calls: calls, tool_call_id: id } = message;
    if (typeof id === 'string' && !accepted.test(id)) return { ...message, tool_call_id: shorten(id) };
    if (!Array.isArray(calls) || calls.every((call) => accepted.test(idOf(call)))) return message;
    return { ...message, tool_calls: calls.map((call) => ({ ...(call as object), id: shorten(idOf(call)) })) };
  });
}

/** Two ids never become one: an id that is taken already is hashed once more. */
function createShortener(messages: JsonObject[]): (id: string) => string {
  const taken = new Set<string>();
  for (const { tool_calls: calls } of messages) {
    if (Array.isArray(calls)) for (const call of calls) if (accepted.test(idOf(call))) taken.add(idOf(call));
  }
  const shortById = new Map<string, string>();
  return (id) => {
    if (accepted.test(id)) return id;
    let short = shortById.get(id);
    for (let round = 0; short === undefined; round += 1) {
      const candidate = hashOf(id, round);
      if (taken.has(candidate)) continue;
      short = candidate;
      taken.add(short);
      shortById.set(id, short);
    }
    return short;
  };
}

function hashOf(id: string, round: number): string {
  const digest = createHash('sha256').update(`${round}:${id}`).digest();
  let text = '';
  for (const byte of digest.subarray(0, 9)) text += letters[byte % letters.length];
  return text;
}

function idOf(call: unknown): string {
  return typeof call === 'object' && call !== null && 'id' in call && typeof call.id === 'string' ? call.id : '';
}
