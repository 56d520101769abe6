import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const root = new URL('../..', import.meta.url).pathname;
/** Inside the project, so that what it imports from packages is found. */
const folder = join(root, 'node_modules/.cache/test-workers');
const compiled = new Map<string, string>();

/** Native, or drivers of other databases that Sequelize asks for by name and does not find. */
const installed = [
  'sqlite3',
  'pg-native',
  'pg-hstore',
  'mysql2',
  'mariadb',
  'tedious',
  'oracledb',
  'ibm_db',
  'snowflake-sdk',
];

/** What a script has by itself and a module has not; the imports have names that no source has. */
const scriptNames = `
import { createRequire as requireFrom_ } from 'node:module';
import { fileURLToPath as pathOf_ } from 'node:url';
const require = requireFrom_(import.meta.url);
const __filename = pathOf_(import.meta.url);
const __dirname = pathOf_(new URL('.', import.meta.url));`;

/**
 * The file of a worker, given as its path in the project without `.ts`, as plain JavaScript in one file with the packages it needs: it
 * starts in a third of the time that a compiler and a thousand files of packages take.
 */
export function compiledWorker(source: string): string {
  const known = compiled.get(source);
  if (known) return known;
  const { outputFiles } = buildSync({
    entryPoints: [join(root, `${source}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: installed,
    banner: { js: scriptNames },
    minifySyntax: true,
    minifyWhitespace: true,
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
