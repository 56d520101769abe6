import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { execa, type Options, type ResultPromise } from 'execa';

const root = new URL('../..', import.meta.url).pathname;
const binary = `${root}dist/bin/tollgate.cjs`;

/** The program as it is shipped. `npm test` builds it before the tests; a single test run on its own builds it when it is missing. */
export function binaryPath(): string {
  if (!existsSync(binary)) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' });
  return binary;
}

/** Runs the shipped program with nothing of the environment but what is given. */
export function runBinary(words: string[], options: Options = {}): ResultPromise<Options> {
  const { env, ...rest } = options;
  return execa(process.execPath, [binaryPath(), ...words], {
    extendEnv: false,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    reject: false,
    timeout: 60_000,
    // A program that was told to stop may take its time on a busy machine: only what is over its time limit is killed.
    killSignal: 'SIGKILL',
    forceKillAfterDelay: false,
    ...rest,
  });
}
