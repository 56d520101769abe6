import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const root = new URL('../..', import.meta.url).pathname;
/** Inside the project, so that what it imports from packages is found. */
const folder = join(root, 'node_modules/.cache/test-workers');
const compiled = new Map<string, string>();

/** The file of a worker, given as its path in the project without `.ts`, as plain JavaScript in one file: it starts in a third of the time that a compiler adds. */
export function compiledWorker(source: string): string {
  const known = compiled.get(source);
  if (known) return known;
  const { outputFiles } = buildSync({
    entryPoints: [join(root, `${source}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    write: false,
  });
  const path = join(folder, `${basename(source)}.mjs`);
  mkdirSync(folder, { recursive: true });
  // In one step: another process of the run may start it meanwhile.
  writeFileSync(`${path}.${process.pid}`, outputFiles[0]?.contents ?? '');
  renameSync(`${path}.${process.pid}`, path);
  compiled.set(source, path);
  return path;
}
