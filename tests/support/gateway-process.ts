import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The build under test; another one by environment, while several people build at the same time. */
export const binary =
  process.env.TOLLGATE_TEST_BINARY ?? fileURLToPath(new URL('../../dist/bin/tollgate.cjs', import.meta.url));

export interface GatewayProcess {
  url: string;
  pid: number;
  /** What it wrote so far, both streams. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ending>;
}

export interface Ending {
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface StartOrder {
  /** Another build than the one under test. */
  program?: string;
  environment: Record<string, string | undefined>;
  words?: string[];
  user?: { uid: number; gid: number };
}

/** `tollgate serve` of the build; resolves when it listens, rejects with its last words when it ends before. */
export async function startGatewayProcess(order: StartOrder): Promise<GatewayProcess> {
  const child = spawnBinary({ ...order, words: ['serve', '--json', ...(order.words ?? [])] });
  const { ended, output } = follow(child);
  const url = await new Promise<string>((resolve, reject) => {
    if (!child.stdout) throw new Error('no output to read');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{"event":"listening"')) resolve((JSON.parse(line) as { console: string }).console);
    });
    void ended.then((ending) => reject(new Error(`the server ended before it listened: ${JSON.stringify(ending)}`)));
  });
  return { url, pid: child.pid ?? 0, output, signal: (name) => void child.kill(name), ended };
}

/** One command line to its end; one that does not come is made, so that a failed test leaves nothing running. */
export async function runBinary(order: StartOrder): Promise<Ending> {
  const child = spawnBinary(order);
  const patience = setTimeout(() => child.kill('SIGKILL'), 45_000);
  const ending = await follow(child).ended;
  clearTimeout(patience);
  return ending;
}

function spawnBinary({ program = binary, environment, words = [], user }: StartOrder): ChildProcess {
  if (!existsSync(program)) throw new Error('there is no build to test: npm run build');
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
}

function follow(child: ChildProcess): { ended: Promise<Ending>; output(): string } {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    stdout += bytes.toString();
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { ended, output: () => stdout + stderr };
}
