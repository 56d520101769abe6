import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { runs } from '../../lib/live-process.ts';

const lockFile = 'archive.lock';

/** One process at a time works on an archive: two would write the same file. Of one that was killed, the mark is taken over. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, lockFile);
  const own = `${hostname()} ${process.pid}`;
  for (let isRetry = false; ; isRetry = true) {
    try {
      writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isRetry || isHeld(file)) throw new AppError('archive.busy', { file });
    }
    rmSync(file, { force: true });
  }
}

/** Of another machine it is not known whether its process lives. */
function isHeld(file: string): boolean {
  const [host, pid] = readFileSync(file, 'utf8').split(' ');
  if (host !== hostname() || !Number(pid)) return host !== '';
  return runs(Number(pid));
}
