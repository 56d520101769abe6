import { isJsonObject, recordsOf, textOf } from '../lib/json-value.ts';
import type { Part } from './chat-request.ts';

/**
 * What a block of one protocol alone says as plain text, for every other one: a search result that an Anthropic client brings
 * along. Undefined for blocks that are not text.
 */
export function nativeText({ origin, raw }: Extract<Part, { kind: 'native' }>): string | undefined {
  if (origin !== 'anthropic-messages' || !isJsonObject(raw) || raw.type !== 'search_result') return undefined;
  const passages = recordsOf(raw.content).map(({ text }) => textOf(text));
  return [textOf(raw.title), textOf(raw.source), ...passages].filter((text) => text !== '').join('\n\n');
}
