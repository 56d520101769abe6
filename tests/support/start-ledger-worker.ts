import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compiledWorker } from './compiled-worker.ts';
import type { WorkerOrder } from './ledger-worker.ts';

export interface LedgerWorker {
  /** Everything it said, parsed; grows while it runs. */
  said: Record<string, unknown>[];
  /** Resolves with the first message that has this key. */
  heard(key: string): Promise<Record<string, unknown>>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves when it is gone and its last words are read. */
  ended: Promise<void>;
}

/** A process of its own with a ledger of its own. */
export function startLedgerWorker(order: WorkerOrder): LedgerWorker {
  const child = spawn(process.execPath, [compiledWorker('tests/support/ledger-worker'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Record<string, unknown>[] = [];
  const lines = createInterface({ input: child.stdout });
  const waiting = new Set<() => void>();
  lines.on('line', (line) => {
    said.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {});
  return {
    said,
    ended,
    signal: (name) => void child.kill(name),
    heard: (key) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const message = said.find((each) => key in each);
          if (!message) return;
          waiting.delete(look);
          resolve(message);
        };
        waiting.add(look);
        look();
        ended.then(() => reject(new Error(`the ledger process ended before it said "${key}"`)));
      }),
  };
}
