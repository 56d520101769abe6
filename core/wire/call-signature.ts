import type { Opaque, Part } from '../canonical/chat-request.ts';
import { flatMapInSteps, type Steps } from '../lib/steps.ts';

/**
 * Another vendor's signature of a tool call travels as reasoning of its own before the call, in protocols whose calls have no place
 * for it; here it comes back to the call.
 */
export function* attachSignatures(parts: Part[]): Steps<Part[]> {
  let waiting: Opaque | undefined;
  return yield* flatMapInSteps(parts, (part): Part[] => {
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
