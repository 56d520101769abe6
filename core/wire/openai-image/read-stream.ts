import { isJsonObject } from '../../lib/json-value.ts';
import { emptyReading, errorOf } from '../event-reading.ts';
import type { EventReading } from '../protocol.ts';
import { readImageUsage } from './usage.ts';

/** `image_generation.partial_image` and `.completed`, the same with `image_edit`; only the last one carries usage. */
export function readImageEvent(event: unknown): EventReading {
  if (!isJsonObject(event)) return emptyReading();
  const finished = typeof event.type === 'string' && event.type.endsWith('.completed');
  return { ...emptyReading(), error: errorOf(event), finished, usage: finished ? readImageUsage(event) : undefined };
}
