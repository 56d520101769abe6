import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { emptyReading, errorOf } from '../event-reading.ts';
import type { EventReading } from '../protocol.ts';
import { readImageUsage } from './usage.ts';

/** `image_generation.partial_image` and `.completed`, the same with `image_edit`; only the last one carries usage. */
export function readImageEvent(event: unknown): EventReading {
  if (!isJsonObject(event)) return emptyReading();
  const finished = typeof event.type === 'string' && event.type.endsWith('.completed');
  return { ...emptyReading(), error: errorOf(event), finished, usage: finished ? readImageUsage(event) : undefined };
}

/** Pictures of a whole response as the last events of a stream, one each. */
export function imageDocumentEvents(document: JsonObject, type: string): JsonObject[] {
  const { data, created, background, output_format, quality, size } = document;
  const pictures = Array.isArray(data) ? data.filter(isJsonObject) : [];
  return pictures.map((picture, index) => ({
    type,
    ...picture,
    created_at: created,
    background,
    output_format,
    quality,
    size,
    // Once, with the last picture: it is the usage of all of them.
    ...(index === pictures.length - 1 && isJsonObject(document.usage) && { usage: document.usage }),
  }));
}
