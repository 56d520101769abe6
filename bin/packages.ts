import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { constants, Script } from 'node:vm';

/**
 * The packages of the built program lie in one file, and what V8 compiled of it is kept beside it: to find, read and compile a thousand
 * files took longer than most commands. `bin/build.ts` writes the file and has every import of a package call `load`.
 */
type Packages = Record<string, () => unknown>;

let packages: Packages | undefined;
const loaded = new Set<string>();

/** The exports of a package, by the name it is imported by. */
export function load(name: string): unknown {
  packages ??= open();
  loaded.add(name);
  return packages[name]?.();
}

/** What is kept: which packages it was made with, and the compiled code. */
interface Kept {
  names: string[];
  code: Buffer;
}

function open(): Packages {
  const folder = programFolder();
  const name = readdirSync(folder).find((one) => /^packages-.*\.cjs$/.test(one)) ?? 'packages.cjs';
  const file = join(folder, name);
  // V8 checks the length of a source, not its text: the name has the hash of it.
  const keptFile = `${name}-${process.arch}-${cachedDataVersionTag()}.cache`;
  const kept = read(keptFile);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(kept && { cachedData: kept.code }),
  });
  const known = new Set(script.cachedDataRejected ? [] : kept?.names);
  // A server that is killed has no end.
  const timer = setTimeout(keep, 5000).unref();
  process.once('exit', keep);

  function keep(): void {
    clearTimeout(timer);
    if ([...loaded].every((name) => known.has(name))) return;
    for (const name of loaded) known.add(name);
    write(keptFile, { names: [...known], code: script.createCachedData() });
  }

  const module = { exports: {} as Packages };
  script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(file), module, file, folder, pathToFileURL(file).href);
  return module.exports;
}

/** `dist/`: this code lies in it, or in the folder of the entry that it became part of. */
function programFolder(): string {
  const own = dirname(fileURLToPath(import.meta.url));
  return readdirSync(own).some((name) => name.startsWith('packages-')) ? own : dirname(own);
}

/** With the program where its folder may be written to, else with the user. */
function folders(): string[] {
  return [programFolder(), join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tollgate')];
}

function read(name: string): Kept | undefined {
  for (const folder of folders()) {
    const file = join(folder, name);
    try {
      if (!isTrusted(file)) continue;
      const bytes = readFileSync(file);
      const end = bytes.indexOf('\n');
      return { names: JSON.parse(bytes.toString('utf8', 0, end)), code: bytes.subarray(end + 1) };
    } catch {
      // The file is missing or damaged: the code is compiled again.
    }
  }
}

/** Code is taken only from the user of this process and from root. */
function isTrusted(file: string): boolean {
  const own = process.getuid?.();
  return own === undefined || [0, own].includes(statSync(file).uid);
}

function write(name: string, { names, code }: Kept): void {
  for (const folder of folders()) {
    const file = join(folder, name);
    const whole = `${file}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(whole, Buffer.concat([Buffer.from(`${JSON.stringify(names)}\n`), code]), { mode: 0o644 });
      renameSync(whole, file);
      return;
    } catch {
      // A folder of the system, or a full disk: the next start takes as long as this one.
    }
  }
}
