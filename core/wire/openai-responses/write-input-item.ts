import { boundedCallId } from '../../canonical/call-id.ts';
import type {
  ChatProtocol,
  ChatRequest,
  MediaSource,
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { nativeText } from '../../canonical/native-text.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { isNoArguments } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import { writeDataUrl } from '../../lib/data-url.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, isStep, type Steps } from '../../lib/steps.ts';

/** The messages of a call as the items of a Responses call. */
export function* writeItems(
  { messages, origin }: ChatRequest,
  tools: Omit<ItemWriting, 'origin'>,
): Steps<JsonObject[]> {
  const writing: ItemWriting = { origin, ...tools };
  const customIds = yield* flatMapInSteps(messages, ({ parts }) =>
    parts.flatMap((part) => (part.kind === 'toolCall' && part.custom ? [part.id] : [])),
  );
  const custom = new Set(customIds);
  const resultItem = (part: ToolResultPart) => ({
    type: custom.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output',
    ...writeResult(part, writing),
  });
  const resultItems = (parts: Part[]) =>
    flatMapInSteps(parts, (part) => (part.kind === 'toolResult' ? [resultItem(part)] : []));
  const contentPart = (part: Part) => (part.kind === 'toolResult' ? [] : inputPart(part, writing));
  const items: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    if (isStep(index)) yield;
    if (message.role === 'assistant') {
      for (const item of yield* assistantItems(message, writing)) items.push(item);
      continue;
    }
    for (const item of yield* resultItems(message.parts)) items.push(item);
    const content = message.role === 'tool' ? [] : yield* flatMapInSteps(message.parts, contentPart);
    if (content.length > 0) items.push({ role: message.role === 'system' ? 'developer' : 'user', content });
  }
  return items;
}

interface ItemWriting {
  /** Protocol of the client, whose names the losses bear. */
  origin: ChatProtocol;
  losses: Losses;
  names: ToolNames;
}

function drop(field: ClientField, { origin, losses }: ItemWriting): void {
  losses.drop(clientField(origin, field));
}

function* assistantItems({ parts, phase }: Message, writing: ItemWriting): Steps<JsonObject[]> {
  const items: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    if (isStep(index)) yield;
    const last = items.at(-1);
    const piece = outputPart(part, writing);
    if (piece && last?.type === 'message') (last.content as JsonObject[]).push(piece);
    else if (piece) items.push({ type: 'message', role: 'assistant', content: [piece], ...(phase && { phase }) });
    else items.push(...stateItems(part, writing));
  }
  return items;
}

function outputPart(part: Part, { origin }: ItemWriting): JsonObject | undefined {
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  // An empty text says nothing, and some upstreams refuse it.
  return part.kind === 'text' && part.text !== ''
    ? { type: 'output_text', text: part.text, annotations: (origin === 'openai-responses' && part.citations) || [] }
    : undefined;
}

function stateItems(part: Part, writing: ItemWriting): JsonObject[] {
  if (part.kind === 'toolCall') return [callItem(part, writing)];
  if (part.kind === 'reasoning') {
    const { opaque, text } = part;
    // Only its own encrypted content brings reasoning back; plain text of it is refused.
    if (opaque?.origin !== 'openai-responses' || opaque.kind !== 'encrypted') {
      drop('earlierReasoning', writing);
      return [];
    }
    const summary = text === '' ? [] : [{ type: 'summary_text', text }];
    const id = opaque.id === undefined ? {} : { id: opaque.id };
    return [{ type: 'reasoning', ...id, summary, encrypted_content: opaque.value }];
  }
  if (part.kind === 'native' && part.origin === 'openai-responses') return [part.raw as JsonObject];
  if (part.kind !== 'text') drop('messages', writing);
  return [];
}

/** OpenAI takes no longer ones. */
function writeCallId(id: string): string {
  return boundedCallId(id, 64);
}

function callItem({ id, name: given, arguments: text, custom }: ToolCallPart, { names }: ItemWriting): JsonObject {
  const name = names.write(given);
  if (custom) return { type: 'custom_tool_call', call_id: writeCallId(id), name, input: text };
  return { type: 'function_call', call_id: writeCallId(id), name, arguments: isNoArguments(text) ? '{}' : text };
}

function writeResult({ callId, parts, isError }: ToolResultPart, writing: ItemWriting): JsonObject {
  if (isError) writing.losses.emulate(clientField(writing.origin, 'toolError'));
  const mark = isError ? '[error] ' : '';
  const content = parts.flatMap((part) => inputPart(part, writing));
  const isText = content.every(({ type }) => type === 'input_text');
  const output = isText
    ? mark + content.map(({ text }) => text).join('\n')
    : [...(isError ? [{ type: 'input_text', text: mark.trim() }] : []), ...content];
  return { call_id: writeCallId(callId), output };
}

function inputPart(part: Part, writing: ItemWriting): JsonObject[] {
  const { origin } = writing;
  switch (part.kind) {
    case 'text':
      return [{ type: 'input_text', text: part.text }];
    case 'image':
      return [{ type: 'input_image', ...imageOf(part.source, origin), ...(part.detail && { detail: part.detail }) }];
    case 'document':
      return [{ type: 'input_file', ...fileOf(part.source, origin), ...nameOf(part) }];
    case 'audio':
      throw notPossible(`${clientField(origin, 'messages')}: audio`, 'openai-responses');
    case 'native': {
      const text = nativeText(part);
      if (text === undefined) drop('messages', writing);
      else writing.losses.emulate(clientField(origin, 'messages'));
      return text === undefined ? [] : [{ type: 'input_text', text }];
    }
    default:
      drop('messages', writing);
      return [];
  }
}

function nameOf({ name, title }: Extract<Part, { kind: 'document' }>): JsonObject {
  const filename = name || title;
  return filename ? { filename } : {};
}

function imageOf(source: MediaSource, origin: ChatProtocol): JsonObject {
  if (source.type === 'data') return { image_url: writeDataUrl(source) };
  return source.type === 'url' ? { image_url: source.url } : { file_id: ownFile(source.id, origin) };
}

function fileOf(source: MediaSource, origin: ChatProtocol): JsonObject {
  if (source.type === 'data') return { file_data: writeDataUrl(source), filename: 'document.pdf' };
  return source.type === 'url' ? { file_url: source.url } : { file_id: ownFile(source.id, origin) };
}

/** A file lies with the vendor it was uploaded to. */
function ownFile(id: string, origin: ChatProtocol): string {
  if (origin === 'openai-chat' || origin === 'openai-responses') return id;
  throw notPossible(`${clientField(origin, 'messages')}: ${id}`, 'openai-responses');
}
