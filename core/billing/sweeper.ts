import { leaveMs, waitAtMost } from '../lib/patience.ts';
import type { LedgerStore } from './ledger-store.ts';

const sweepEveryMs = 10_000;
const tidyEveryMs = 3_600_000;
const holdsPerTransaction = 500;
const holdsPerLook = 20_000;

export interface SweeperDependencies {
  store: Pick<LedgerStore, 'abandonedHolds' | 'ownHolds' | 'disown' | 'sweep' | 'tidy'>;
  /** Whether a call of this process has the hold. */
  isOpen(id: string): boolean;
  /** False while charges wait in the spool: after a long stop they are for orphans that would be tidied away. */
  mayTidy(): boolean;
  log(level: 'info' | 'warn', fields: Record<string, unknown>, text: string): void;
}

export interface Sweeper {
  /** Returns the holds of dead owners; resolves to their number. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

/** Sweeps at once and then every ten seconds, in small transactions so that calls are served in between. */
export function createSweeper({ store, isOpen, mayTidy, log }: SweeperDependencies): Sweeper {
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let tidiedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * A network that stood still may bring a statement long after it was given up: the hold it takes belongs to no call, and its owner
   * lives.
   */
  async function disownLost(): Promise<void> {
    const lost = (await store.ownHolds(holdsPerLook)).filter((id) => !isOpen(id));
    if (lost.length === 0) return;
    log('warn', { count: lost.length }, 'holds that a late statement took for no call are given back');
    await store.disown(lost);
  }

  async function sweepAll(): Promise<number> {
    let count = 0;
    await disownLost();
    for (;;) {
      const ids = await store.abandonedHolds(holdsPerLook);
      for (let start = 0; start < ids.length && !isStopped; start += holdsPerTransaction) {
        count += await store.sweep(ids.slice(start, start + holdsPerTransaction));
      }
      if (ids.length < holdsPerLook || isStopped) break;
    }
    if (count > 0) log('warn', { count }, 'holds of a process that did not stop cleanly were returned');
    if (!isStopped && mayTidy() && performance.now() - tidiedAtMs > tidyEveryMs) {
      await store.tidy();
      tidiedAtMs = performance.now();
    }
    return count;
  }

  function sweep(): Promise<number> {
    // After one that runs: it may have looked before the caller's reason to ask.
    const current = running.then(sweepAll);
    running = current.catch(() => 0);
    return current;
  }

  function sweepInBackground(): void {
    sweep().catch((error: unknown) =>
      log('warn', { error: String(error) }, 'sweeping held quota failed; it is tried again in 10 seconds'),
    );
  }

  const timer = setInterval(sweepInBackground, sweepEveryMs);
  timer.unref();
  sweepInBackground();
  return {
    sweep,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      // What was not returned yet is returned by the next process that looks.
      await waitAtMost(leaveMs, running);
    },
  };
}
