import type { Citation } from '../../canonical/chat-event.ts';

/** An annotation of an output text; undefined for kinds that name no page. */
export function urlCitationOf(annotation: unknown): Citation | undefined {
  const { type, url, title, start_index, end_index } = (annotation ?? {}) as Record<string, unknown>;
  if (type !== 'url_citation' || typeof url !== 'string') return undefined;
  return {
    url,
    ...(typeof title === 'string' && { title }),
    ...(typeof start_index === 'number' && { start: start_index }),
    ...(typeof end_index === 'number' && { end: end_index }),
    raw: { origin: 'openai-responses', value: annotation },
  };
}
