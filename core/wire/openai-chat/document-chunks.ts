import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { formatResponse } from './force-format.ts';
import type { StreamIdentity } from './usage-chunk.ts';

/** First what each choice says, then how it ended, then usage: the order of OpenAI's own streams. */
export function chatDocumentChunks(document: JsonObject, identity: StreamIdentity): JsonObject[] {
  const { choices, usage: _usage, object: _object, ...shared } = formatResponse(document, identity);
  const chunk = (list: unknown[], more: JsonObject = {}): JsonObject => ({
    ...shared,
    object: 'chat.completion.chunk',
    choices: list,
    ...more,
  });
  const chunks: JsonObject[] = [];
  for (const choice of choices as JsonObject[]) {
    const { index, message, logprobs, finish_reason } = choice;
    chunks.push(chunk([{ index, delta: numbered(message as JsonObject), logprobs, finish_reason: null }]));
    chunks.push(chunk([{ index, delta: {}, logprobs: null, finish_reason }]));
  }
  if (isJsonObject(document.usage)) chunks.push(chunk([], { usage: document.usage }));
  return chunks;
}

function numbered(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call: JsonObject, index) => ({ index, ...call })) };
}
