import type {
  ChatRequest,
  MediaSource,
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/chat-request.ts';
import type { Losses } from '../../canonical/loss.ts';
import { argumentObject, argumentObjectOrWrapped, customToolArguments } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import { AppError } from '../../errors/app-error.ts';
import type { GeminiModel } from './model-rule.ts';

type Loose = Record<string, unknown>;

interface Content {
  role: 'user' | 'model';
  parts: Loose[];
}

/** Google's documented answer to a call whose signature the client has lost. */
const lostSignature = 'skip_thought_signature_validator';

export interface ContentTools {
  model: GeminiModel;
  names: ToolNames;
  losses: Losses;
}

/** The conversation as contents: turns of one role merged, a user's turn first, every result under the name of its call. */
export function writeContents({ messages }: ChatRequest, tools: ContentTools): Content[] {
  const calls = new Map<string, string>();
  for (const part of messages.flatMap(({ parts }) => parts))
    if (part.kind === 'toolCall') calls.set(part.id, part.name);
  const turn = currentTurn(messages);
  const contents: Content[] = [];
  messages.forEach((message, index) => {
    const field = `messages.${index}`;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts =
      role === 'model'
        ? modelParts(message, field, index >= turn, tools)
        : message.parts.flatMap((part) => userParts(part, message, field, calls, tools));
    if (parts.length === 0) return;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  });
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: '.' }] });
  return contents;
}

/** What the model has done since a person last spoke: only there signatures are asked for. */
function currentTurn(messages: readonly Message[]): number {
  return messages.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'toolResult'),
  );
}

function modelParts({ parts }: Message, field: string, isCurrent: boolean, tools: ContentTools): Loose[] {
  let calls = 0;
  return parts.flatMap((part): Loose[] => {
    switch (part.kind) {
      case 'text':
        return part.text === '' ? [] : [{ text: part.text }];
      case 'refusal':
        return [{ text: part.text }];
      case 'reasoning':
        return thoughtParts(part, field, tools.losses);
      case 'toolCall':
        return [callPart(part, isCurrent && calls++ === 0, tools)];
      case 'native':
        if (part.origin === 'gemini') return [part.raw as Loose];
        tools.losses.drop(`${field}.content`);
        return [];
      case 'image':
      case 'document':
      case 'audio':
        return [mediaPart(part, field)];
      default:
        tools.losses.drop(`${field}.${part.kind}`);
        return [];
    }
  });
}

function thoughtParts({ text, opaque }: Extract<Part, { kind: 'reasoning' }>, field: string, losses: Losses): Loose[] {
  if (opaque?.origin !== 'gemini') {
    losses.drop(`${field}.reasoning`);
    return [];
  }
  // Without text it is the signature of an answer, which is no thought.
  return [{ text, ...(text !== '' && { thought: true }), thoughtSignature: opaque.value }];
}

/** Of calls made side by side the first one is signed. */
function callPart(part: ToolCallPart, needsSignature: boolean, { model, names }: ContentTools): Loose {
  const { id, name, opaque, custom } = part;
  const args = argumentObjectOrWrapped(custom ? customToolArguments(part.arguments) : part.arguments);
  const own = opaque?.origin === 'gemini' ? opaque.value : undefined;
  const signature = own ?? (needsSignature && model.isThird ? lostSignature : undefined);
  return {
    functionCall: { ...(model.isThird && { id }), name: names.write(name), args },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

function userParts(
  part: Part,
  message: Message,
  field: string,
  calls: Map<string, string>,
  tools: ContentTools,
): Loose[] {
  if ('cache' in part && part.cache) tools.losses.drop(`${field}.cache_control`);
  switch (part.kind) {
    case 'text':
      if (part.text === '') return [];
      if (message.role !== 'system') return [{ text: part.text }];
      // Only one place for instructions: one in the middle of a conversation is told by the user.
      tools.losses.emulate(`${field}.role`);
      return [{ text: `<system>\n${part.text}\n</system>` }];
    case 'image':
    case 'document':
    case 'audio':
      return [mediaPart(part, field)];
    case 'toolResult':
      return resultParts(part, field, calls, tools);
    case 'native':
      if (part.origin === 'gemini') return [part.raw as Loose];
      tools.losses.drop(`${field}.content`);
      return [];
    default:
      tools.losses.drop(`${field}.${part.kind}`);
      return [];
  }
}

function resultParts(
  part: ToolResultPart,
  field: string,
  calls: Map<string, string>,
  { model, names }: ContentTools,
): Loose[] {
  const { callId, isError } = part;
  const name = names.write(calls.get(callId) ?? part.name ?? 'unknown');
  const text = part.parts.map((one) => (one.kind === 'text' ? one.text : '')).join('');
  const media = part.parts.filter((one) => one.kind === 'image' || one.kind === 'document' || one.kind === 'audio');
  const response = isError ? { error: text } : (objectOf(text) ?? { output: text });
  return [
    { functionResponse: { ...(model.isThird && { id: callId }), name, response } },
    ...media.map((one) => mediaPart(one, field)),
  ];
}

function objectOf(text: string): unknown {
  return text.trimStart().startsWith('{') ? argumentObject(text) : undefined;
}

function mediaPart(part: Extract<Part, { kind: 'image' | 'document' | 'audio' }>, field: string): Loose {
  if (part.kind === 'audio') {
    const mimeType = `audio/${part.format === 'mp3' ? 'mpeg' : part.format}`;
    return { inlineData: { mimeType, data: part.data } };
  }
  return sourcePart(part.source, part.kind === 'image' ? 'image/jpeg' : 'application/pdf', field);
}

const googleAddress =
  /^(gs:|https:\/\/(www\.)?(youtube\.com|youtu\.be)\/|https:\/\/generativelanguage\.googleapis\.com\/)/;

/** Addresses Google reads by itself; everything else has been fetched before it comes here. */
export function isGoogleAddress(url: string): boolean {
  return googleAddress.test(url);
}

function sourcePart(source: MediaSource, usual: string, field: string): Loose {
  if (source.type === 'data') return { inlineData: { mimeType: source.mime, data: source.data } };
  if (source.type === 'url' && isGoogleAddress(source.url)) {
    return { fileData: { ...(source.mime ? { mimeType: source.mime } : {}), fileUri: source.url } };
  }
  const what = `${field}.${usual.startsWith('image/') ? 'image_url' : 'file'}`;
  throw new AppError('convert.notPossible', { what, upstream: 'Gemini' }, { param: what });
}
