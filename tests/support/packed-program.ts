import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type Options, type ResultPromise } from 'execa';
import { isBuildCurrent } from './build-age.ts';

export interface PackedProgram {
  /** What the tarball contains, by path, as it lies in the empty folder after the installation. */
  files: ReadonlyMap<string, Buffer>;
  /** Bytes, unpacked. */
  size: number;
  /** Where it is installed. */
  folder: string;
  /** What lets SQLite's installer find its compiled module without a network. */
  prebuilds: Record<string, string>;
  /** The command as it is installed. */
  binary: string;
  /** Starts `node_modules/.bin/tollgate` with nothing of the environment but what is given. */
  run(words: string[], options?: Options): ResultPromise<Options>;
  remove(): void;
}

const root = new URL('../..', import.meta.url).pathname;

/** Packs the project and installs the tarball into an empty folder, as a user with only npm does. */
export async function installPackedProgram(): Promise<PackedProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-package-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const prebuilds = { npm_config_sqlite3_local_prebuilds: await packBinding(folder) };
    const files = await install(folder, prebuilds);
    const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    return {
      files,
      size,
      folder,
      prebuilds,
      binary: binaryIn(folder),
      run: (words, options) => run(folder, words, options),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function install(folder: string, prebuilds: Record<string, string>): Promise<Map<string, Buffer>> {
  // Where SQLite has to be compiled, half of the time goes into making it fast, which nothing here asks for.
  const env = {
    CFLAGS: '-O1',
    CXXFLAGS: '-O1',
    ...cleanEnvironment(),
    ...prebuilds,
  };
  const npm = (words: string[], cwd: string) => execa('npm', words, { cwd, extendEnv: false, env });
  // Packing builds first. Behind `npm test` the same build would be made a second time.
  const scripts = isBuildCurrent() ? ['--ignore-scripts'] : [];
  const packed = await npm(['pack', '--json', ...scripts, '--pack-destination', folder], root);
  const [{ filename = '', files = [] } = {}] = readPackReport(packed.stdout);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await npm(['install', '--engine-strict', join(folder, filename)], folder);
  const installed = join(folder, 'node_modules', 'tollgate');
  return new Map(files.map(({ path }) => [path, readFileSync(join(installed, path))]));
}

/**
 * SQLite's binding as a user gets it: compiled already. It is the one that this project's own installation has downloaded or compiled a
 * minute ago; where the installer looks for another name, it downloads or compiles as ever.
 */
async function packBinding(folder: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/sqlite3/package.json'), 'utf8')) as PackageFile;
  const prebuilds = join(folder, 'prebuilds');
  mkdirSync(prebuilds);
  const name = `sqlite3-v${version}-napi-v6-${process.platform}-${process.arch}.tar.gz`;
  await execa('tar', ['-czf', join(prebuilds, name), 'build/Release/node_sqlite3.node'], {
    cwd: join(root, 'node_modules/sqlite3'),
  });
  return prebuilds;
}

interface PackageFile {
  version: string;
}

const binaryIn = (folder: string) => join(folder, 'node_modules', '.bin', 'tollgate');

function run(folder: string, words: string[], { env, ...rest }: Options = {}): ResultPromise<Options> {
  return execa(binaryIn(folder), words, {
    extendEnv: false,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', LOOP_DELAY_LIMIT: '0', ...env },
    reject: false,
    timeout: 120_000,
    cwd: folder,
    ...rest,
  });
}

interface PackReport {
  filename: string;
  files: { path: string }[];
}

/** The scripts that run before packing print to the same output. */
function readPackReport(text: string): PackReport[] {
  return JSON.parse(text.slice(text.search(/^\[$/m))) as PackReport[];
}

/** Under `npm run` the environment names this project's folder and scripts; a user at a prompt has none of that. */
function cleanEnvironment(): Record<string, string | undefined> {
  const isOurs = (name: string) =>
    /^(npm_(package|lifecycle|config_local_prefix)|TOLLGATE_|NODE_ENV$|VITEST)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
}
