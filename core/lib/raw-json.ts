/**
 * JSON text inside a value that is going to be written as JSON: it goes out word for word, so that numbers beyond 2^53 and the
 * order of keys survive. The text must be valid JSON.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For `JSON.stringify`, which cannot embed text: right but for numbers beyond 2^53. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** `JSON.stringify` for values that contain `RawJson`. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  // Joined piece by piece: lists of pieces cost three times as much.
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += items === '' ? writeJson(item) : `,${writeJson(item)}`;
    return `[${items}]`;
  }
  let members = '';
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${writeJson(member)}`;
  }
  return `{${members}}`;
}
