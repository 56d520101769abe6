import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import { createEndWatch, type DumpEnd } from './mysql-end.ts';
import {
  type DumpValue,
  databaseInUse,
  headColumns,
  type MadeTable,
  type NamedTable,
  readRow,
  type SqlCursor,
  skipBlank,
  skipStatement,
  tableColumns,
} from './mysql-text.ts';

export type DumpEvent =
  /** The tables behind it are of this database, where no other is named. */
  | { use: string }
  /** The last one. `unknown`: nothing in the dump says where it ends. */
  | { end: Exclude<DumpEnd, 'cut'> }
  | MadeTable
  /** `names` when the statement names the columns. */
  | (NamedTable & { names: string[] | undefined; values: DumpValue[] });

/** What a plain dump may begin with; also of MariaDB, with the comments left out, and behind a warning that went into the file. */
const dumpBegin = /^\s*(--|#|\/\*|(CREATE|DROP|INSERT|SET|USE|LOCK|START)\b|(mysqldump|mariadb-dump): )/i;

export const looksLikeDump = (begin: string): boolean => dumpBegin.test(begin);

/** PostgreSQL's dumps, as text and packed. */
export const isPostgresDump = (begin: string): boolean => /^(-- PostgreSQL database|PGDMP)/m.test(begin.slice(0, 200));

const names = /^(?:\/\*!\d+ )?SET NAMES '?(\w+)/gim;
const namesWithin = 4096;

/** The encoding that the dump says its texts have, when names would come garbled from it. */
export function wrongEncoding(begin: string): string | undefined {
  const said = [...begin.slice(0, namesWithin).matchAll(names)].at(-1)?.[1]?.toLowerCase();
  return said === undefined || /^(utf8(mb[34])?|binary|ascii)$/.test(said) ? undefined : said;
}

const beginBytes = 65_536;

/** What a file begins with, and the text of it: of a packed one what its first bytes unpack to. */
export function beginOf(file: string): { bytes: Buffer; begin: string } {
  const bytes = bytesOf(file, beginBytes);
  try {
    // Most of a file is not there: what can be unpacked is enough.
    const plain = isPacked(bytes) ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
    return { bytes, begin: plain.toString('utf8') };
  } catch (error) {
    throw new AppError('takeover.dumpDamaged', { file, reason: (error as Error).message }, { cause: error });
  }
}

function bytesOf(file: string, count: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(handle, bytes, 0, count, 0));
  } finally {
    closeSync(handle);
  }
}

export const isPacked = (begin: Buffer): boolean => begin[0] === 0x1f && begin[1] === 0x8b;

/** The tables and rows of a dump, a piece of the file at a time: neither the file nor one statement is ever whole in memory. */
export async function* readDump(file: string): AsyncGenerator<DumpEvent[]> {
  const reader = createDumpReader(file);
  for await (const piece of textOf(file)) yield reader.take(piece);
  yield reader.end();
}

async function* textOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  // An error of the one ends the other, and is thrown below.
  const plain: Readable = isPacked(bytesOf(file, 2)) ? pipeline(bytes, createGunzip(), () => {}) : bytes;
  try {
    yield* plain.setEncoding('utf8') as AsyncIterable<string>;
  } catch (error) {
    throw new AppError('takeover.dumpDamaged', { file, reason: (error as Error).message }, { cause: error });
  }
}

interface Insert extends NamedTable {
  names: string[] | undefined;
}

/** Takes a dump in pieces that may end anywhere. */
export function createDumpReader(file: string) {
  let text = '';
  let insert: Insert | undefined;
  let delimiter = ';';
  const watch = createEndWatch();

  function take(piece: string, isLast = false): DumpEvent[] {
    watch.take(piece);
    text += piece;
    const cursor: SqlCursor = { text, at: 0, isLast };
    const events: DumpEvent[] = [];
    try {
      while (step(cursor, events)) if (cursor.at >= text.length) break;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw damaged(error instanceof Error ? error.message : String(error));
    }
    text = text.slice(cursor.at);
    return events;
  }

  /** False when the rest of the text is not enough for one more step. */
  function step(cursor: SqlCursor, events: DumpEvent[]): boolean {
    if (!skipBlank(cursor)) return false;
    if (insert) return stepRow(cursor, insert, events);
    if (cursor.at >= cursor.text.length) return false;
    const word = /^\w+/.exec(cursor.text.slice(cursor.at, cursor.at + 40))?.[0].toUpperCase() ?? '';
    if (word === 'DELIMITER') return stepDelimiter(cursor);
    // Between two other delimiters are triggers and routines.
    if (delimiter !== ';') return skipStatement(cursor, delimiter);
    if (word === 'INSERT' || word === 'REPLACE') return stepHead(cursor);
    const start = cursor.at;
    if (!skipStatement(cursor, delimiter)) return false;
    const statement = cursor.text.slice(start, cursor.at);
    const made = word === 'CREATE' ? tableColumns(statement) : undefined;
    if (made) events.push(made);
    const inUse = word === 'USE' ? databaseInUse(statement) : undefined;
    if (inUse !== undefined) events.push({ use: inUse });
    return true;
  }

  function stepHead(cursor: SqlCursor): boolean {
    const head = headColumns(cursor);
    if (head === 'more') return false;
    // `INSERT ... SELECT` has no rows to read.
    if (head === undefined) return skipStatement(cursor, delimiter);
    insert = head;
    return true;
  }

  function stepRow(cursor: SqlCursor, rowsOf: Insert, events: DumpEvent[]): boolean {
    const sign = cursor.text[cursor.at];
    if (sign === undefined) return false;
    if (sign === ',') {
      cursor.at++;
      return true;
    }
    if (sign !== '(') {
      // The end, or `ON DUPLICATE KEY UPDATE`.
      if (!skipStatement(cursor, delimiter)) return false;
      insert = undefined;
      return true;
    }
    const values = readRow(cursor);
    if (!values) return false;
    events.push({ ...rowsOf, values });
    return true;
  }

  function stepDelimiter(cursor: SqlCursor): boolean {
    const end = cursor.text.indexOf('\n', cursor.at);
    if (end < 0 && !cursor.isLast) return false;
    const line = cursor.text.slice(cursor.at, end < 0 ? undefined : end);
    delimiter = line.split(/\s+/)[1] ?? ';';
    cursor.at = end < 0 ? cursor.text.length : end + 1;
    return true;
  }

  const damaged = (reason: string) => new AppError('takeover.dumpDamaged', { file, reason });

  return {
    take,
    end(): DumpEvent[] {
      const events = take('', true);
      // A dump that stopped in the middle would lose the users behind it without a word.
      const end = watch.end();
      if (insert !== undefined || text.trim() !== '' || end === 'cut') throw damaged(coded('takeover.dumpCut'));
      return [...events, { end }];
    },
  };
}
