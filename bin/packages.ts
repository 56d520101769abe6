import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeptScript, runKept } from './kept-script.ts';

let packages: KeptScript<Record<string, () => unknown>> | undefined;

/** The exports of a package, by the name it is imported by. `bin/build.ts` has every import of one call this. */
export function load(name: string): unknown {
  packages ??= runKept(dirname(fileURLToPath(import.meta.url)), 'packages');
  packages.use(name);
  return packages.exports[name]?.();
}
