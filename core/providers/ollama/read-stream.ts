import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';

/** Reads the lines of `/api/chat`, and whole responses as one of them. */
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
    ending: () => reader.ending?.() ?? [],
    end: () => reader.end(),
  };
}

/** As OpenAI writes it. Older versions leave the prompt out when they had it in their cache: then the relay counts. */
export function mapUsage({ prompt_eval_count: prompt, eval_count: completion }: JsonObject): JsonObject | undefined {
  if (!countOf(prompt)) return undefined;
  return { prompt_tokens: prompt, completion_tokens: countOf(completion) ?? 0 };
}

/** In OpenAI's words; `load` and `unload` come for calls without messages. */
export function mapFinishReason(reason: unknown): string {
  return reason === 'length' ? 'length' : 'stop';
}
