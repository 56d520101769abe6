import type { ChatProtocol, Part } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { nativeText } from '../../canonical/native-text.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { writeDataUrl } from '../../lib/data-url.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, type Steps } from '../../lib/steps.ts';

type DocumentPart = Extract<Part, { kind: 'document' }>;

interface ContentWriting {
  origin: ChatProtocol;
  losses: Losses;
  model: string;
}

/** Models that take marks of what to keep in their cache. */
const takesBreakpoints = /(^|\/)gpt-(5\.([6-9]|\d\d)|[6-9])/;

/** Content of a user or system message: one text where it is text alone, which every vendor reads; undefined without content. */
export function* writeContent(
  parts: readonly Part[],
  writing: ContentWriting,
): Steps<string | JsonObject[] | undefined> {
  const written = yield* flatMapInSteps(parts, (part) => writePart(part, writing));
  if (written.length === 0) return undefined;
  const isPlain = written.every((part) => part.type === 'text' && !part.prompt_cache_breakpoint);
  return isPlain ? written.map(({ text }) => text).join('\n\n') : written;
}

function writePart(part: Part, { origin, losses, model }: ContentWriting): JsonObject[] {
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  const isMarked = 'cache' in part && part.cache !== undefined;
  const keepsMark = isMarked && takesBreakpoints.test(model);
  if (isMarked && !keepsMark) drop('cacheMark');
  const mark = keepsMark ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {};
  switch (part.kind) {
    case 'text':
      if (part.citations?.length) drop('citations');
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...mark }];
    case 'image':
      return [{ type: 'image_url', image_url: writeImage(part, origin), ...mark }];
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }];
    case 'document':
      if (part.context !== undefined) drop('documentContext');
      if (part.citations) drop('citations');
      return [{ ...writeDocument(part, origin), ...mark }];
    case 'native': {
      const text = nativeText(part);
      if (text !== undefined) {
        losses.emulate(clientField(origin, 'messages'));
        return [{ type: 'text', text }];
      }
      // The user's own words: without them the response would be to something else.
      throw notPossible(clientField(origin, 'messages'), 'openai-chat');
    }
    default:
      drop('messages');
      return [];
  }
}

function writeImage({ source, detail }: Extract<Part, { kind: 'image' }>, origin: ChatProtocol): JsonObject {
  if (source.type === 'file') throw notPossible(`${clientField(origin, 'messages')}: file ${source.id}`, 'openai-chat');
  const url = source.type === 'url' ? source.url : writeDataUrl(source);
  return { url, ...(detail !== undefined && { detail }) };
}

function writeDocument({ source, name, title }: DocumentPart, origin: ChatProtocol): JsonObject {
  const filename = name ?? title;
  if (source.type === 'data' && source.mime.startsWith('text/')) {
    const text = Buffer.from(source.data, 'base64').toString('utf8');
    return { type: 'text', text: filename === undefined ? text : `${filename}\n\n${text}` };
  }
  if (source.type === 'data')
    return { type: 'file', file: { filename: filename ?? 'document.pdf', file_data: writeDataUrl(source) } };
  const isOwn = origin === 'openai-chat' || origin === 'openai-responses';
  if (source.type === 'file' && isOwn) return { type: 'file', file: { file_id: source.id } };
  throw notPossible(
    `${clientField(origin, 'messages')}: ${source.type === 'url' ? source.url : source.id}`,
    'openai-chat',
  );
}
