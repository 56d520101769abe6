import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './postgres.ts';

export interface RedisServer {
  url: string;
  port: number;
  /** One command, as an operator would send it. */
  command(...words: [string, ...string[]]): Promise<unknown>;
  /** Ends like a crash; what was in memory is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of its own that keeps nothing on disk, reachable from loopback only. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  let client: Redis | undefined;

  async function start(): Promise<void> {
    child = spawn('redis-server', words, { stdio: 'ignore' });
    await once(child, 'spawn');
    client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 50 });
    // It is refused until the server listens.
    client.on('error', () => undefined);
    const isReady = () => client?.status === 'ready';
    await until('Redis listens', isReady);
  }

  async function kill(): Promise<void> {
    client?.disconnect();
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    command: async (name, ...rest) => client?.call(name, ...rest),
    kill,
    start,
    stop: kill,
  };
}

/** Until it is so; a test that waits in vain says for what. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
    await wait(20);
  }
}
