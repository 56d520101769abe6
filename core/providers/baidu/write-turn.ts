import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { contentOf, mergeTurns, type TextTurn } from '../text-turn.ts';

/**
 * OpenAI's messages without the system's. A turn calls one function here, and its result follows at once: several calls become as
 * many pairs.
 */
export function writeTurns(messages: readonly JsonObject[]): TextTurn[] {
  const turns = messages.flatMap((message, index): TextTurn[] => {
    if (message.role === 'tool') return [];
    const calls = recordsOf(message.tool_calls);
    const content = contentOf(message);
    if (calls.length === 0) return [{ role: textOf(message.role), content }];
    const results = resultsBehind(messages, index);
    return calls.flatMap((call, place) => writePair(call, place === 0 ? content : '', results.get(call.id)));
  });
  return mergeTurns(turns);
}

/** Each call's result directly follows the message that made the call: OpenAI's writer ensures that. */
function resultsBehind(messages: readonly JsonObject[], index: number): Map<unknown, string> {
  const results = new Map<unknown, string>();
  for (let at = index + 1; messages[at]?.role === 'tool'; at += 1) {
    const result = messages[at];
    if (result) results.set(result.tool_call_id, contentOf(result));
  }
  return results;
}

function writePair({ function: called }: JsonObject, content: string, result = ''): TextTurn[] {
  const { name, arguments: text } = recordOf(called);
  return [
    { role: 'assistant', content, function_call: { name, arguments: textOf(text) || '{}' } },
    { role: 'function', name, content: result },
  ];
}
