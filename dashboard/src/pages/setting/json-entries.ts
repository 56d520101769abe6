import { isJsonObject } from '../../../../core/lib/json-value.ts';
/** What is behind a name in a JSON object: numbers, texts, or several of them. */
export type Entry = [name: string, fields: Record<string, unknown>];

export interface EntryShape {
  /**
   * `value`: `{"a": 1}`; `fields`: `{"a": {"x": 1, "y": 2}}`; `list`: `[{"a": "text"}]`, where the name is not a plain key and may
   * come twice.
   */
  kind: 'value' | 'fields' | 'list';
  columns: { key: string; isText?: boolean; choices?: readonly string[] }[];
}

const only = 'value';

/** Undefined when the text is not JSON of this shape. */
export function readEntries(text: string, { kind }: EntryShape): Entry[] | undefined {
  const parsed = text.trim() === '' ? (kind === 'list' ? [] : {}) : parse(text);
  if (kind === 'list') {
    if (!Array.isArray(parsed)) return undefined;
    const pairs = parsed.map((one: unknown) => (isJsonObject(one) ? Object.entries(one)[0] : undefined));
    return pairs.every((pair) => pair !== undefined)
      ? pairs.map(([name, value]): Entry => [name, { [only]: value }])
      : undefined;
  }
  if (!isJsonObject(parsed)) return undefined;
  return Object.entries(parsed).map(([name, value]) => [
    name,
    kind === 'fields' && isJsonObject(value) ? value : { [only]: value },
  ]);
}

export function writeEntries(entries: Entry[], { kind }: EntryShape): string {
  if (kind === 'list')
    return JSON.stringify(
      entries.map(([name, fields]) => ({ [name]: fields[only] })),
      undefined,
      2,
    );
  return JSON.stringify(
    Object.fromEntries(entries.map(([name, fields]) => [name, kind === 'fields' ? fields : fields[only]])),
    undefined,
    2,
  );
}

/** A number where the text is one; the text itself stays, to be found wrong where it stands. */
export function readNumber(text: string): number | string {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // said under the raw text
  }
}
