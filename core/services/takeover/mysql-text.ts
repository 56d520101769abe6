export type DumpValue = string | number | Buffer | null;

/** Text that is not whole yet, and how far it was read. */
export interface SqlCursor {
  text: string;
  at: number;
  /** Nothing comes behind it. */
  isLast: boolean;
}

const spaces = /\s*/y;

/** Over blanks and comments; false when a comment goes on behind the text. Lines of the client, such as `/*!40101 ...`, are comments too. */
export function skipBlank(cursor: SqlCursor): boolean {
  const { text, isLast } = cursor;
  for (;;) {
    spaces.lastIndex = cursor.at;
    spaces.exec(text);
    cursor.at = spaces.lastIndex;
    const isLine = /^(--(\s|$)|#)/.test(text.slice(cursor.at, cursor.at + 3)) || isWarning(text, cursor.at);
    const end = isLine ? '\n' : text.startsWith('/*', cursor.at) ? '*/' : undefined;
    if (end === undefined) return isLast || text.length - cursor.at > 2 || !/^[-/]/.test(text.slice(cursor.at));
    const found = text.indexOf(end, cursor.at);
    if (found < 0) {
      if (!isLast) return false;
      cursor.at = text.length;
      return true;
    }
    cursor.at = found + end.length;
  }
}

/** What mysqldump says when its errors go where the dump goes; not where it says that rows are missing. */
const isWarning = (text: string, at: number) => {
  warning.lastIndex = at;
  return warning.test(text);
};
const warning = /(?:mysqldump|mariadb-dump): (?!.*when dumping table)/y;

/** Behind the delimiter; false when it is not in the text yet. */
export function skipStatement(cursor: SqlCursor, delimiter: string): boolean {
  const { text } = cursor;
  for (let at = cursor.at; at < text.length; ) {
    if (text.startsWith(delimiter, at)) {
      cursor.at = at + delimiter.length;
      return true;
    }
    const end = partEnd(text, at);
    if (end < 0) break;
    at = end;
  }
  if (cursor.isLast) cursor.at = text.length;
  return cursor.isLast;
}

/** Behind the quote or comment that begins here, or behind the sign; -1 when the text ends before. An apostrophe in a comment of a routine is no quote. */
function partEnd(text: string, at: number): number {
  const sign = text[at] ?? '';
  if (sign === "'" || sign === '"' || sign === '`') return quoteEnd(text, at);
  if (sign !== '#' && sign !== '-' && sign !== '/') return at + 1;
  if (/^(#|--(\s|$))/.test(text.slice(at, at + 3))) return behind(text, '\n', at);
  return text.startsWith('/*', at) ? behind(text, '*/', at + 2) : at + 1;
}

function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? -1 : found + end.length;
}

/** Behind the closing quote; -1 when it is not in the text. */
function quoteEnd(text: string, start: number): number {
  const quote = text[start] ?? '';
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\' && quote !== '`') at++;
    else if (sign === quote) {
      // The text may end between two quotes that are one.
      if (at + 1 >= text.length) return -1;
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

const name = '(?:`(?:[^`]|``)+`|"[^"]+"|[\\w$]+)';
const insertHead = new RegExp(
  `(?:INSERT|REPLACE)\\s+(?:(?:IGNORE|LOW_PRIORITY|DELAYED|HIGH_PRIORITY)\\s+)*INTO\\s+(?:(${name})\\.)?(${name})\\s*(?:\\(([^()]*)\\)\\s*)?VALUES?\\s*(?=\\()`,
  'iy',
);
/** Longer than any list of columns. */
const maxHead = 65_536;

/** A table as a statement names it. */
export interface NamedTable {
  /** Not the one that is in use. */
  database?: string | undefined;
  table: string;
}

/** The table and the named columns of an INSERT, read up to its first row; undefined for one without rows. */
export function headColumns(cursor: SqlCursor): (NamedTable & { names: string[] | undefined }) | 'more' | undefined {
  insertHead.lastIndex = cursor.at;
  const found = insertHead.exec(cursor.text);
  if (!found) return cursor.isLast || cursor.text.length - cursor.at > maxHead ? undefined : 'more';
  cursor.at = insertHead.lastIndex;
  const [, database, table = '', names] = found;
  return { ...named(database, table), names: names?.split(',').map((one) => bare(one.trim())) };
}

const named = (database: string | undefined, table: string): NamedTable => ({
  database: database === undefined ? undefined : bare(database),
  table: bare(table),
});

const bare = (quoted: string): string => quoted.replace(/^[`"]|[`"]$/g, '').replaceAll('``', '`');

const tableHead = new RegExp(
  `^CREATE\\s+(?:TEMPORARY\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?:(${name})\\.)?(${name})\\s*\\(`,
  'i',
);
const columnLine = new RegExp(`^(${name})\\s`);
const notColumn = /^(PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FOREIGN|FULLTEXT|SPATIAL|CHECK)\b/i;

export interface MadeTable extends NamedTable {
  /** In their order. */
  columns: string[];
  /** It may be there already. */
  isOptional?: true | undefined;
}

/** What a CREATE TABLE declares. */
export function tableColumns(statement: string): MadeTable | undefined {
  const head = tableHead.exec(statement);
  if (!head) return undefined;
  const columns = partsOf(statement.slice(head[0].length)).flatMap((part) => {
    const quoted = columnLine.exec(part)?.[1];
    return quoted === undefined || notColumn.test(part) ? [] : [bare(quoted)];
  });
  const isOptional = /\sIF\s+NOT\s+EXISTS\s/i.test(head[0]) || undefined;
  return { ...named(head[1], head[2] ?? ''), columns, isOptional };
}

const use = new RegExp(`^USE\\s+(${name})`, 'i');

/** The database that the statements behind this one are about. */
export const databaseInUse = (statement: string): string | undefined => {
  const quoted = use.exec(statement)?.[1];
  return quoted === undefined ? undefined : bare(quoted);
};

/** What stands between the commas of a list, up to the bracket that closes it. */
function partsOf(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const sign = body[at] ?? '';
    if (/['"`]/.test(sign)) at = Math.max(at, quoteEnd(body, at) - 1);
    else if (sign === '(') depth++;
    else if (sign === ')' && depth-- === 0) {
      parts.push(body.slice(start, at).trim());
      break;
    } else if (sign === ',' && depth === 0) {
      parts.push(body.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

const bareValue = /[^\s,()'"]+/y;

/** The values between two brackets; undefined when the second is not in the text yet, and the cursor stays. */
export function readRow(cursor: SqlCursor): DumpValue[] | undefined {
  const { text, isLast } = cursor;
  const values: DumpValue[] = [];
  for (let at = cursor.at + 1; ; ) {
    const value = readValue(text, skipSpaces(text, at));
    if (value === undefined) {
      if (isLast) throw new Error('a row has no end');
      return undefined;
    }
    values.push(value.value);
    at = skipSpaces(text, value.end);
    const sign = text[at];
    if (sign === undefined && !isLast) return undefined;
    if (sign !== ',' && sign !== ')') throw new Error(`unexpected ${(text.slice(at, at + 20) || 'end').trim()}`);
    at++;
    if (sign === ',') continue;
    cursor.at = at;
    return values;
  }
}

function skipSpaces(text: string, at: number): number {
  spaces.lastIndex = at;
  spaces.exec(text);
  return spaces.lastIndex;
}

interface ReadValue {
  value: DumpValue;
  end: number;
}

function readValue(text: string, at: number): ReadValue | undefined {
  if (text[at] === "'" || text[at] === '"') {
    const end = quoteEnd(text, at);
    return end < 0 ? undefined : { value: unescaped(text.slice(at + 1, end - 1), text[at] ?? ''), end };
  }
  bareValue.lastIndex = at;
  const word = bareValue.exec(text)?.[0];
  const end = at + (word?.length ?? 0);
  // The word may go on behind the text.
  if (word === undefined || end >= text.length) return undefined;
  // `_binary 'text'`, `_utf8mb4'text'`, `x'6162'`, `b'1'`: the text follows.
  if (/^_\w+$/.test(word)) return readValue(text, skipSpaces(text, end));
  if (/^[xXbB]$/.test(word) && text[end] === "'") {
    const inner = readValue(text, end);
    return inner && { value: digits(word, String(inner.value)), end: inner.end };
  }
  return { value: bareWord(word), end };
}

function digits(kind: string, text: string): DumpValue {
  return /x/i.test(kind) ? Buffer.from(text, 'hex') : Number.parseInt(text || '0', 2);
}

function bareWord(word: string): DumpValue {
  if (/^null$/i.test(word)) return null;
  if (/^(true|false)$/i.test(word)) return /^t/i.test(word) ? 1 : 0;
  if (/^0x/i.test(word)) return Buffer.from(word.slice(2), 'hex');
  const number = Number(word);
  if (Number.isNaN(number)) throw new Error(`unexpected ${word.slice(0, 20)}`);
  // Too large to be exact: kept as text, and left to who reads the column.
  return /^-?\d+$/.test(word) && !Number.isSafeInteger(number) ? word : number;
}

const escapes: Record<string, string> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' };

function unescaped(inner: string, quote: string): string {
  if (!inner.includes('\\') && !inner.includes(quote)) return inner;
  return inner.replace(/\\([\s\S])|''|""/g, (whole, sign: string | undefined) =>
    sign === undefined ? (whole[0] === quote ? quote : whole) : (escapes[sign] ?? sign),
  );
}
