import type { CacheMark, MediaSource, Part } from '../../canonical/chat-request.ts';
import { unwrapOpaque } from '../../canonical/opaque-text.ts';
import { isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import { withoutSpaces } from '../../lib/without-spaces.ts';
import type { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';

const origin = 'anthropic-messages';

/** A text or a list of blocks. */
export function* readBlocks(holder: BodyReader, key: string): Steps<Part[]> {
  const content = holder.raw(key);
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw wrong('request.notTextOrList', holder.at(key));
  const parts: Part[] = [];
  for (const block of holder.eachRecord(key)) {
    if (isStep(parts.length)) yield;
    const part = yield* readBlock(block);
    if (part) parts.push(part);
  }
  return parts;
}

/** A text or a list of text blocks alone: the system prompt. */
export function* readTextParts(holder: BodyReader, key: string): Steps<Part[]> {
  const parts = yield* readBlocks(holder, key);
  if (parts.some(({ kind }) => kind !== 'text'))
    throw wrong('request.notOneOf', `${holder.at(key)}.type`, { allowed: 'text' });
  return parts;
}

/** Undefined for a signature of ours that was cut or altered on its way. */
function* readBlock(block: BodyReader): Steps<Part | undefined> {
  switch (block.requireText('type')) {
    case 'text': {
      const citations = block.list('citations');
      return {
        kind: 'text',
        text: block.text('text') ?? '',
        ...(citations?.length && { citations }),
        ...readMark(block),
      };
    }
    case 'image':
      return { kind: 'image', source: yield* readSource(block), ...readMark(block) };
    case 'document':
      return yield* readDocument(block);
    case 'thinking':
      return readThinking(block);
    case 'redacted_thinking': {
      const opaque = unwrapOpaque(block.requireText('data'), origin, 'redacted');
      return opaque && { kind: 'reasoning', text: '', form: 'full', opaque };
    }
    case 'tool_use':
      return {
        kind: 'toolCall',
        id: block.requireText('id'),
        name: block.requireText('name'),
        arguments: writeInput(block.raw('input')),
        ...readMark(block),
      };
    case 'tool_result':
      return yield* readResult(block);
    default:
      return { kind: 'native', origin, raw: block.whole() };
  }
}

/** Text that stands for no arguments is what other protocols have for them. */
function writeInput(input: unknown): string {
  return isJsonObject(input) && Object.keys(input).length > 0 ? writeJson(input) : '';
}

function readThinking(block: BodyReader): Part {
  const signature = block.text('signature') ?? '';
  const opaque = signature === '' ? undefined : unwrapOpaque(signature, origin, 'signature');
  return { kind: 'reasoning', text: block.text('thinking') ?? '', form: 'full', ...(opaque && { opaque }) };
}

function* readResult(block: BodyReader): Steps<Part> {
  const isError = block.boolean('is_error');
  return {
    kind: 'toolResult',
    callId: block.requireText('tool_use_id'),
    parts: yield* readBlocks(block, 'content'),
    ...(isError && { isError }),
    ...readMark(block),
  };
}

function* readDocument(block: BodyReader): Steps<Part> {
  const [title, context] = [block.text('title'), block.text('context')];
  const citations = block.record('citations')?.boolean('enabled');
  return {
    kind: 'document',
    source: yield* readSource(block),
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    ...(citations !== undefined && { citations }),
    ...readMark(block),
  };
}

const sourceTypes = ['base64', 'text', 'content', 'url', 'file'];

function* readSource(block: BodyReader): Steps<MediaSource> {
  const source = block.record('source');
  if (!source) throw wrong('request.fieldMissing', block.at('source'));
  switch (source.requireText('type')) {
    case 'base64':
      return {
        type: 'data',
        mime: source.requireText('media_type'),
        data: yield* withoutSpaces(source.requireText('data')),
      };
    case 'text':
      return plainText(source.requireText('data'));
    case 'content':
      return plainText(blockText(source.raw('content')));
    case 'url':
      return { type: 'url', url: source.requireText('url') };
    case 'file':
      return { type: 'file', id: source.requireText('file_id') };
    default:
      throw wrong('request.notOneOf', source.at('type'), { allowed: sourceTypes.join(', ') });
  }
}

function plainText(text: string): MediaSource {
  return { type: 'data', mime: 'text/plain', data: Buffer.from(text).toString('base64') };
}

function blockText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((block: JsonObject) => textOf(block.text))
    .join('\n\n');
}

export function readMark(holder: BodyReader): { cache?: CacheMark } {
  const mark = holder.plain('cache_control');
  return mark ? { cache: mark.ttl === '1h' ? '1h' : '5m' } : {};
}
