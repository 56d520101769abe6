import { openSync, read as readFile, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What SQLite writes at the beginning of a file. */
const magic = 'SQLite format 3\0';
const headerBytes = 100;
const indexBytes = 132;
const walHeaderBytes = 32;
const frameHeaderBytes = 24;

const outOfHandles = new Set(['EMFILE', 'ENFILE']);

const suffixes = ['', '-wal', '-shm'] as const;

/** Both are only ever counted up. With a write-ahead log SQLite counts not every change; each heartbeat of the ledger counts. */
interface Counts {
  changes: number;
  beats: number;
}

/**
 * Whether a SQLite file and what lies beside it are still those that were opened: SQLite itself goes on writing into a file that was
 * moved, deleted or replaced. One look may fall between two steps of a checkpoint, so it takes two that find the same.
 */
export function createFileIdentity(file: string) {
  // Taken at once: what happens before the first look happens to these.
  let known = new Map(suffixes.flatMap((suffix) => knownAt(suffix)));
  let newest: Counts = { changes: 0, beats: 0 };
  let suspicion: string | undefined;
  /** What was cut off or written over does not come back, though the file may grow again. */
  let lasting: string | undefined;

  function knownAt(suffix: string): [string, string][] {
    const at = statSync(`${file}${suffix}`, { throwIfNoEntry: false });
    return at ? [[suffix, identityOf(at)]] : [];
  }

  async function findFault(): Promise<string | undefined> {
    for (const suffix of suffixes) {
      const path = `${file}${suffix}`;
      const at = await stat(path).catch(absent);
      const former = known.get(suffix);
      if (at === undefined && former !== undefined) return `${path} is gone`;
      if (at === undefined) continue;
      const identity = identityOf(at);
      if (former !== undefined && former !== identity) return `${path} was replaced by another file`;
      known.set(suffix, identity);
    }
    return undefined;
  }

  async function findDamage(): Promise<string | undefined> {
    if (!known.has('')) return undefined;
    return (await headerFault()) ?? (await logFault());
  }

  async function headerFault(): Promise<string | undefined> {
    const bytes = await readBeginning(file, headerBytes);
    // Nothing has been taken over from the log yet.
    if (bytes.size === 0 && newest.changes === 0) return undefined;
    if (bytes.size < headerBytes) return `${file} was cut to ${bytes.size} bytes`;
    if (bytes.text.toString('latin1', 0, magic.length) !== magic) return `${file} was overwritten`;
    const pageBytes = bytes.text.readUInt16BE(16) === 1 ? 65_536 : bytes.text.readUInt16BE(16);
    const isCounted = bytes.text.readUInt32BE(24) === bytes.text.readUInt32BE(92);
    const isShort = isCounted && bytes.size < pageBytes * bytes.text.readUInt32BE(28);
    if (isShort && !(await isTakingOver())) return `${file} was cut to ${bytes.size} bytes`;
    const counts = { changes: bytes.text.readUInt32BE(24), beats: bytes.text.readInt32BE(60) };
    if (counts.changes < newest.changes || counts.beats < newest.beats)
      return `${file} was overwritten by an older copy`;
    newest = counts;
    return undefined;
  }

  /** The first page says how large the file will be, and is written long before the last one of a log that has grown large. */
  async function isTakingOver(): Promise<boolean> {
    if (!known.has('-shm')) return false;
    const index = await readBeginning(`${file}-shm`, indexBytes);
    // Frames that are in the file, and those that are to be.
    return index.size >= indexBytes && index.text.readUInt32LE(96) !== index.text.readUInt32LE(128);
  }

  /** The index beside the log says how many frames it has. */
  async function logFault(): Promise<string | undefined> {
    if (!known.has('-shm') || !known.has('-wal')) return undefined;
    const index = await readBeginning(`${file}-shm`, headerBytes);
    if (index.size < headerBytes) return undefined;
    const frameBytes = frameHeaderBytes + index.text.readUInt16LE(14);
    const frames = index.text.readUInt32LE(16);
    const { size } = await stat(`${file}-wal`);
    return frames > 0 && size < walHeaderBytes + frames * frameBytes
      ? `${file}-wal was cut to ${size} bytes`
      : undefined;
  }

  return {
    /** What is wrong; undefined while all is as it was, also when it is so again. */
    async look(): Promise<string | undefined> {
      if (lasting !== undefined) return lasting;
      let unread: string | undefined;
      const noteUnread = (error: NodeJS.ErrnoException) => {
        // A process without a free descriptor learns nothing about the file.
        if (!outOfHandles.has(error.code ?? '')) unread = `${file} cannot be read: ${error.code}`;
        return undefined;
      };
      const missing = await findFault().catch(noteUnread);
      const damage = missing === undefined ? await findDamage().catch(noteUnread) : undefined;
      const fault = missing ?? damage ?? unread;
      const isSure = fault !== undefined && suspicion !== undefined;
      suspicion = fault;
      if (isSure) lasting = damage;
      return isSure ? fault : undefined;
    },
    /** The process that opened the file has closed it, and the log with it. */
    forgetLog(): void {
      known = new Map([...known].filter(([suffix]) => suffix === ''));
    },
  };
}

/** Any other failure than this one says nothing about whether a file is there. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

const identityOf = ({ dev, ino }: Pick<Stats, 'dev' | 'ino'>) => `${dev}:${ino}`;

const read = promisify(readFile);

/**
 * One handle for each file, for as long as the process lives: closing any handle of a file takes all of the process's locks on it
 * away, SQLite's too.
 */
const handles = new Map<string, number>();

async function readBeginning(path: string, length: number): Promise<{ text: Buffer; size: number }> {
  const at = await stat(path);
  const name = identityOf(at);
  const handle = handles.get(name) ?? openSync(path, 'r');
  handles.set(name, handle);
  const text = Buffer.alloc(length);
  await read(handle, text, 0, length, 0);
  return { text, size: at.size };
}
