import type { ReadContext } from '../../canonical/chat-codec.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

/** An event as OpenAI's. The last one contains the whole message once more, which OpenAI's reader knows not to say twice. */
export function chunkOf(event: JsonObject, context: ReadContext): JsonObject {
  return responseOf(event, context);
}

export function responseOf(response: JsonObject, { promptTokens = 0 }: ReadContext): JsonObject {
  const isSensitive = response.input_sensitive === true || response.output_sensitive === true;
  const choices = recordsOf(response.choices).map((choice) =>
    isSensitive && choice.finish_reason ? { ...choice, finish_reason: 'content_filter' } : choice,
  );
  return { ...response, choices, ...usageOf(response, promptTokens) };
}

/** Older models tell a total alone: what our own count of the prompt leaves of it is the response. */
function usageOf({ usage }: JsonObject, promptTokens: number): JsonObject {
  if (!isJsonObject(usage)) return {};
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: given } = recordOf(usage);
  const total = countOf(given);
  if (total === undefined || countOf(prompt) || countOf(completion)) return {};
  const counted = Math.min(promptTokens, total);
  return { usage: { ...usage, prompt_tokens: counted, completion_tokens: total - counted } };
}
