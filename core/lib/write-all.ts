import { writeFileSync } from 'node:fs';

/**
 * Writes all of it to an open file. `writeSync` does not: a disk that runs full takes the beginning of a text without an error, and a
 * file that is renamed into its place then is only a part.
 */
export function writeAll(handle: number, content: string | Uint8Array, path: string): void {
  try {
    writeFileSync(handle, content);
  } catch (error) {
    // Of an open file the system does not say which it is.
    throw Object.assign(error as Error, { path });
  }
}
