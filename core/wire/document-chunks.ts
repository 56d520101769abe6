import type { ProtocolName } from '../canonical/request.ts';
import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import { formatResponse } from './openai-chat/force-format.ts';
import type { StreamIdentity } from './openai-chat/usage-chunk.ts';

/** The events of a stream whose upstream ignored `stream` and sent one document, as the client expects them. */
export function documentChunks(protocol: ProtocolName, document: unknown, identity: StreamIdentity): unknown[] {
  if (!isJsonObject(document)) return [document];
  switch (protocol) {
    case 'openai-chat':
      return chatChunks(formatResponse(document, identity), document);
    case 'openai-completion':
      return completionChunks(document);
    case 'openai-transcription':
      return [
        { type: 'transcript.text.delta', delta: document.text },
        { type: 'transcript.text.done', text: document.text, ...usageOf(document) },
      ];
    case 'openai-image':
      return imageEvents(document, 'image_generation.completed');
    case 'openai-image-edit':
      return imageEvents(document, 'image_edit.completed');
    default:
      return [document];
  }
}

/** First what each choice says, then how it ended, then usage: the order of OpenAI's own streams. */
function chatChunks(response: JsonObject, document: JsonObject): JsonObject[] {
  const { choices, usage: _usage, object: _object, ...shared } = response;
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

function completionChunks(document: JsonObject): JsonObject[] {
  const { usage, ...response } = document;
  return isJsonObject(usage) ? [response, { ...response, choices: [], usage }] : [response];
}

function imageEvents(document: JsonObject, type: string): JsonObject[] {
  const { data, created, background, output_format, quality, size } = document;
  const pictures = Array.isArray(data) ? data.filter(isJsonObject) : [];
  return pictures.map((picture, index) => ({
    type,
    ...picture,
    created_at: created,
    background,
    output_format,
    quality,
    size,
    // Once, with the last picture: it is the usage of all of them.
    ...(index === pictures.length - 1 && usageOf(document)),
  }));
}

function usageOf({ usage }: JsonObject): JsonObject {
  return isJsonObject(usage) ? { usage } : {};
}
