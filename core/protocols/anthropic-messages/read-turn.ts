import type { Message, Opaque, Part } from '../../canonical/chat-request.ts';
import { orderToolResults } from '../../canonical/tool-order.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../openai-field.ts';
import { readBlocks } from './read-block.ts';

const roles = ['user', 'assistant', 'system'] as const;

/** The turns as messages; what tools answered stands apart from what the user says in the same turn. */
export function readTurns(turns: BodyReader[]): Message[] {
  return orderToolResults(turns.flatMap(readTurn));
}

function readTurn(turn: BodyReader): Message[] {
  const named = turn.requireText('role');
  const role = roles.find((known) => known === named);
  if (!role) throw wrong('request.notOneOf', turn.at('role'), { allowed: roles.join(', ') });
  if (turn.raw('content') === undefined) throw wrong('request.fieldMissing', turn.at('content'));
  const parts = readBlocks(turn, 'content');
  if (role === 'assistant') return [{ role, parts: attachSignatures(parts) }];
  const results = parts.filter(({ kind }) => kind === 'toolResult');
  const others = parts.filter(({ kind }) => kind !== 'toolResult');
  const spoken: Message[] = others.length > 0 || results.length === 0 ? [{ role, parts: others }] : [];
  return results.length > 0 ? [{ role: 'tool', parts: results }, ...spoken] : spoken;
}

/**
 * Another vendor's signature of a call travels in a thinking block of its own before the call, because a call has no place for
 * it here (write-part.ts puts it there).
 */
function attachSignatures(parts: Part[]): Part[] {
  let waiting: Opaque | undefined;
  return parts.flatMap((part) => {
    const carried = carriedSignature(part);
    if (carried) {
      waiting = carried;
      return [];
    }
    if (part.kind !== 'toolCall' || !waiting) return [part];
    const opaque = waiting;
    waiting = undefined;
    return [{ ...part, opaque }];
  });
}

function carriedSignature(part: Part): Opaque | undefined {
  const isCarrier = part.kind === 'reasoning' && part.text === '' && part.opaque?.origin === 'gemini';
  return isCarrier ? part.opaque : undefined;
}
