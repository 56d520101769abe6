import type { BodyReader } from '../body-reader.ts';
import { structure, structures } from '../gemini/structure.ts';
import { wrong } from '../request-field.ts';

/** One text or picture to embed, as Google has it. */
export interface EmbedRequest {
  /** Text parts joined; undefined when a part is not text, which only Google's own models embed. */
  text: string | undefined;
  dimensions: number | undefined;
}

/** What `embedContent` and `batchEmbedContents` ask for, in order. Throws AppError for what is not content. */
export function embedRequests(body: Record<string, unknown>): EmbedRequest[] {
  const reader = structure(body, '');
  return isBatch(body) ? structures(reader, 'requests').map(readEmbed) : [readEmbed(reader)];
}

export function isBatch(body: Record<string, unknown>): boolean {
  return body.requests !== undefined;
}

function readEmbed(request: BodyReader): EmbedRequest {
  const field = request.at('content');
  const content = request.raw('content');
  if (content === undefined) throw wrong('request.fieldMissing', field);
  const settings = request.raw('embedContentConfig');
  const options = settings === undefined ? request : structure(settings, request.at('embedContentConfig'));
  return {
    text: readText(content, field),
    dimensions:
      options.integer('outputDimensionality', 1, 65_536) ?? request.integer('outputDimensionality', 1, 65_536),
  };
}

/** A content, its bare parts, or a text. */
function readText(content: unknown, field: string): string | undefined {
  if (typeof content === 'string') return content;
  const parts = structures(structure(Array.isArray(content) ? { parts: content } : content, field), 'parts');
  if (parts.length === 0) throw wrong('request.fieldEmpty', `${field}.parts`);
  const texts = parts.map((part) => part.text('text'));
  return texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
}
