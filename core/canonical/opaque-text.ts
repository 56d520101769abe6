import { countValueMarks } from '../lib/json-value-bound.ts';
import type { ChatProtocol, Opaque } from './chat-request.ts';

/** Marks a text as ours: no vendor's signature or encrypted content begins so. */
const prefix = 'tollgate.';
/** It is a list of four texts; signatures are hardly made of commas. */
const manyMarks = 10_000;
const kinds: readonly string[] = ['signature', 'encrypted', 'redacted'];

/**
 * One vendor's signature inside another protocol's field, so that a client which only keeps what it knows brings it back.
 * Unchanged when the field's protocol is the one it came from.
 */
export function wrapOpaque(opaque: Opaque, field: ChatProtocol): string {
  if (opaque.origin === field) return opaque.value;
  const { origin, kind, value, id = '' } = opaque;
  return prefix + Buffer.from(JSON.stringify([origin, kind, value, id])).toString('base64url');
}

/** What is in a protocol's field: its own, or another's that `wrapOpaque` put there. Undefined for a broken wrapping. */
export function unwrapOpaque(text: string, field: ChatProtocol, kind: Opaque['kind']): Opaque | undefined {
  if (!text.startsWith(prefix)) return { origin: field, value: text, kind };
  try {
    const json = Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8');
    if (countValueMarks(json) > manyMarks) return undefined;
    const [origin, wrappedKind, value, id] = JSON.parse(json) as string[];
    if (typeof origin !== 'string' || typeof value !== 'string' || !kinds.includes(wrappedKind ?? '')) return undefined;
    return {
      origin: origin as ChatProtocol,
      value,
      kind: wrappedKind as Opaque['kind'],
      ...(id && { id }),
    };
  } catch {
    return undefined; // cut or altered on its way: as good as none
  }
}
