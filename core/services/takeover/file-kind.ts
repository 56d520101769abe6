import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import { isPacked, isPostgresDump, looksLikeDump } from './mysql-dump.ts';

const sqliteBegin = 'SQLite format 3\0';

/** Packed formats by the bytes that they begin with. */
const packed: [format: string, begin: string][] = [
  ['ZIP', '504b0304'],
  ['7z', '377abcaf271c'],
  ['xz', 'fd377a585a00'],
  ['Zstandard', '28b52ffd'],
  ['bzip2', '425a68'],
];

const written: [format: string, begin: RegExp][] = [
  ['HTML', /^\s*<(!doctype html|html)/i],
  ['XML', /^\s*<[?!a-z]/i],
  ['JSON', /^\s*[[{]/],
];

const sqliteText = /^\s*(PRAGMA\s+foreign_keys|BEGIN TRANSACTION)/i;

/**
 * What a file is that an old installation may be in: `bytes` is what it begins with, `begin` the same as text, unpacked. For others
 * it throws, with what they are: SQLite would call them damaged.
 */
export function fileKind(place: string, bytes: Buffer, begin: string): 'sqlite' | 'dump' {
  const isGzip = isPacked(bytes);
  if (begin.startsWith(sqliteBegin) && !isGzip) return 'sqlite';
  const format = packedAs(bytes) ?? (isGzip && !isText(begin) ? 'gzip' : undefined);
  if (format !== undefined) throw new AppError('takeover.packed', { place, format });
  if (isUtf16(bytes)) throw new AppError('takeover.dumpUtf16', { file: place });
  // Its rows stand in other statements: all tables would seem empty.
  if (isPostgresDump(begin)) throw new AppError('takeover.postgresDump', { place });
  if (looksLikeDump(begin)) return 'dump';
  if (sqliteText.test(begin)) throw new AppError('takeover.sqliteText', { place });
  // An empty file, or binary data that may be a damaged database: SQLite says what is wrong with it.
  if (bytes.length === 0 || !isText(begin)) return 'sqlite';
  const reason = written.find(([, pattern]) => pattern.test(begin))?.[0] ?? coded('takeover.plainText');
  throw new AppError('takeover.notDatabase', { place, reason });
}

function packedAs(bytes: Buffer): string | undefined {
  const isTar = bytes.toString('latin1', 257, 262) === 'ustar';
  return isTar ? 'tar' : packed.find(([, begin]) => bytes.toString('hex', 0, 8).startsWith(begin))?.[0];
}

/** By its mark, or by the zeros of every other byte; zeros alone are a file that a power cut has emptied. */
const isUtf16 = (bytes: Buffer) =>
  /^(fffe|feff|00(?!00)..00(?!00)|(?!00)..00(?!00)..00)/.test(bytes.toString('hex', 0, 4));

/** The end of the text may be half a letter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text contains
const isText = (begin: string) => !/[\0-\x08\x0e-\x1a]/.test(begin);
