import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Compiled beside the packages, so that the children find undici and run in plain Node like the product does. */
const outputDirectory = fileURLToPath(new URL('../../node_modules/.cache/tollgate-bench/', import.meta.url));

export interface BenchChild {
  process: ChildProcess;
  pid: number;
  port: number;
  /** Sends a message and waits for the next one back. */
  ask<Reply>(message: unknown): Promise<Reply>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Every process the benchmark starts is registered here and ended by its id, whatever happens. */
export function register<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function compileChildren(): void {
  const sources = [
    new URL('./upstream.ts', import.meta.url),
    new URL('./bare.ts', import.meta.url),
    new URL('./load.ts', import.meta.url),
    new URL('./fastify-pass.ts', import.meta.url),
    new URL('./loop-probe.ts', import.meta.url),
  ];
  buildSync({
    entryPoints: sources.map((source) => fileURLToPath(source)),
    outdir: outputDirectory,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
  });
}

/** A module for `--import` that is loaded into a server under test. */
export const loopProbe = `${outputDirectory}loop-probe.mjs`;

export function removeChildren(): void {
  rmSync(outputDirectory, { recursive: true, force: true });
}

export async function startChild(
  name: 'upstream' | 'bare' | 'load' | 'fastify-pass',
  ...words: string[]
): Promise<BenchChild> {
  const child = register(fork(`${outputDirectory}${name}.mjs`, words, { execArgv: [] }));
  const [hello] = (await once(child, 'message')) as [{ port: number }];
  return {
    process: child,
    pid: child.pid ?? 0,
    port: hello.port,
    ask: (message) => ask(child, name, message),
    stop: () => stopChild(child, 'SIGKILL'),
  };
}

/** Ends a process and waits until it is gone; after the grace time it is killed. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals, graceMs = 40_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
}

function ask<Reply>(child: ChildProcess, name: string, message: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const replied = (reply: unknown) => {
      child.off('exit', died);
      resolve(reply as Reply);
    };
    const died = () => {
      child.off('message', replied);
      reject(new Error(`the ${name} process ended (${child.signalCode ?? `exit ${child.exitCode}`})`));
    };
    child.once('message', replied).once('exit', died);
    child.send(message as object);
  });
}
