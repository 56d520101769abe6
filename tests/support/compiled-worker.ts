import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { compiledFolder } from './run-folder.ts';

const root = new URL('../..', import.meta.url).pathname;
const pollMs = 20;
const patienceMs = 60_000;

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

/**
 * The file of a worker, given as its path in the project without `.ts`, as plain JavaScript in one file with the packages it needs: it
 * starts in a third of the time that a compiler and a thousand files of packages take. It awaits nothing outside a function. The first
 * process of a run that asks for it compiles it, and the first one that runs it keeps what V8 made of it.
 */
export function compiledWorker(source: string): string {
  const folder = compiledFolder();
  const starter = join(folder, `${basename(source)}.cjs`);
  if (existsSync(starter)) return starter;
  mkdirSync(folder, { recursive: true });
  if (!isFirst(`${starter}.starting`) && hasCome(starter)) return starter;
  const script = join(folder, `${basename(source)}.script`);
  const { outputFiles } = buildSync({
    entryPoints: [join(root, `${source}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: installed,
    define: { 'import.meta.url': 'moduleUrl', 'import.meta.resolve': 'undefined' },
    banner: { js: '(function (exports, require, module, __filename, __dirname, moduleUrl) {' },
    footer: { js: '})' },
    // One byte a letter reads faster.
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
  });
  writeFileSync(script, outputFiles[0]?.contents ?? '');
  // In one step: another process of the run may start it meanwhile.
  writeFileSync(`${starter}.part`, starterOf(script));
  renameSync(`${starter}.part`, starter);
  return starter;
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

/** Waits for what another process compiles; false when that one seems to have ended. */
function hasCome(file: string): boolean {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    if (existsSync(file)) return true;
    Atomics.wait(pause, 0, 0, pollMs);
  }
  return false;
}

/** Runs the script with what V8 has kept of it; without that, it keeps it when the script has run for a moment. */
const starterOf = (script: string) => `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { constants, Script } = require('node:vm');
const { threadId } = require('node:worker_threads');
const file = ${JSON.stringify(script)};
const kept = file + '.cache';
const script = new Script(readFileSync(file, 'latin1'), {
  filename: file,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  ...(existsSync(kept) && { cachedData: readFileSync(kept) }),
});
function keep() {
  clearTimeout(timer);
  process.off('exit', keep);
  if (existsSync(kept)) return;
  const part = [kept, process.pid, threadId].join('.');
  writeFileSync(part, script.createCachedData());
  renameSync(part, kept);
}
const timer = setTimeout(keep, 1000).unref();
process.once('exit', keep);
script.runInThisContext()(exports, require, module, __filename, __dirname, pathToFileURL(__filename).href);
`;
