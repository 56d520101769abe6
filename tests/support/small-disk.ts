import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  directory: string;
  /** Takes what is left, to the last byte. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** Only root may mount, and not in every container. */
export const canMountDisks = (() => {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    // The test that needs it says that it is left out.
    return false;
  }
})();

/** A file system of its own in memory, small enough to fill. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], { stdio: 'pipe' });
  const filler = join(directory, 'filler');
  return {
    directory,
    fill() {
      const file = openSync(filler, 'a');
      for (let bytes = 1024 * 1024; bytes >= 1; ) {
        try {
          if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          bytes = Math.floor(bytes / 2);
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      // Lazily: on a busy machine a thread may still be closing a file of it.
      execFileSync('umount', ['--lazy', directory], { stdio: 'pipe' });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
