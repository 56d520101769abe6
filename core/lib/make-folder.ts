import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A folder for its owner alone, with the folders above it. Node's own `recursive` never ends where a folder that exists takes no other one
 * and says ENOENT, as /proc does.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    makeFolder(above);
    makeOne(path);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
