import type { CacheMark, Part } from '../../canonical/chat-request.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';

/** A text or a list of parts; none when it is left out. */
export function* readContent(message: BodyReader): Steps<Part[]> {
  const content = message.raw('content');
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw wrong('request.notTextOrList', message.at('content'));
  const parts: Part[] = [];
  for (const part of message.eachRecord('content')) {
    if (isStep(parts.length)) yield;
    parts.push(yield* readPart(part));
  }
  return parts;
}

function* readPart(part: BodyReader): Steps<Part> {
  switch (part.requireText('type')) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: part.text('text') ?? '', ...readMark(part) };
    case 'refusal':
      return { kind: 'refusal', text: part.text('refusal') ?? '' };
    case 'image_url':
      return yield* readImage(part);
    case 'input_audio': {
      const audio = part.record('input_audio');
      if (!audio) throw wrong('request.fieldMissing', part.at('input_audio'));
      return { kind: 'audio', data: audio.requireText('data'), format: audio.text('format') ?? 'wav' };
    }
    case 'file':
      return yield* readFile(part);
    default:
      return { kind: 'native', origin: 'openai-chat', raw: part.whole() };
  }
}

function* readImage(part: BodyReader): Steps<Part> {
  // Some clients leave out the object around the address.
  const isPlain = typeof part.raw('image_url') === 'string';
  const image = isPlain ? undefined : part.record('image_url');
  const url = isPlain ? part.requireText('image_url') : image?.requireText('url');
  if (url === undefined) throw wrong('request.fieldMissing', part.at('image_url'));
  const detail = image?.text('detail');
  return {
    kind: 'image',
    source: (yield* readDataUrl(url)) ?? { type: 'url', url },
    ...(detail !== undefined && { detail }),
    ...readMark(part),
  };
}

function* readFile(part: BodyReader): Steps<Part> {
  const file = part.record('file');
  if (!file) throw wrong('request.fieldMissing', part.at('file'));
  const name = file.text('filename');
  const shared = { kind: 'document', ...(name !== undefined && { name }), ...readMark(part) } as const;
  const id = file.text('file_id');
  if (id !== undefined) return { ...shared, source: { type: 'file', id } };
  const data = file.requireText('file_data');
  if (/^https?:/i.test(data)) return { ...shared, source: { type: 'url', url: data } };
  return { ...shared, source: (yield* readDataUrl(data)) ?? { type: 'data', mime: 'application/pdf', data } };
}

/** OpenAI's mark of what to keep in the cache, or Anthropic's, which clients of several vendors send here too. */
export function readMark(part: BodyReader): { cache?: CacheMark } {
  const mark = part.raw('cache_control');
  if (isJsonObject(mark)) return { cache: mark.ttl === '1h' ? '1h' : '5m' };
  return isJsonObject(part.raw('prompt_cache_breakpoint')) ? { cache: '5m' } : {};
}
