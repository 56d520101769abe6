import type { ChatProtocol } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { cohereLabel } from './label.ts';

/** One message of OpenAI's in Cohere's words. Throws `convert.notPossible` for sound and files. */
export function writeMessage(message: JsonObject, origin: ChatProtocol): JsonObject {
  if (message.role === 'assistant') return writeAssistant(message);
  for (const part of recordsOf(message.content)) refuseForeign(part, origin);
  return message;
}

/** What a model says before it calls a tool is its plan. */
function writeAssistant({ content, refusal, reasoning_content: thinking, tool_calls: calls }: JsonObject): JsonObject {
  const text = textOf(content) + textOf(refusal);
  const parts = [
    ...(textOf(thinking) !== '' ? [{ type: 'thinking', thinking }] : []),
    ...(text !== '' && !calls ? [{ type: 'text', text }] : []),
  ];
  const [only] = parts;
  return {
    role: 'assistant',
    ...(parts.length === 1 && only?.type === 'text' ? { content: text } : parts.length > 0 && { content: parts }),
    ...(text !== '' && Boolean(calls) && { tool_plan: text }),
    ...(Boolean(calls) && { tool_calls: calls }),
  };
}

function refuseForeign({ type, file }: JsonObject, origin: ChatProtocol): void {
  if (type === 'text' || type === 'image_url') return;
  const what = textOf(recordOf(file).filename) || textOf(type);
  throw notPossible(`${clientField(origin, 'messages')}: ${what}`, cohereLabel);
}
