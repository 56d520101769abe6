import type { ChatProtocol, Opaque, Part } from '../../canonical/chat-request.ts';
import { countOf, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';

/** OpenRouter's list of reasoning, which clients keep and send back: the only place this protocol has for signatures. */
const formats: Record<ChatProtocol, string> = {
  'anthropic-messages': 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
  'openai-responses': 'openai-responses-v1',
  'openai-chat': 'openai-chat-v1',
};

/** A piece of reasoning text. Pieces of one part share its index. */
export function writeTextDetail(text: string, index: number): JsonObject {
  return { type: 'reasoning.text', text, index };
}

/** What closes a part of reasoning. */
export function writeOpaqueDetail({ origin, kind, value, id }: Opaque, index: number): JsonObject {
  const shared = { format: formats[origin], index, ...(id !== undefined && { id }) };
  return kind === 'signature'
    ? { type: 'reasoning.text', signature: value, ...shared }
    : { type: 'reasoning.encrypted', data: value, ...shared };
}

/** The reasoning of an earlier turn, part by part; `details` is what a client kept of it, whole or in the pieces of a stream. */
export function readReasoningDetails(details: unknown): Part[] {
  const groups = new Map<unknown, JsonObject[]>();
  for (const detail of recordsOf(details)) {
    const key = countOf(detail.index) ?? 'unnumbered';
    const group = groups.get(key);
    if (group) group.push(detail);
    else groups.set(key, [detail]);
  }
  return [...groups.values()].map(readGroup);
}

function readGroup(details: JsonObject[]): Part {
  const text = details.map((detail) => textOf(detail.text) || textOf(detail.summary)).join('');
  const opaque = details.map(readOpaque).find((found) => found !== undefined);
  const isSummary = details.some(({ type }) => type === 'reasoning.summary');
  return { kind: 'reasoning', text, form: isSummary ? 'summary' : 'full', ...(opaque && { opaque }) };
}

function readOpaque({ signature, data, format, id }: JsonObject): Opaque | undefined {
  const origin = (Object.keys(formats) as ChatProtocol[]).find((protocol) => formats[protocol] === format);
  const value = textOf(signature) || textOf(data);
  if (!origin || value === '') return undefined;
  const hidden = origin === 'anthropic-messages' ? 'redacted' : 'encrypted';
  return {
    origin,
    value,
    kind: textOf(signature) === '' ? hidden : 'signature',
    ...(textOf(id) !== '' && { id: textOf(id) }),
  };
}
