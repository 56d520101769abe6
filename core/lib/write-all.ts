import { writeFileSync } from 'node:fs';

/**
 * Writes all of it to an open file. `writeSync` does not: a disk that runs full takes the beginning of a text without an error, and a
 * file that is renamed into its place then is only a part.
 */
export function writeAll(handle: number, content: string | Uint8Array): void {
  writeFileSync(handle, content);
}
