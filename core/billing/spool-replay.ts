import { AppError } from '../errors/app-error.ts';
import type { Committer } from './committer.ts';
import type { EndRow } from './ledger-store.ts';
import type { Spool } from './spool.ts';

interface SpoolReplayDependencies {
  spool: Pick<Spool, 'replay'>;
  committer: Pick<Committer, 'push'>;
  log(level: 'info' | 'warn', fields: Record<string, unknown>, text: string): void;
}

export interface SpoolReplay {
  /** In the background; asked for while one is under way, it runs once more behind it. */
  begin(): void;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
}

/** Books the settlements that wait in the spool, one replay at a time. */
export function createSpoolReplay({ spool, committer, log }: SpoolReplayDependencies): SpoolReplay {
  let running: Promise<void> | undefined;
  /** Rows may have come behind what a replay under way has read. */
  let isAskedAgain = false;

  function begin(): void {
    if (running) {
      isAskedAgain = true;
      return;
    }
    running = replay().finally(() => {
      running = undefined;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      begin();
    });
  }

  async function replay(): Promise<void> {
    try {
      const count = await spool.replay(book);
      if (count > 0) log('info', { count }, 'spooled settlements are booked');
    } catch (error) {
      log('warn', { error: String(error) }, 'the spool waits for the database');
    }
  }

  async function book(rows: EndRow[]): Promise<void> {
    const outcomes = await Promise.allSettled(rows.map((row) => committer.push({ kind: 'end', row, fromSpool: true })));
    for (const outcome of outcomes) {
      // Any other failure is one row's own, and the committer has put that row aside.
      if (outcome.status === 'rejected' && isUnavailable(outcome.reason)) throw outcome.reason;
    }
  }

  return {
    begin,
    async settled() {
      while (running) await running;
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ledger.unavailable';
}
