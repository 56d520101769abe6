import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Takes the place of `core/text/space.ts` in the built program: a server needs half of the texts, and most commands a tenth. */
export function textsOf(language: string, space: string): Record<string, string> {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'text', textFile(language, space));
  // Without a prototype it is a table to V8, which otherwise makes a hidden class for each of the keys.
  return Object.assign(Object.create(null), JSON.parse(readFileSync(file, 'utf8')));
}

export const textFile = (language: string, space: string): string => `${space}.${language}.json`;
