import type { MediaPart, Message, Part, ToolResultPart } from '../../canonical/chat-request.ts';
import { unwrapOpaque } from '../../canonical/opaque-text.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { flatMapInSteps, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';
import { structure, structureAt, structures } from './structure.ts';

export interface ContentReader {
  message(content: BodyReader): Steps<Message>;
}

/**
 * Reads the contents of one conversation in order. Calls without an id get one, and results without an id belong to the oldest
 * open call of their name: this protocol knows calls by name, all others by id.
 */
export function createContentReader(): ContentReader {
  const open: { id: string; name: string }[] = [];
  let calls = 0;

  function readPart(part: BodyReader): Part[] {
    const text = part.text('text');
    const signature = part.text('thoughtSignature');
    if (text !== undefined) return readText(part, text, signature);
    const call = structureAt(part, 'functionCall');
    if (call) return [readCall(call, signature)];
    const response = structureAt(part, 'functionResponse');
    if (response) return [readResponse(response)];
    const media = structureAt(part, 'inlineData');
    if (media) return [{ ...readMedia(media.requireText('mimeType'), media.requireText('data')), ...readExtras(part) }];
    const file = structureAt(part, 'fileData');
    if (file) return [{ ...readFile(file.requireText('fileUri'), file.text('mimeType')), ...readExtras(part) }];
    return [{ kind: 'native', origin: 'gemini', raw: part.whole() }];
  }

  function readText(part: BodyReader, text: string, signature: string | undefined): Part[] {
    if (part.boolean('thought')) return [readThought(text, signature)];
    // The signature of a response's text is kept beside it: it is only good where it was made.
    const signed = signature === undefined ? [] : [readThought('', signature)];
    return text === '' ? signed : [{ kind: 'text', text }, ...signed];
  }

  function readThought(text: string, signature: string | undefined): Part {
    const opaque = signature === undefined ? undefined : unwrapOpaque(signature, 'gemini', 'signature');
    return { kind: 'reasoning', text, form: 'summary', ...(opaque && { opaque }) };
  }

  function readCall(call: BodyReader, signature: string | undefined): Part {
    const name = call.requireText('name');
    const id = call.text('id') || `call_${calls++}`;
    open.push({ id, name });
    const opaque = signature === undefined ? undefined : unwrapOpaque(signature, 'gemini', 'signature');
    const text = writeJson(call.plain('args') ?? {});
    return { kind: 'toolCall', id, name, arguments: text, ...(opaque && { opaque }) };
  }

  function readResponse(response: BodyReader): ToolResultPart {
    const name = response.requireText('name');
    const id = response.text('id');
    const at = open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
    const [found] = at < 0 ? [] : open.splice(at, 1);
    const { text, isError } = resultText(response.raw('response'), response.at('response'));
    const media = structures(response, 'parts').flatMap(readPart);
    return {
      kind: 'toolResult',
      callId: found?.id ?? id ?? `call_${calls++}`,
      name,
      parts: [{ kind: 'text', text }, ...media],
      ...(isError && { isError }),
    };
  }

  return {
    *message(content) {
      const role = content.text('role') ?? 'user';
      const parts = yield* flatMapInSteps(content.list('parts') ?? [], (part, index) => {
        // The SDKs take bare texts for parts.
        const value = typeof part === 'string' ? { text: part } : part;
        return readPart(structure(value, `${content.at('parts')}.${index}`));
      });
      if (role === 'model') return { role: 'assistant', parts: joinThoughts(parts) };
      if (role !== 'user' && role !== 'function' && role !== 'system')
        throw wrong('request.notOneOf', content.at('role'), { allowed: 'user, model' });
      const isResults = parts.length > 0 && parts.every(({ kind }) => kind === 'toolResult');
      return { role: isResults ? 'tool' : role === 'system' ? 'system' : 'user', parts };
    },
  };
}

/** A thought that was streamed comes back in pieces, its signature last: apart from its words that is worth nothing. */
function joinThoughts(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'reasoning' && last?.kind === 'reasoning' && !last.opaque)
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** Goes on with a turn of the model: Google's SDK keeps every chunk of a stream as a content of its own, wherever a word is cut. */
export function extendTurn(turn: Part[], [first, ...others]: Part[]): void {
  const last = turn.at(-1);
  const isText = last?.kind === 'text' && first?.kind === 'text';
  const isThought = last?.kind === 'reasoning' && first?.kind === 'reasoning' && !last.opaque;
  if (isText || isThought) turn[turn.length - 1] = { ...first, text: last.text + first.text };
  else if (first) turn.push(first);
  for (const part of others) turn.push(part);
}

/** `output` and `error` contain the result where they are there; else the whole object is the result. */
function resultText(response: unknown, path: string): { text: string; isError: boolean } {
  if (response === undefined) return { text: '', isError: false };
  if (!isJsonObject(response)) throw wrong('request.notObject', path);
  const keys = Object.keys(response);
  const isError = keys.length === 1 && 'error' in response;
  const value = isError ? response.error : keys.length === 1 && 'output' in response ? response.output : response;
  return { text: typeof value === 'string' ? value : writeJson(value), isError };
}

/** What stands beside the bytes or the address: `videoMetadata`, `mediaResolution`. */
function readExtras(part: BodyReader): Pick<MediaPart, 'extras'> {
  const extras = part.rest();
  return Object.keys(extras).length > 0 ? { extras } : {};
}

/** The names of such members, for the list of what another protocol cannot say. */
export function mediaExtraNames(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'toolResult') return mediaExtraNames(part.parts);
    return isMedia(part) ? Object.keys(part.extras ?? {}).map((name) => `parts.${name}`) : [];
  });
}

const isMedia = (part: Part): part is MediaPart =>
  part.kind === 'image' || part.kind === 'audio' || part.kind === 'document';

function readMedia(mime: string, data: string): MediaPart {
  const type = mime.toLowerCase();
  if (type.startsWith('image/')) return { kind: 'image', source: { type: 'data', mime: type, data } };
  if (type.startsWith('audio/')) return { kind: 'audio', data, format: audioFormat(type) };
  return { kind: 'document', source: { type: 'data', mime: type, data } };
}

function audioFormat(mime: string): string {
  const subtype = mime.slice('audio/'.length).split(';')[0]?.replace(/^x-/, '') ?? '';
  return subtype === 'mpeg' ? 'mp3' : subtype;
}

function readFile(url: string, mime: string | undefined): MediaPart {
  const source = { type: 'url' as const, url, ...(mime !== undefined && { mime }) };
  return mime?.startsWith('image/') ? { kind: 'image', source } : { kind: 'document', source };
}
