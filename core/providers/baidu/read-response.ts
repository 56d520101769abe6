import { countOf, isJsonObject, type JsonObject, recordOf } from '../../lib/json-value.ts';

/** A whole response as a chat.completion. */
export function responseOf(response: JsonObject): JsonObject {
  const { id, created } = response;
  const message = { role: 'assistant', ...membersOf(response) };
  return { id, created, choices: [{ index: 0, message, finish_reason: finishReason(response) }], ...usageOf(response) };
}

/** One event of a stream as a chunk; its text is what is new. */
export function chunkOf(event: JsonObject): JsonObject {
  const { id, created, is_end: isEnd } = event;
  const reason = isEnd === true ? finishReason(event) : null;
  return { id, created, choices: [{ index: 0, delta: membersOf(event), finish_reason: reason }], ...usageOf(event) };
}

function membersOf({ result, function_call: called }: JsonObject): JsonObject {
  if (!isJsonObject(called)) return { content: result };
  const { name, arguments: text } = called;
  return { content: result, tool_calls: [{ index: 0, type: 'function', function: { name, arguments: text } }] };
}

/** In OpenAI's words. A text to be cleared was stopped by the vendor's filter. */
function finishReason(response: JsonObject): string {
  const {
    finish_reason: given,
    is_truncated: isTruncated,
    need_clear_history: isUnsafe,
    function_call: called,
  } = response;
  if (given === 'content_filter' || isUnsafe === true) return 'content_filter';
  if (given === 'length' || isTruncated === true) return 'length';
  return given === 'function_call' || isJsonObject(called) ? 'tool_calls' : 'stop';
}

/** Grows from event to event; what is not a prompt is the response, whatever its own count says. */
function usageOf({ usage }: JsonObject): JsonObject {
  const { prompt_tokens: prompt, total_tokens: total } = recordOf(usage);
  const [known, all] = [countOf(prompt), countOf(total)];
  if (known === undefined || all === undefined || all < known) return {};
  return { usage: { prompt_tokens: known, completion_tokens: all - known, total_tokens: all } };
}
