import type { ResponseIdentity } from '../../canonical/chat-codec.ts';
import type { Usage } from '../../canonical/usage.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { writeAnthropicUsage } from './write-usage.ts';

/** Events of a Messages stream that is otherwise passed on as it is. In order: it remembers. */
export interface AnthropicMender {
  /** Whether Anthropic's SDK would throw on the event, or lose something of it. */
  isStray(event: unknown): boolean;
  /** Such an event as Anthropic writes it, '' when it has to wait for the end, or repeats one. */
  mend(event: unknown): string;
  /** What waited, with the usage that is billed. */
  end(usage: Usage): string;
}

/** Anthropic's SDK counts on one start, on a usage at both ends, and puts the text of a block to the one that was begun. */
export function createAnthropicMender({ id, model }: ResponseIdentity, promptTokens: number): AnthropicMender {
  const begun = new Set<unknown>();
  let hasStarted = false;
  let calledTool = false;
  let hasReason = false;
  let kept: JsonObject | undefined;

  function start(event: JsonObject): string {
    hasStarted = true;
    return writeEvent({ ...event, type: 'message_start', message: startOf(event.message, promptTokens) });
  }

  /** Some resellers leave out where the response, or a text in it, begins. */
  function startBefore({ type, index, delta }: JsonObject): string {
    const own = { id, type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null };
    const before = hasStarted ? '' : start({ message: own });
    const block = type === 'content_block_delta' && !begun.has(index) && blockFor(recordOf(delta));
    if (!block) return before;
    begun.add(index);
    return before + writeEvent({ type: 'content_block_start', index, content_block: block });
  }

  return {
    isStray(event) {
      const { type, message, index, usage, delta, content_block: block } = recordOf(event);
      if (type === 'message_start') {
        const { usage: first, content } = recordOf(message);
        if (hasStarted || countOf(recordOf(first).input_tokens) === undefined || !Array.isArray(content)) return true;
        hasStarted = true;
        return false;
      }
      if (type === 'content_block_start') {
        begun.add(index);
        calledTool ||= recordOf(block).type === 'tool_use';
        if (wordsIn(recordOf(block)) !== undefined) return true;
      }
      if (type === 'message_delta') hasReason ||= textOf(recordOf(delta).stop_reason) !== '';
      if (type === 'content_block_delta' && !begun.has(index)) return true;
      if (type === 'message_delta' && !hasOutput({ usage })) return true;
      return !hasStarted && (block !== undefined || type === 'message_delta');
    },
    mend(given) {
      const event = recordOf(given);
      // Some resellers put a second one behind their own, on which the SDK throws.
      if (event.type === 'message_start') return hasStarted ? '' : start(event);
      const before = startBefore(event);
      const words = wordsIn(recordOf(event.content_block));
      if (event.type === 'content_block_start' && words) return before + splitStart(event, words);
      if (event.type !== 'message_delta' || hasOutput(event)) return before + writeEvent(event);
      kept = { ...kept, ...event, delta: { ...recordOf(kept?.delta), ...recordOf(event.delta) } };
      return before;
    },
    end(usage) {
      if (!hasStarted || (hasReason && !kept)) return '';
      const reason = { stop_reason: calledTool ? 'tool_use' : 'end_turn', stop_sequence: null };
      const delta = { ...recordOf(kept?.delta), ...(!hasReason && reason) };
      return writeEvent({ ...kept, type: 'message_delta', delta, usage: writeAnthropicUsage(usage) });
    },
  };
}

function startOf(message: unknown, promptTokens: number): JsonObject {
  const { usage, content, ...rest } = recordOf(message);
  const given = recordOf(usage);
  return {
    ...rest,
    content: Array.isArray(content) ? content : [],
    usage: { output_tokens: 1, ...given, input_tokens: countOf(given.input_tokens) ?? promptTokens },
  };
}

/** Some clients read only what comes behind the start of a text. */
function wordsIn(block: JsonObject): JsonObject | undefined {
  const { type, text, thinking } = block;
  if (type === 'text' && textOf(text) !== '') return { type: 'text_delta', text };
  return type === 'thinking' && textOf(thinking) !== '' ? { type: 'thinking_delta', thinking } : undefined;
}

function splitStart(event: JsonObject, delta: JsonObject): string {
  const { type: _type, ...said } = delta;
  const empty = Object.fromEntries(Object.keys(said).map((member) => [member, '']));
  const start = { ...event, content_block: { ...recordOf(event.content_block), ...empty } };
  return writeEvent(start) + writeEvent({ type: 'content_block_delta', index: event.index, delta });
}

function hasOutput({ usage }: JsonObject): boolean {
  return countOf(recordOf(usage).output_tokens) !== undefined;
}

function blockFor({ type }: JsonObject): JsonObject | undefined {
  if (type === 'text_delta') return { type: 'text', text: '' };
  return type === 'thinking_delta' ? { type: 'thinking', thinking: '', signature: '' } : undefined;
}

/** The SDK passes by events without a name. `event` is one with its fields, whose name may be missing. */
export function namedEvent(event: string): string {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  if (data === undefined || hasName(event)) return event;
  try {
    const parsed: unknown = JSON.parse(data);
    const type = isJsonObject(parsed) ? textOf(parsed.type) : '';
    return /^\w+$/.test(type) ? `event: ${type}\n${event}` : event;
  } catch {
    return event; // its reader says what is wrong with it
  }
}

export function hasName(event: string): boolean {
  return /^event:/m.test(event);
}

function writeEvent(event: JsonObject): string {
  return `event: ${textOf(event.type)}\ndata: ${writeJson(event)}\n\n`;
}
