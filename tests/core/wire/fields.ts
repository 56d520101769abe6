import type { RequestFields } from '../../../core/canonical/request.ts';

/** The view of a body that the relay hands to parsers. `JSON.parse` of a text keeps what literals cannot say, such as 1e309. */
export function fieldsOf(body: Record<string, unknown> | string): RequestFields {
  const values = new Map(Object.entries(typeof body === 'string' ? (JSON.parse(body) as object) : body));
  return {
    has: (key) => values.has(key),
    value: (key) => values.get(key),
    count: (key) => {
      const value = values.get(key);
      return Array.isArray(value) ? value.length : undefined;
    },
  };
}
