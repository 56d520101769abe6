import type { MediaSource, Part } from '../../canonical/chat-request.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import type { BodyReader } from '../../wire/body-reader.ts';
import { wrong } from '../../wire/request-field.ts';

/** A text or a list of content parts, of a message or of a tool's output. */
export function readContent(item: BodyReader, key: string): Part[] {
  const content = item.raw(key);
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw wrong('request.notTextOrList', item.at(key));
  return item.records(key).map(readPart);
}

function readPart(part: BodyReader): Part {
  switch (part.requireText('type')) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return readText(part);
    case 'refusal':
      return { kind: 'refusal', text: part.text('refusal') ?? '' };
    case 'input_image': {
      const detail = part.text('detail');
      return { kind: 'image', source: readImage(part), ...(detail !== undefined && { detail }) };
    }
    case 'input_file':
      return readFile(part);
    case 'input_audio': {
      const audio = part.record('input_audio') ?? part;
      return { kind: 'audio', data: audio.requireText('data'), format: audio.text('format') ?? 'wav' };
    }
    default:
      return { kind: 'native', origin: 'openai-responses', raw: part.whole() };
  }
}

function readText(part: BodyReader): Part {
  const citations = part.list('annotations');
  return { kind: 'text', text: part.text('text') ?? '', ...(citations?.length && { citations }) };
}

function readImage(part: BodyReader): MediaSource {
  const id = part.text('file_id');
  if (id !== undefined) return { type: 'file', id };
  const url = part.requireText('image_url');
  return readDataUrl(url) ?? { type: 'url', url };
}

function readFile(part: BodyReader): Part {
  const filename = part.text('filename');
  const name = filename === undefined ? {} : { name: filename };
  const id = part.text('file_id');
  if (id !== undefined) return { kind: 'document', source: { type: 'file', id }, ...name };
  const url = part.text('file_url');
  if (url !== undefined) return { kind: 'document', source: { type: 'url', url }, ...name };
  const data = part.requireText('file_data');
  const source = readDataUrl(data) ?? { type: 'data' as const, mime: 'application/pdf', data };
  return { kind: 'document', source, ...name };
}
