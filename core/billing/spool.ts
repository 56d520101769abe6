import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';
import { linesOf } from '../lib/text-line.ts';
import type { EndRow, KillPointHook } from './ledger-store.ts';

/** Freed when the disk is full, so that what calls in flight cost can still be written down. */
const reserveBytes = 16 * 1024 * 1024;
const rowsPerTurn = 256;

/** Settlements the database could not take: one JSON line each, flushed, until it responds again. */
export interface Spool {
  append(rows: EndRow[]): Promise<void>;
  /** Keeps a settlement the database refuses for good where an operator finds it. */
  refuse(row: EndRow, reason: string): Promise<void>;
  /** Hands every spooled row (of this and of former processes) to `book`; a file goes once all of its rows are booked. */
  replay(book: (rows: EndRow[]) => Promise<void>): Promise<number>;
  hasRows(): boolean;
  /** The disk is full: what is in flight can still be written down, but nothing new should begin. */
  isShort(): boolean;
  /** Tries to set the reserve aside again; does nothing while there is one. */
  keepReserve(): Promise<void>;
}

export interface SpoolDependencies {
  directory: string;
  owner: string;
  killPoint: KillPointHook;
  log(level: 'warn' | 'error', fields: Record<string, unknown>, text: string): void;
}

export async function openSpool({ directory, owner, killPoint, log }: SpoolDependencies): Promise<Spool> {
  makeFolder(directory);
  // A power cut must not take the folder away with what was flushed into it.
  await syncFolder(join(directory, '..'));
  const current = join(directory, `${owner}.jsonl`);
  const reserve = join(directory, 'reserve');
  let isShort = false;
  let reserving: Promise<void> | undefined;
  await keepReserve();
  let pending = (await waitingFiles(directory)).length > 0;

  /** On a slow disk one may still be writing when the next is due. */
  function keepReserve(): Promise<void> {
    reserving ??= setAside().finally(() => {
      reserving = undefined;
    });
    return reserving;
  }

  async function setAside(): Promise<void> {
    const kept = await stat(reserve).catch(() => undefined);
    if (kept && kept.size >= reserveBytes) {
      isShort = false;
      return;
    }
    try {
      // A process that was killed while it wrote has left a part.
      if (kept) await rm(reserve, { force: true });
      // Zeros are written, not skipped over: a sparse file reserves nothing.
      await writeFlushed(reserve, Buffer.alloc(reserveBytes));
      isShort = false;
    } catch (error) {
      await rm(reserve, { force: true });
      if (!isShort) log('warn', { error: String(error) }, 'there is no room to keep a reserve for settlements');
      isShort = isDiskFull(error);
    }
  }

  async function append(rows: EndRow[]): Promise<void> {
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    killPoint('spool.before');
    // The empty line in front ends a line that an earlier failure has torn.
    await appendFlushed(current, `\n${lines}\n`);
    pending = true;
    killPoint('spool.after');
  }

  async function appendFlushed(path: string, text: string): Promise<void> {
    try {
      await appendWhereItStays(path, text);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await rm(reserve, { force: true });
      isShort = true;
      log('error', { path }, 'the disk is full: the reserve for settlements is in use, and no new call begins');
      await appendWhereItStays(path, text);
    }
  }

  async function replay(book: (rows: EndRow[]) => Promise<void>): Promise<number> {
    let count = 0;
    for (const name of await waitingFiles(directory)) {
      const path = await takeOver(directory, name);
      if (path) count += await replayFile(path, book);
    }
    pending = (await waitingFiles(directory)).length > 0;
    if (!pending) await keepReserve();
    return count;
  }

  async function replayFile(path: string, book: (rows: EndRow[]) => Promise<void>): Promise<number> {
    let count = 0;
    let rows: EndRow[] = [];
    for await (const line of linesOf(createReadStream(path, 'utf8'))) {
      const row = line === '' ? undefined : parseLine(line);
      if (row === undefined) {
        // A torn line was never acknowledged: its rows were written again, or their process died before it acknowledged them.
        if (line !== '') log('warn', { path, bytes: line.length }, 'a torn line of the settlement spool was left out');
        continue;
      }
      rows.push(row);
      if (rows.length === rowsPerTurn) {
        await book(rows);
        count += rows.length;
        rows = [];
      }
    }
    if (rows.length > 0) await book(rows);
    await rm(path, { force: true });
    return count + rows.length;
  }

  return {
    append,
    replay,
    keepReserve,
    hasRows: () => pending,
    isShort: () => isShort,
    refuse: (row, reason) => appendFlushed(join(directory, 'refused.txt'), `${JSON.stringify({ reason, row })}\n`),
  };
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function waitingFiles(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith('.jsonl') || name.endsWith('.replay')).sort();
}

/** A file is renamed before it is read, so that a process that still appends to it cannot believe that its line will be read. */
async function takeOver(directory: string, name: string): Promise<string | undefined> {
  const path = join(directory, name);
  if (name.endsWith('.replay')) return path;
  const taken = `${path}.${randomBytes(4).toString('hex')}.replay`;
  try {
    await rename(path, taken);
    return taken;
  } catch (error) {
    // Another process that replays the same folder was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes again when the file was taken over meanwhile: it may have been read before this line was there. */
async function appendWhereItStays(path: string, text: string): Promise<void> {
  for (;;) {
    const written = await writeFlushed(path, text);
    const there = await stat(path).catch(() => undefined);
    if (there?.ino === written) return;
  }
}

/** Appends and flushes file and folder; returns the file's inode number. */
async function writeFlushed(path: string, content: string | Buffer): Promise<number> {
  const file = await open(path, 'a', 0o600);
  try {
    const { ino } = await file.stat();
    await file.appendFile(content);
    await file.sync();
    await syncFolder(join(path, '..'));
    return ino;
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder as a file; there the name is written with the file.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parseLine(line: string): EndRow | undefined {
  try {
    const row = JSON.parse(line) as EndRow;
    return typeof row.id === 'string' && Number.isSafeInteger(row.actual) ? row : undefined;
  } catch {
    // Not JSON: torn in the middle of a write.
    return undefined;
  }
}
