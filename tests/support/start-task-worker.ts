import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compiledWorker } from './compiled-worker.ts';
import type { TaskWorkerOrder } from './task-worker.ts';

export interface TaskWorker {
  url: string;
  kill(): void;
  /** Resolves when it is gone. */
  ended: Promise<void>;
  /** It did what it was to do once, and was not killed. */
  isDone(): boolean;
  /** Failures of its polls. */
  errors: string[];
}

/** A server in a process of its own, on an installation that another process has made. */
export async function startTaskWorker(order: TaskWorkerOrder): Promise<TaskWorker> {
  const child = spawn(process.execPath, [compiledWorker('tests/support/task-worker'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const errors: string[] = [];
  let isDone = false;
  const lines = createInterface({ input: child.stdout });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {});
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const { url, error, done } = JSON.parse(line) as { url?: string; error?: string; done?: boolean };
      if (url !== undefined) resolve(url);
      if (error !== undefined) errors.push(error);
      if (done) isDone = true;
    });
    void ended.then(() => reject(new Error('the server ended before it listened')));
  });
  return { url, kill: () => void child.kill('SIGKILL'), ended, isDone: () => isDone, errors };
}
