import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const textFile = (language: string, space: string): string => `${space}.${language}.json`;

/**
 * Takes the place of `core/text/space.ts` in the built program: a server needs half of the texts, and most commands a tenth. The files are
 * open from the start, so that a server has its own texts also while another version is installed in its place.
 */
export function openTexts(): (language: string, space: string) => Record<string, string> {
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'text');
  const handles = new Map(readdirSync(folder).map((name) => [name, openSync(join(folder, name), 'r')]));
  /** Each is asked for once. */
  return function textsOf(language, space) {
    const name = textFile(language, space);
    const handle = handles.get(name);
    if (handle === undefined) throw new Error(`there is no ${name} in ${folder}: install Tollgate again`);
    const text = readFileSync(handle, 'utf8');
    handles.delete(name);
    closeSync(handle);
    // Without a prototype it is a table to V8, which otherwise makes a hidden class for each of the keys.
    return Object.assign(Object.create(null), JSON.parse(text));
  };
}
