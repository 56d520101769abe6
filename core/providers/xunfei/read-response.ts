import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

const lastStatus = 2;

/** One message of the socket as a chunk. */
export function chunkOf(message: JsonObject): JsonObject {
  const { header, payload } = message;
  const { choices, usage } = recordOf(payload);
  const { text: texts, status } = recordOf(choices);
  const [text = {}] = recordsOf(texts);
  const { content, reasoning_content, function_call: called } = text;
  const calls = isJsonObject(called) ? { tool_calls: [{ index: 0, type: 'function', function: called }] } : {};
  const isLast = status === lastStatus || recordOf(header).status === lastStatus;
  const { prompt_tokens, completion_tokens, total_tokens } = recordOf(recordOf(usage).text);
  return {
    id: recordOf(header).sid,
    choices: [{ index: 0, delta: { content, reasoning_content, ...calls }, finish_reason: isLast ? 'stop' : null }],
    ...(isJsonObject(usage) && { usage: { prompt_tokens, completion_tokens, total_tokens } }),
  };
}

/** The response is whole, or has failed: whichever it is, nothing follows. */
export function isLastMessage(message: string): boolean {
  const { code, status } = recordOf(recordOf(parse(message)).header);
  return status === lastStatus || (code !== undefined && code !== 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // its reader says what is wrong with it
  }
}
