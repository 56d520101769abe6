import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';

/** Events of the flow behind the app come between the response's own; their names come before their data (`createEventNameDecoder`). */
const contentEvents: ReadonlySet<unknown> = new Set([undefined, 'answer', 'fastAnswer']);

export function createFastGptReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let name: unknown;

  function read(data: JsonObject): ChatEvent[] {
    if (name === 'error') return reader.event({ error: data });
    return contentEvents.has(name) ? reader.event(data) : [];
  }

  return {
    event(data) {
      if (isJsonObject(data) && typeof data.event === 'string' && Object.keys(data).length === 1) {
        name = data.event;
        return [];
      }
      const events = isJsonObject(data) ? read(data) : data === '[DONE]' ? reader.event(data) : [];
      name = undefined;
      return events;
    },
    end: () => reader.end(),
  };
}
