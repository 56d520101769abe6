import { countValueMarks } from '../lib/json-value-bound.ts';
import type { ChatProtocol, Opaque } from './chat-request.ts';

/** Marks a text as ours: no vendor's signature or encrypted content begins so. */
const prefix = 'tollgate.';
/** The same as base64. */
const packedPrefix = Buffer.from(prefix).toString('base64');
/** How a text that is ours begins in a body. */
export const opaqueMarks: readonly string[] = [`"${prefix}`, `"${packedPrefix}`];
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
  const json = JSON.stringify([origin, kind, value, id]);
  // To Google these are bytes: its SDKs in typed languages read nothing of a response with anything but base64 in their place.
  if (field === 'gemini') return Buffer.from(prefix + json).toString('base64');
  return prefix + Buffer.from(json).toString('base64url');
}

/** What is in a protocol's field: its own, or another's that `wrapOpaque` put there. Undefined for a broken wrapping. */
export function unwrapOpaque(text: string, field: ChatProtocol, kind: Opaque['kind']): Opaque | undefined {
  const start = [prefix, packedPrefix].find((one) => text.startsWith(one));
  if (start === undefined) return { origin: field, value: text, kind };
  try {
    const json = Buffer.from(text.slice(start.length), 'base64url').toString('utf8');
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
