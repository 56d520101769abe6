import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { constants, Script } from 'node:vm';
import { makeFolder } from '../core/lib/make-folder.ts';

/**
 * The built program is its own code, the packages that are always used, and the others: one file each. What V8 compiled of each is kept
 * beside it: to find, read and compile a thousand files took longer than most commands. `bin/build.ts` writes them.
 */
export interface KeptScript<Exports> {
  exports: Exports;
  /** Says that a part of the script runs: what it compiled is kept when this process ends. */
  use(part: string): void;
}

/** What is kept: which parts had run, and the compiled code. */
interface Kept {
  parts: string[];
  code: Buffer;
}

/** A word that is no command counts as a part, too: there is an end to writing. */
const maxParts = 300;

export type ScriptKind = 'program' | 'packages' | 'seldom';

/** An open file: it is there also while another version is installed in its place. */
export interface ScriptFile {
  name: string;
  handle: number;
}

/** Finds `<kind>-<hash>.cjs` in the folder `dist/`. */
export function openScript(dist: string, kind: ScriptKind): ScriptFile {
  const name = readdirSync(dist).find((one) => one.startsWith(`${kind}-`) && one.endsWith('.cjs'));
  if (name === undefined) throw new Error(`there is no ${kind} in ${dist}: install Tollgate again`);
  return { name, handle: openSync(join(dist, name), 'r') };
}

/** None for a user without a home: a container may run as a number that the system does not know. */
function userFolder(): string[] {
  try {
    return [join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tollgate')];
  } catch {
    return [];
  }
}

/** Runs such a file, and closes it. */
export function runKept<Exports>(dist: string, { name, handle }: ScriptFile): KeptScript<Exports> {
  const file = join(dist, name);
  // With the program where its folder may be written to, else with the user.
  const folders = [dist, ...userFolder()];
  // V8 checks the length of a source, not its text: the name has the hash of it.
  const keptFile = `${name}-${process.arch}-${cachedDataVersionTag()}.cache`;
  const kept = read(folders, keptFile);
  const script = new Script(readWhole(handle, file).toString('latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(kept && { cachedData: kept.code }),
  });
  const known = new Set(script.cachedDataRejected ? [] : kept?.parts);
  const used = new Set<string>();
  // A server that is killed has no end.
  const timer = setTimeout(keep, 5000).unref();
  process.once('exit', keep);

  function keep(): void {
    clearTimeout(timer);
    if (known.size >= maxParts || [...used].every((part) => known.has(part))) return;
    for (const part of used) known.add(part);
    write(folders, keptFile, { parts: [...known], code: script.createCachedData() });
  }

  const module = { exports: {} as Exports };
  const { href } = pathToFileURL(file);
  const importModule = (name: string) => import(name);
  script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(file), module, file, dist, href, importModule);
  return { exports: module.exports, use: (part) => void used.add(part) };
}

function read(folders: string[], name: string): Kept | undefined {
  for (const folder of folders) {
    const file = join(folder, name);
    try {
      if (!isTrusted(file)) continue;
      const bytes = readWhole(openSync(file, 'r'), file);
      const end = bytes.indexOf('\n');
      return { parts: JSON.parse(bytes.toString('utf8', 0, end)), code: bytes.subarray(end + 1) };
    } catch {
      // The file is missing or damaged: the code is compiled again.
    }
  }
}

/**
 * An open file in memory pages of its own; it is closed. Once a block of several MiB is freed, glibc takes such blocks from its heap from then on, and keeps up to
 * twice as much of it free: an idle server held seven MiB more.
 */
function readWhole(handle: number, file: string): Buffer {
  try {
    const { size } = fstatSync(handle);
    // V8 maps what may grow; everything else it takes from the heap.
    const options: object = { maxByteLength: size };
    const bytes = Buffer.from(new (ArrayBuffer as new (length: number, growth: object) => ArrayBuffer)(size, options));
    for (let at = 0; at < size; ) {
      const count = readSync(handle, bytes, at, size - at, at);
      if (count === 0) throw new Error(`${file} became shorter`);
      at += count;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Code is taken only from the user of this process and from root. */
function isTrusted(file: string): boolean {
  const own = process.getuid?.();
  return own === undefined || [0, own].includes(statSync(file).uid);
}

function write(folders: string[], name: string, { parts, code }: Kept): void {
  for (const folder of folders) {
    const file = join(folder, name);
    const whole = `${file}.${process.pid}`;
    try {
      makeFolder(folder);
      const line = JSON.stringify(parts);
      // V8 copies code that does not begin at a multiple of eight bytes.
      const head = `${line.padEnd(Math.ceil((line.length + 1) / 8) * 8 - 1)}\n`;
      writeFileSync(whole, Buffer.concat([Buffer.from(head), code]), { mode: 0o644 });
      renameSync(whole, file);
      return;
    } catch {
      // A folder of the system, or a full disk: the next start takes as long as this one.
    }
  }
}
