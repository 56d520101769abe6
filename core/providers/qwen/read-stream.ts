import type { ChatStreamReader, ChatUpstreamCodec, ReadContext } from '../../canonical/chat-codec.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';
import { writeQwenRequest } from './write-request.ts';

export const qwenChat: ChatUpstreamCodec = {
  protocol: 'vendor',
  writeRequest: writeQwenRequest,
  createStreamReader: createQwenReader,
  isResponse: (response) => isJsonObject(recordOf(response).output),
  readResponse(response, context) {
    const reader = createQwenReader(context);
    return [...reader.event(response), ...reader.event('[DONE]'), ...reader.end()];
  },
};

/** Reads events, and whole responses as one of them, as the chunks of OpenAI that say the same. */
function createQwenReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  return {
    event: (data) => reader.event(isJsonObject(data) && isJsonObject(data.output) ? chunkOf(data, data.output) : data),
    ending: () => reader.ending?.() ?? [],
    end: reader.end,
  };
}

/** Its usage has OpenAI's newer names and counts all so far; the older form of a response is a text without a message. */
function chunkOf({ request_id: id, usage }: JsonObject, output: JsonObject): JsonObject {
  const { choices, text, finish_reason } = output;
  if (!Array.isArray(choices)) return { id, usage, choices: [{ index: 0, delta: { content: text }, finish_reason }] };
  return {
    id,
    usage,
    choices: recordsOf(choices).map(({ message, ...choice }, index) => ({ index, ...choice, delta: message })),
  };
}
