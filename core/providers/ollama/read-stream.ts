import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';
import { mapFinishReason } from './map-finish-reason.ts';
import { mapUsage } from './map-usage.ts';

/** Reads the lines of `/api/chat`, and whole answers as one of them. */
export function createOllamaReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let calls = 0;

  function chunkOf(line: JsonObject): JsonObject {
    const { message, model, done, done_reason: reason, logprobs } = line;
    const { content, thinking, tool_calls: called } = recordOf(message);
    const written = recordsOf(called).map(({ function: body }) => ({ index: calls++, function: body }));
    const usage = done === true ? mapUsage(line) : undefined;
    return {
      model,
      choices: [
        {
          index: 0,
          delta: { content, reasoning: thinking, ...(written.length > 0 && { tool_calls: written }) },
          finish_reason: done === true ? mapFinishReason(reason) : null,
          ...(Array.isArray(logprobs) && { logprobs: { content: logprobs } }),
        },
      ],
      ...(usage && { usage }),
    };
  }

  return {
    event: (data) => reader.event(isJsonObject(data) && data.error === undefined ? chunkOf(data) : data),
    end: () => reader.end(),
  };
}
