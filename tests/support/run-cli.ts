import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { main } from '../../cli/main.ts';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
  /** The whole of standard output, which must be one JSON value. */
  json<T = Record<string, unknown>>(): T;
}

export interface CliOptions {
  stdin?: string;
  env?: Record<string, string>;
  /** A user sits in front of it: standard input and output are a screen, and these lines are typed. */
  typed?: string[];
  columns?: number;
  /** Called for each piece of output, with a way to send the process a signal. */
  watch?(text: string, signal: (name: 'SIGINT' | 'SIGTERM') => void): void;
}

/** Runs one command line in this process; `words` may be written as a person types them when no word has a space in it. */
export async function runCli(words: string | string[], options: CliOptions = {}): Promise<CliRun> {
  const events = new EventEmitter();
  const terminal = options.typed !== undefined;
  const printed = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          printed[name] += String(chunk);
          options.watch?.(String(chunk), (signal) => events.emit(signal));
          done();
        },
      }),
      { isTTY: terminal, columns: options.columns ?? 120 },
    );
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal, setRawMode: () => undefined });
  if (terminal) for (const line of options.typed ?? []) stdin.write(`${line}\n`);
  else stdin.end(options.stdin ?? '');
  const exits: number[] = [];
  const host = Object.assign(events, {
    env: { LC_ALL: 'C.UTF-8', ...options.env },
    stdin,
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    exit: (code: number) => exits.push(code),
  });
  const code = await main(typeof words === 'string' ? words.split(/\s+/).filter(Boolean) : words, host);
  return { code: exits[0] ?? code, ...printed, json: <T>() => JSON.parse(printed.stdout) as T };
}

export interface CliHome {
  directory: string;
  env: Record<string, string>;
  run(words: string | string[], options?: CliOptions): Promise<CliRun>;
  remove(): void;
}

/** A data directory of its own; every command run through it meets the same installation. */
export function createCliHome(env: Record<string, string> = {}): CliHome {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  // A busy machine is late at everything, which says nothing about a test.
  const home = {
    TOLLGATE_HOME: directory,
    TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
    LOOP_DELAY_LIMIT: '0',
    ...env,
  };
  return {
    directory,
    env: home,
    run: (words, options = {}) => runCli(words, { ...options, env: { ...home, ...options.env } }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
