import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runs } from './live-process.ts';

/** The files that SQLite keeps beside one of its own. */
const companion = /^(\d+)(-wal|-shm|-journal)?$/;

/** The name of this process's draft; those of processes that were killed are removed, as each may be as large as the database. */
export function beginDraft(prefix: string): string {
  const [folder, start] = [dirname(prefix), basename(prefix)];
  for (const name of namesIn(folder)) {
    const pid = name.startsWith(start) ? companion.exec(name.slice(start.length))?.[1] : undefined;
    if (pid !== undefined && !runs(Number(pid))) rmSync(join(folder, name), { force: true });
  }
  return `${prefix}${process.pid}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The work that follows says what is wrong with the folder.
  }
}
