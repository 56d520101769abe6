import type { ReadContext } from '../../canonical/chat-codec.ts';
import type { Citation } from '../../canonical/chat-event.ts';
import type { Opaque } from '../../canonical/chat-request.ts';
import type { EventQueue } from '../../canonical/event-queue.ts';
import { customToolInput } from '../../canonical/tool-arguments.ts';
import { isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { protocolName } from './protocol-name.ts';

/** One content block, from its start to its stop. */
export interface BlockReader {
  /** More has come than was told. */
  holdsBack?(): boolean;
  delta(delta: JsonObject): void;
  stop(): void;
}

/** `block` as it starts, or whole. */
export function openBlock(block: JsonObject, events: EventQueue, context: ReadContext): BlockReader {
  switch (block.type) {
    case 'text':
      return textBlock(block, events);
    case 'thinking':
    case 'redacted_thinking':
      return thinkingBlock(block, events);
    case 'tool_use':
      return toolBlock(block, events, context);
    default:
      return nativeBlock(block, events);
  }
}

function textBlock(block: JsonObject, events: EventQueue): BlockReader {
  const part = events.open({ choice: 0, kind: 'text' });
  const cite = (citation: unknown) => {
    if (isJsonObject(citation)) events.add({ type: 'citation', part, citation: readCitation(citation) });
  };
  events.delta(part, textOf(block.text));
  recordsOf(block.citations).forEach(cite);
  return {
    delta({ type, text, citation }) {
      if (type === 'text_delta') events.delta(part, textOf(text));
      if (type === 'citations_delta') cite(citation);
    },
    stop: () => events.close(part),
  };
}

/** A page, or a passage of a document the client sent, which has no address. */
function readCitation(citation: JsonObject): Citation {
  const { url, title, document_title, cited_text, source } = citation;
  const address = textOf(url) || textOf(source);
  const name = textOf(title) || textOf(document_title);
  return {
    ...(/^https?:/.test(address) && { url: address }),
    ...(name !== '' && { title: name }),
    ...(typeof cited_text === 'string' && { text: cited_text }),
    raw: { origin: protocolName, value: citation },
  };
}

function thinkingBlock(block: JsonObject, events: EventQueue): BlockReader {
  const part = events.open({ choice: 0, kind: 'reasoning' });
  const isRedacted = block.type === 'redacted_thinking';
  let value = textOf(isRedacted ? block.data : block.signature);
  events.delta(part, textOf(block.thinking));
  return {
    holdsBack: () => value !== '',
    delta({ type, thinking, signature }) {
      if (type === 'thinking_delta') events.delta(part, textOf(thinking));
      if (type === 'signature_delta') value += textOf(signature);
    },
    stop() {
      const kind = isRedacted ? 'redacted' : 'signature';
      const opaque: Opaque | undefined = value === '' ? undefined : { origin: protocolName, value, kind };
      events.close(part, opaque);
    },
  };
}

function toolBlock(block: JsonObject, events: EventQueue, context: ReadContext): BlockReader {
  const name = textOf(block.name);
  if (name === context.responseTool) return responseBlock(block, events);
  const isCustom = context.customTools?.has(name) === true;
  const part = events.open({
    choice: 0,
    kind: 'toolCall',
    id: textOf(block.id),
    name: context.toolNames?.get(name) ?? name,
    ...(isCustom && { custom: true }),
  });
  let hasText = false;
  let wrapped = '';
  const say = (text: string) => {
    hasText ||= text !== '';
    if (isCustom) wrapped += text;
    else events.delta(part, text);
  };
  return {
    holdsBack: () => wrapped !== '',
    delta({ type, partial_json }) {
      if (type === 'input_json_delta') say(textOf(partial_json));
    },
    stop() {
      if (!hasText) say(wholeInput(block.input));
      // Free text that came as an argument can only be read when it is whole.
      if (isCustom) events.delta(part, customToolInput(wrapped));
      events.close(part);
    },
  };
}

/** The response itself, where the model could only be made to give it as a call. */
function responseBlock(block: JsonObject, events: EventQueue): BlockReader {
  const part = events.open({ choice: 0, kind: 'text' });
  let hasText = false;
  const say = (text: string) => {
    hasText ||= text !== '';
    events.delta(part, text);
  };
  return {
    delta({ type, partial_json }) {
      if (type === 'input_json_delta') say(textOf(partial_json));
    },
    stop() {
      if (!hasText) say(wholeInput(block.input) || '{}');
      events.close(part);
    },
  };
}

/** A whole response has its input as an object; at the start of a streamed block it is empty. */
function wholeInput(input: unknown): string {
  return isJsonObject(input) && Object.keys(input).length > 0 ? writeJson(input) : '';
}

/** Calls and results of tools that Anthropic runs: kept as they are, for a client of the same protocol. */
function nativeBlock(block: JsonObject, events: EventQueue): BlockReader {
  let text = '';
  return {
    holdsBack: () => true,
    delta({ type, partial_json }) {
      if (type === 'input_json_delta') text += textOf(partial_json);
    },
    stop() {
      const raw = text === '' ? block : { ...block, input: parseInput(text) };
      events.close(events.open({ choice: 0, kind: 'native', origin: protocolName, raw }));
    },
  };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // cut off: the block cannot be used again anyway
  }
}
