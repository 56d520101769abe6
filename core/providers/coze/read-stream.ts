import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { countOf, isJsonObject, type JsonObject, recordOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';

/** Reads a bot's stream, in which the name of each event comes before its data (`createEventNameDecoder`). */
export function createCozeReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let name: unknown;
  let hasDelta = false;

  function say({ chat_id: id, content, reasoning_content }: JsonObject): ChatEvent[] {
    return reader.event({ id, choices: [{ index: 0, delta: { content, reasoning_content } }] });
  }

  function read(event: JsonObject): ChatEvent[] {
    switch (name) {
      case 'conversation.message.delta':
        if (event.type !== 'answer') return [];
        hasDelta = true;
        return say(event);
      case 'conversation.message.completed':
        // It repeats the pieces, where there were any.
        return event.type === 'answer' && !hasDelta ? say(event) : [];
      case 'conversation.chat.completed': {
        const usage = mapUsage(event.usage);
        const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...(usage && { usage }) };
        return [...reader.event(last), ...reader.event('[DONE]'), ...reader.end()];
      }
      case 'conversation.chat.failed':
        return fail(recordOf(event.last_error));
      case 'conversation.chat.requires_action':
        throw new UpstreamError({
          status: 502,
          code: 'requires_action',
          coded: coded('upstream.needsTool'),
          kind: 'retry',
        });
      case 'error':
        return fail(event);
      case undefined:
        // A refusal comes without a name.
        return fail(event);
      default:
        return [];
    }
  }

  function fail({ code, msg }: JsonObject): ChatEvent[] {
    return reader.event({ error: { code, message: msg } });
  }

  return {
    event(data) {
      if (!isJsonObject(data)) return [];
      if (typeof data.event !== 'string') return read(data);
      name = data.event;
      return [];
    },
    end: () => reader.end(),
  };
}

/** As OpenAI has it. */
export function mapUsage(given: unknown): JsonObject | undefined {
  const { input_count: prompt, output_count: completion, token_count: total } = recordOf(given);
  return countOf(total) ? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } : undefined;
}
