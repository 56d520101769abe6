import { boundedCallId } from '../../canonical/call-id.ts';
import type { ChatRequest, Message, Part, ToolCallPart, ToolResultPart } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import { instructionTexts, otherInstructions, textOfParts } from '../../canonical/instruction.ts';
import type { Losses } from '../../canonical/loss.ts';
import { nativeText } from '../../canonical/native-text.ts';
import { customToolArguments, isNoArguments } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import { settleToolResults } from '../../canonical/tool-order.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { isStep, mapInSteps, type Steps } from '../../lib/steps.ts';
import { writeContent } from './write-content.ts';

export interface MessageWriting {
  model: string;
  replaysReasoning?: boolean;
  names: ToolNames;
  losses: Losses;
}

/** The system texts as one message, then the conversation, every tool call directly followed by its result. */
export function* writeMessages(request: ChatRequest, writing: MessageWriting): Steps<JsonObject[]> {
  const { origin } = request;
  const { losses } = writing;
  const settled = yield* settleToolResults(request.messages);
  if (settled.hasAdded || settled.hasOrphan) losses.emulate(clientField(origin, 'messages'));
  const instructions = instructionTexts(request);
  if (otherInstructions(request).length > 0) losses.drop(clientField(origin, 'instructions'));
  if (request.instructions.some((part) => part.kind === 'text' && part.cache))
    losses.drop(clientField(origin, 'cacheMark'));
  const written: JsonObject[] = instructions.length > 0 ? [{ role: 'system', content: instructions.join('\n\n') }] : [];
  for (const [index, message] of settled.messages.entries()) {
    if (isStep(index)) yield;
    for (const one of yield* writeMessage(message, origin, writing)) written.push(one);
  }
  return written;
}

function* writeMessage(message: Message, origin: ChatRequest['origin'], writing: MessageWriting): Steps<JsonObject[]> {
  const { role, parts, name, phase } = message;
  if (phase) writing.losses.drop(clientField(origin, 'phase'));
  if (role === 'tool') return yield* writeResults(message, origin, writing);
  if (role === 'assistant') return yield* writeAssistant(message, origin, writing);
  const content = yield* writeContent(parts, { origin, losses: writing.losses, model: writing.model });
  return content === undefined ? [] : [{ role, content, ...(name !== undefined && { name }) }];
}

function* writeAssistant(
  { parts, name }: Message,
  origin: ChatRequest['origin'],
  writing: MessageWriting,
): Steps<JsonObject[]> {
  const drop = (field: ClientField) => writing.losses.drop(clientField(origin, field));
  const text = textOfParts(parts);
  const refusal = parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('');
  const reasoning = parts.map((part) => (part.kind === 'reasoning' ? part.text : '')).join('');
  const calls = parts.filter((part) => part.kind === 'toolCall');
  if (parts.some((part) => part.kind === 'native' || isMedia(part))) drop('messages');
  const replays = reasoning !== '' && writing.replaysReasoning === true;
  if (parts.some(({ kind }) => kind === 'reasoning') && !replays) drop('earlierReasoning');
  if (parts.some((part) => part.kind === 'text' && part.citations?.length)) drop('citations');
  if (parts.some((part) => 'cache' in part && part.cache)) drop('cacheMark');
  if (text === '' && refusal === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(refusal !== '' && { refusal }),
      ...(replays && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: yield* mapInSteps(calls, (call) => writeCall(call, writing)) }),
      ...(name !== undefined && { name }),
    },
  ];
}

/** OpenAI takes no longer ones; of its own a model of Moonshot's reads which tool it called. */
function writeCallId(id: string): string {
  return id.startsWith('functions.') ? id : boundedCallId(id, 40);
}

function writeCall(call: ToolCallPart, { names, model }: MessageWriting): JsonObject {
  const isEmpty = isNoArguments(call.arguments);
  const text = call.custom ? customToolArguments(call.arguments) : isEmpty ? '{}' : call.arguments;
  // Google's compatible interface wants its signature back; no other vendor can read it.
  const isSigned = call.opaque?.origin === 'gemini' && model.includes('gemini');
  return {
    id: writeCallId(call.id),
    type: 'function',
    function: { name: names.write(call.name), arguments: text },
    ...(isSigned && { extra_content: { google: { thought_signature: call.opaque?.value } } }),
  };
}

/** One message per result. Pictures and files follow as a message of the user, for a result is text alone here. */
function* writeResults(
  { parts }: Message,
  origin: ChatRequest['origin'],
  writing: MessageWriting,
): Steps<JsonObject[]> {
  const results = parts.filter((part) => part.kind === 'toolResult');
  const media = results.flatMap((result) => resultMedia(result));
  const content = media.length === 0 ? undefined : yield* writeContent(media, { origin, ...writing });
  if (content !== undefined) writing.losses.emulate(clientField(origin, 'toolMedia'));
  if (results.some(({ isError }) => isError)) writing.losses.emulate(clientField(origin, 'toolError'));
  for (const part of results.flatMap((result) => result.parts)) {
    if (part.kind !== 'native') continue;
    if (nativeText(part) === undefined) writing.losses.drop(clientField(origin, 'messages'));
    else writing.losses.emulate(clientField(origin, 'messages'));
  }
  const texts = results.flatMap((result) => result.parts.filter((part) => part.kind === 'text'));
  if ([...results, ...texts].some(({ cache }) => cache)) writing.losses.drop(clientField(origin, 'cacheMark'));
  return [...(yield* mapInSteps(results, writeResult)), ...(content === undefined ? [] : [{ role: 'user', content }])];
}

function writeResult({ callId, parts, isError }: ToolResultPart): JsonObject {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [placeholder(part)]));
  return { role: 'tool', tool_call_id: writeCallId(callId), content: (isError ? '[error] ' : '') + texts.join('\n') };
}

function resultMedia({ callId, parts }: ToolResultPart): Part[] {
  const media = parts.filter(isMedia);
  return media.length === 0 ? [] : [{ kind: 'text', text: `Output of the tool call ${callId}:` }, ...media];
}

function placeholder(part: Part): string {
  if (part.kind === 'native') return nativeText(part) ?? '';
  return isMedia(part) ? `[${part.kind} in the next message]` : '';
}

function isMedia({ kind }: Part): boolean {
  return kind === 'image' || kind === 'document' || kind === 'audio';
}
