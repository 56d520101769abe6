import type {
  ChatProtocol,
  ChatRequest,
  MediaPart,
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
import { asksForDetail } from '../../canonical/picture-detail.ts';
import { argumentObject, argumentObjectOrWrapped, customToolArguments } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, isStep, type Steps } from '../../lib/steps.ts';
import type { GeminiModel } from './model-rule.ts';

interface Content {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** Google's documented response to a call whose signature the client has lost. */
const lostSignature = 'skip_thought_signature_validator';

export interface ContentTools {
  /** Protocol of the client, whose names the losses bear. */
  origin: ChatProtocol;
  model: GeminiModel;
  names: ToolNames;
  losses: Losses;
}

/** The conversation as contents: turns of one role merged, a user's turn first, every result under the name of its call. */
export function* writeContents({ messages }: ChatRequest, tools: ContentTools): Steps<Content[]> {
  const calls = new Map<string, string>();
  for (const [index, { parts }] of messages.entries()) {
    if (isStep(index)) yield;
    for (const part of parts) if (part.kind === 'toolCall') calls.set(part.id, part.name);
  }
  const turn = currentTurn(messages);
  const contents: Content[] = [];
  for (const [index, message] of messages.entries()) {
    if (isStep(index)) yield;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts =
      role === 'model'
        ? yield* modelParts(message, index >= turn, tools)
        : yield* flatMapInSteps(message.parts, (part) => userParts(part, message, calls, tools));
    if (parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else contents.push({ role, parts });
  }
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: '.' }] });
  return contents;
}

/** What the model has done since a person last spoke: only there signatures are asked for. */
function currentTurn(messages: readonly Message[]): number {
  return messages.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'toolResult'),
  );
}

function modelParts({ parts }: Message, isCurrent: boolean, tools: ContentTools): Steps<JsonObject[]> {
  let calls = 0;
  return flatMapInSteps(parts, (part): JsonObject[] => {
    switch (part.kind) {
      case 'text':
        return part.text === '' ? [] : [{ text: part.text }];
      case 'refusal':
        return [{ text: part.text }];
      case 'reasoning':
        return thoughtParts(part, tools);
      case 'toolCall':
        return [callPart(part, isCurrent && calls++ === 0, tools)];
      case 'native':
        if (part.origin === 'gemini') return [part.raw as JsonObject];
        drop('messages', tools);
        return [];
      case 'image':
      case 'document':
      case 'audio':
        return [mediaPart(part, tools)];
      default:
        drop('messages', tools);
        return [];
    }
  });
}

function thoughtParts({ text, opaque }: Extract<Part, { kind: 'reasoning' }>, tools: ContentTools): JsonObject[] {
  if (opaque?.origin !== 'gemini') {
    drop('earlierReasoning', tools);
    return [];
  }
  // Without text it is the signature of a response, which is not a thought.
  return [{ text, ...(text !== '' && { thought: true }), thoughtSignature: opaque.value }];
}

/** Of calls made side by side the first one is signed. */
function callPart(part: ToolCallPart, needsSignature: boolean, { model, names }: ContentTools): JsonObject {
  const { id, name, opaque, custom } = part;
  const args = argumentObjectOrWrapped(custom ? customToolArguments(part.arguments) : part.arguments);
  const own = opaque?.origin === 'gemini' ? opaque.value : undefined;
  const signature = own ?? (needsSignature && model.isThird ? lostSignature : undefined);
  return {
    functionCall: { ...(model.isThird && { id }), name: names.write(name), args },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

function drop(field: ClientField, { origin, losses }: ContentTools): void {
  losses.drop(clientField(origin, field));
}

function userParts(part: Part, message: Message, calls: Map<string, string>, tools: ContentTools): JsonObject[] {
  switch (part.kind) {
    case 'text':
      if (part.text === '') return [];
      if (message.role !== 'system') return [{ text: part.text }];
      // Only one place for instructions: one in the middle of a conversation is told by the user.
      tools.losses.emulate(clientField(tools.origin, 'messages'));
      return [{ text: `<system>\n${part.text}\n</system>` }];
    case 'image':
    case 'document':
    case 'audio':
      return [mediaPart(part, tools)];
    case 'toolResult':
      return resultParts(part, calls, tools);
    case 'native': {
      if (part.origin === 'gemini') return [part.raw as JsonObject];
      const text = spokenText(part, tools);
      return text === '' ? [] : [{ text }];
    }
    default:
      drop('messages', tools);
      return [];
  }
}

/** A block of another protocol in words, as far as it has any. */
function spokenText(part: Extract<Part, { kind: 'native' }>, tools: ContentTools): string {
  const text = nativeText(part);
  if (text === undefined) drop('messages', tools);
  else tools.losses.emulate(clientField(tools.origin, 'messages'));
  return text ?? '';
}

function resultParts(part: ToolResultPart, calls: Map<string, string>, tools: ContentTools): JsonObject[] {
  const { model, names } = tools;
  const { callId, isError } = part;
  const name = names.write(calls.get(callId) ?? part.name ?? 'unknown');
  const text = part.parts
    .flatMap((one) => (one.kind === 'text' ? [one.text] : one.kind === 'native' ? [spokenText(one, tools)] : []))
    .join('\n');
  const media = part.parts.filter((one) => one.kind === 'image' || one.kind === 'document' || one.kind === 'audio');
  const response = isError ? { error: text } : (objectOf(text) ?? { output: text });
  return [
    { functionResponse: { ...(model.isThird && { id: callId }), name, response } },
    ...media.map((one) => mediaPart(one, tools)),
  ];
}

function objectOf(text: string): unknown {
  return text.trimStart().startsWith('{') ? argumentObject(text) : undefined;
}

function mediaPart(part: MediaPart, tools: ContentTools): JsonObject {
  const extras = tools.origin === 'gemini' ? part.extras : undefined;
  return { ...writeMedia(part, tools), ...extras };
}

function writeMedia(part: MediaPart, tools: ContentTools): JsonObject {
  if (part.kind === 'audio') {
    const mimeType = `audio/${part.format === 'mp3' ? 'mpeg' : part.format}`;
    return { inlineData: { mimeType, data: part.data } };
  }
  if (part.kind === 'image' && asksForDetail(part)) drop('imageDetail', tools);
  return sourcePart(part.source, tools.origin);
}

const googleAddress =
  /^(gs:|https:\/\/(www\.)?(youtube\.com|youtu\.be)\/|https:\/\/generativelanguage\.googleapis\.com\/)/;

/** Addresses Google reads by itself; everything else has been fetched before it comes here. */
export function isGoogleAddress(url: string): boolean {
  return googleAddress.test(url);
}

function sourcePart(source: MediaSource, origin: ChatProtocol): JsonObject {
  if (source.type === 'data') return { inlineData: { mimeType: source.mime, data: source.data } };
  if (source.type === 'url' && isGoogleAddress(source.url)) {
    return { fileData: { ...(source.mime ? { mimeType: source.mime } : {}), fileUri: source.url } };
  }
  const what = source.type === 'file' ? source.id : source.url;
  throw notPossible(`${clientField(origin, 'messages')}: ${what}`, 'gemini');
}
