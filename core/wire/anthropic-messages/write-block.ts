import type { ChatRequest, MediaSource, Part } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { asksForDetail } from '../../canonical/picture-detail.ts';
import { argumentObject, wrappedArguments } from '../../canonical/tool-arguments.ts';
import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import { markOf } from './cache-mark.ts';
import { protocolName } from './protocol-name.ts';
import { ownOpaque } from './signed-thinking.ts';
import type { BlockWriting } from './write-context.ts';

type Origin = ChatRequest['origin'];

const pictureTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Blocks of an assistant turn. Blank texts are refused, even those the model itself wrote. */
export function writeAssistantBlock(part: Part, writing: BlockWriting): JsonObject[] {
  const { origin, losses } = writing;
  const drop = (field: ClientField): JsonObject[] => {
    losses.drop(clientField(origin, field));
    return [];
  };
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return writeText(part, origin);
    case 'reasoning': {
      const opaque = ownOpaque(part.opaque);
      if (!opaque) return drop('earlierReasoning');
      if (opaque.kind === 'redacted') return [{ type: 'redacted_thinking', data: opaque.value }];
      return [{ type: 'thinking', thinking: part.text, signature: opaque.value }];
    }
    case 'toolCall':
      return [writeCall(part, writing)];
    case 'native':
      return part.origin === protocolName ? [part.raw as JsonObject] : drop('messages');
    default:
      return drop('messages');
  }
}

function writeCall(
  call: Extract<Part, { kind: 'toolCall' }>,
  { ids, names, losses, origin }: BlockWriting,
): JsonObject {
  const input = call.custom ? { input: call.arguments } : argumentObject(call.arguments);
  if (!input) losses.emulate(clientField(origin, 'messages'));
  return {
    type: 'tool_use',
    id: ids.assign(call.id),
    name: names.write(call.name),
    input: input ?? wrappedArguments(call.arguments),
    ...markOf(call),
  };
}

/** Blocks of a user turn, of the system texts, and of tool results. */
export function writeUserBlock(part: Part, writing: { origin: Origin; losses: Losses }): JsonObject[] {
  const { origin } = writing;
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return writeText(part, origin);
    case 'image':
      if (asksForDetail(part)) writing.losses.drop(clientField(origin, 'imageDetail'));
      return [{ type: 'image', source: writePicture(part.source, origin), ...markOf(part) }];
    case 'document':
      return [writeDocument(part, origin)];
    case 'native':
      if (part.origin === protocolName) return [part.raw as JsonObject];
      throw impossible(origin, 'a part of the content');
    case 'audio':
      throw impossible(origin, 'audio');
    default:
      writing.losses.drop(clientField(origin, 'messages'));
      return [];
  }
}

function writeText(part: Extract<Part, { kind: 'text' | 'refusal' }>, origin: Origin): JsonObject[] {
  if (part.text.trim() === '') return [];
  if (part.kind === 'refusal') return [{ type: 'text', text: part.text }];
  const citations = origin === protocolName ? (part.citations ?? []).filter(isOwnCitation) : [];
  return [{ type: 'text', text: part.text, ...(citations.length > 0 && { citations }), ...markOf(part) }];
}

/** Pages that another vendor's model cited come back without what Anthropic finds them by, and are refused. */
function isOwnCitation(citation: unknown): boolean {
  return recordOf(citation).encrypted_index !== '';
}

function writePicture(source: MediaSource, origin: Origin): JsonObject {
  if (source.type !== 'data') return writeAddress(source, origin);
  const mime = source.mime === 'image/jpg' ? 'image/jpeg' : source.mime;
  if (!pictureTypes.has(mime)) throw impossible(origin, mime);
  return { type: 'base64', media_type: mime, data: source.data };
}

function writeDocument(part: Extract<Part, { kind: 'document' }>, origin: Origin): JsonObject {
  const { source, context, citations } = part;
  const title = part.title ?? part.name;
  return {
    type: 'document',
    source: source.type === 'data' ? writeFile(source, origin) : writeAddress(source, origin),
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    ...(citations !== undefined && { citations: { enabled: citations } }),
    ...markOf(part),
  };
}

function writeFile({ mime, data }: { mime: string; data: string }, origin: Origin): JsonObject {
  if (mime === 'application/pdf') return { type: 'base64', media_type: mime, data };
  if (!mime.startsWith('text/') && mime !== 'application/json') throw impossible(origin, mime);
  // Plain text is the only other kind, and it is there unencoded.
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };
}

function writeAddress(source: Exclude<MediaSource, { type: 'data' }>, origin: Origin): JsonObject {
  if (source.type === 'url') {
    if (!/^https?:/i.test(source.url)) throw impossible(origin, source.url.slice(0, 100));
    return { type: 'url', url: source.url };
  }
  // A file lies with the vendor it was uploaded to.
  if (origin !== protocolName) throw impossible(origin, `file ${source.id}`);
  return { type: 'file', file_id: source.id };
}

function impossible(origin: Origin, what: string) {
  return notPossible(`${clientField(origin, 'messages')}: ${what}`, protocolName);
}
