import { createReadStream, createWriteStream, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sha256 } from '../../database/backup.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { linesOf } from '../../lib/text-line.ts';
import { logType } from '../../schemas/log-type.ts';
import { coded } from '../../text/coded.ts';
import type { ArchiveFile } from './manifest.ts';

export type ArchiveCounts = Pick<ArchiveFile, 'rows' | 'quota' | 'first_at' | 'last_at'>;

const noRows = (): ArchiveCounts => ({ rows: 0, quota: 0, first_at: Number.MAX_SAFE_INTEGER, last_at: 0 });

function count(counts: ArchiveCounts, { type, quota, created_at }: LogRow): void {
  counts.rows++;
  if (type === logType.consume) counts.quota += quota;
  counts.first_at = Math.min(counts.first_at, created_at);
  counts.last_at = Math.max(counts.last_at, created_at);
}

/** Compressed JSON lines; flushed to the disk when this resolves. */
export async function writeRows(file: string, pages: AsyncIterable<LogRow[]>): Promise<ArchiveCounts> {
  const counts = noRows();
  async function* lines() {
    for await (const page of pages) {
      for (const row of page) count(counts, row);
      yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  const handle = openSync(file, 'w', 0o600);
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream('', { fd: handle, flush: true }));
  return counts;
}

/** A page of rows at a time, in the order they were written. Throws when the file is no archive of rows, or ends too early. */
export async function* readPages(file: string, pageSize = 500): AsyncGenerator<LogRow[]> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip()).setEncoding('utf8');
  source.on('error', (error) => unpacked.destroy(error));
  let page: LogRow[] = [];
  try {
    for await (const line of linesOf(unpacked)) {
      page.push(rowOf(line, file));
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  } catch (error) {
    throw error instanceof AppError ? error : damaged(file, (error as Error).message);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

const textColumns = ['content', 'username', 'token_name', 'model_name', 'group', 'other'] as const;
const wholeColumns = [
  ...(['id', 'user_id', 'created_at', 'type', 'token_id', 'quota', 'prompt_tokens', 'completion_tokens'] as const),
  ...(['use_time', 'channel_id'] as const),
];

function rowOf(line: string, file: string): LogRow {
  try {
    const row = JSON.parse(line) as LogRow;
    const isWhole = wholeColumns.every((name) => Number.isSafeInteger(row[name]));
    if (isWhole && textColumns.every((name) => typeof row[name] === 'string')) return row;
  } catch {
    // Told below, as for a line of something else.
  }
  throw damaged(file, coded('archive.notRow'));
}

const damaged = (file: string, reason: string) => new AppError('archive.damaged', { file, reason });

/** Reads the file to its end: it must be what the manifest says, to the bit. */
export async function checkFile(folder: string, entry: ArchiveFile): Promise<void> {
  const file = join(folder, entry.name);
  if (!existsSync(file)) throw damaged(file, coded('move.fileMissing'));
  if ((await sha256(file)) !== entry.sha256) throw damaged(file, coded('move.otherHash'));
}

/** The hash of a file that was just written, once its rows came back from it. */
export async function readBack(file: string, written: ArchiveCounts): Promise<string> {
  const counts = noRows();
  for await (const page of readPages(file)) for (const row of page) count(counts, row);
  const isSame = counts.rows === written.rows && counts.quota === written.quota;
  if (!isSame) throw damaged(file, coded('move.otherCount'));
  return sha256(file);
}
