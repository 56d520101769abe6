/** Where a text stops being JSON, both counted from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

const word =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy;

/** Undefined for valid JSON. Browsers name the place of an error each in words of its own, or not at all. */
export function jsonErrorPosition(text: string): TextPosition | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return positionOf(text, errorOffset(text));
  }
}

function errorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  while (offset < text.length) {
    word.lastIndex = offset;
    const match = word.exec(text);
    const next: Expected | null | undefined =
      match && following(expected, match[1] ?? (match[2] === undefined ? 'value' : 'text'), open);
    if (!match || !next) break;
    offset = word.lastIndex;
    expected = next;
  }
  const blank = /\s*/y;
  blank.lastIndex = offset;
  blank.exec(text);
  return blank.lastIndex;
}

/** What may come after a word; undefined where the word itself may not stand. Keeps the open brackets. */
function following(expected: Expected, kind: string, open: ('{' | '[')[]): Expected | undefined {
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  const isValue = expected === 'value' || expected === 'valueOrEnd';
  if (kind === '{' || kind === '[') {
    if (!isValue) return undefined;
    open.push(kind);
    return kind === '{' ? 'keyOrEnd' : 'valueOrEnd';
  }
  if (kind === '}' || kind === ']') {
    const isEnd = expected === 'commaOrEnd' || expected === (kind === '}' ? 'keyOrEnd' : 'valueOrEnd');
    if (!isEnd || open.pop() !== (kind === '}' ? '{' : '[')) return undefined;
    return after();
  }
  if (kind === ',') return expected === 'commaOrEnd' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined;
  if (kind === ':') return expected === 'colon' ? 'value' : undefined;
  if (kind === 'text' && (expected === 'key' || expected === 'keyOrEnd')) return 'colon';
  return isValue ? after() : undefined;
}

function positionOf(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
