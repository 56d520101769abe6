import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';
import { createOpenAiChatReader } from '../../wire/openai-chat/read-stream.ts';

/** Older versions show what a model thinks as a folded section, whose two ends are texts of their own. */
const thoughtBegins = /^\s*<details\b[^>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\s*$/;
const thoughtEnds = /^\s*<\/details>\s*$/;

/** Reads the events of an app; those of its workflow say nothing to a client unless it fails. */
export function createDifyReader(context: ReadContext): ChatStreamReader {
  const reader = createOpenAiChatReader(context);
  let isThinking = false;
  let isAgent = false;

  function say({ message_id: id, created_at: created }: JsonObject, delta: JsonObject): ChatEvent[] {
    return reader.event({ id, created, choices: [{ index: 0, delta }] });
  }

  function respond(event: JsonObject): ChatEvent[] {
    const text = textOf(event.answer);
    if (thoughtBegins.test(text) || thoughtEnds.test(text)) {
      isThinking = thoughtBegins.test(text);
      return [];
    }
    return say(event, isThinking ? { reasoning_content: text } : { content: text });
  }

  function finish({ metadata }: JsonObject, reason: string): ChatEvent[] {
    const usage = mapUsage(metadata);
    const last = { choices: [{ index: 0, delta: {}, finish_reason: reason }], ...(usage && { usage }) };
    return [...reader.event(last), ...reader.event('[DONE]'), ...reader.end()];
  }

  function read(event: JsonObject): ChatEvent[] {
    switch (event.event) {
      case 'agent_message':
        isAgent = true;
        return respond(event);
      case 'message':
        // Newer agents close with the whole response once more.
        return isAgent ? [] : respond(event);
      case 'reasoning_chunk':
        return say(event, { reasoning_content: textOf(recordOf(event.data).reasoning) });
      case 'message_file':
        return isDrawn(event) ? say(event, { content: `\n![image](${event.url})\n` }) : [];
      case 'message_replace':
        return finish(event, 'content_filter');
      case 'message_end':
      case 'workflow_paused':
      case 'human_input_required':
        return finish(event, 'stop');
      case 'workflow_finished':
        return readEnd(recordOf(event.data));
      case 'error':
        return reader.event({ error: errorOf(event) });
      default:
        return [];
    }
  }

  function readEnd({ status, error }: JsonObject): ChatEvent[] {
    if (status !== 'failed') return [];
    const message = textOf(error);
    if (message !== '') return reader.event({ error: { message, code: 'workflow_failed' } });
    throw new UpstreamError({
      status: 502,
      code: 'workflow_failed',
      coded: coded('upstream.workflowFailed'),
      kind: 'retry',
    });
  }

  return { event: (data) => (isJsonObject(data) ? read(data) : []), end: () => reader.end() };
}

/** Files of the user are told of too. */
function isDrawn({ type, belongs_to: owner, url }: JsonObject): boolean {
  return type === 'image' && owner === 'assistant' && textOf(url) !== '';
}

function errorOf({ code, message, status }: JsonObject): JsonObject {
  return { code, message, status };
}

/** As OpenAI has it. Apps that call no model, and some that do, report zeros: then the relay counts. */
export function mapUsage(metadata: unknown): JsonObject | undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = recordOf(recordOf(metadata).usage);
  return countOf(total_tokens) ? { prompt_tokens, completion_tokens, total_tokens } : undefined;
}
