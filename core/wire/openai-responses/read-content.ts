import type { MediaSource, Part } from '../../canonical/chat-request.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';

/** A text or a list of content parts, of a message or of a tool's output. */
export function* readContent(item: BodyReader, key: string): Steps<Part[]> {
  const content = item.raw(key);
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw wrong('request.notTextOrList', item.at(key));
  const parts: Part[] = [];
  for (const part of item.eachRecord(key)) {
    if (isStep(parts.length)) yield;
    parts.push(yield* readPart(part));
  }
  return parts;
}

function* readPart(part: BodyReader): Steps<Part> {
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
      return { kind: 'image', source: yield* readImage(part), ...(detail !== undefined && { detail }) };
    }
    case 'input_file':
      return yield* readFile(part);
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

function* readImage(part: BodyReader): Steps<MediaSource> {
  const id = part.text('file_id');
  if (id !== undefined) return { type: 'file', id };
  const url = part.requireText('image_url');
  return (yield* readDataUrl(url)) ?? { type: 'url', url };
}

function* readFile(part: BodyReader): Steps<Part> {
  const filename = part.text('filename');
  const name = filename === undefined ? {} : { name: filename };
  const id = part.text('file_id');
  if (id !== undefined) return { kind: 'document', source: { type: 'file', id }, ...name };
  const url = part.text('file_url');
  if (url !== undefined) return { kind: 'document', source: { type: 'url', url }, ...name };
  const data = part.requireText('file_data');
  const source = (yield* readDataUrl(data)) ?? { type: 'data' as const, mime: 'application/pdf', data };
  return { kind: 'document', source, ...name };
}
