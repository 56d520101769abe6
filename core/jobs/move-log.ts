import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import type { LogStore } from '../database/log-store.ts';
import type { Logger } from '../lib/logger.ts';
import { lastWriteMs, waitAtMost } from '../lib/patience.ts';
import { skipLogIds } from '../services/log-store/ids.ts';
import { moveLogs, rowsAtOnce } from '../services/log-store/move.ts';

interface LogMoverDependencies {
  database: Database;
  logStore: Pick<LogStore, 'open' | 'begin'>;
  logger: Pick<Logger, 'log'>;
}

export interface LogMover {
  start(): void;
  /** Ends after the batch under way; one that takes long is cut off by the end of the process, and the next one goes on. */
  stop(): Promise<void>;
  /** False while the log database cannot be written. */
  isMoving(): boolean;
}

/** How long a row may wait before it is looked for. */
const lookEveryMs = 1000;
/** The calls of this process have their turn. */
const restMs = 5;

/**
 * Moves rows of the log to their own database all the time. Not a job of the scheduler, which looks every ten seconds: the lock of the
 * log database lets one process at a time move, and the next one goes on at once when that has ended.
 */
export function createLogMover({ database, logStore, logger }: LogMoverDependencies): LogMover {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let isMoving = true;
  let stopped: Promise<void> | undefined;

  /** A main database that was restored from an older copy would give ids that rows of the log have. */
  async function begin(logs: Database): Promise<void> {
    await logStore.begin();
    const last: number | null = await logs.logs.max('id');
    await skipLogIds(database, last ?? 0);
  }

  async function run(): Promise<void> {
    let isBegun = false;
    while (!signal.aborted) {
      let moved = 0;
      try {
        const logs = await logStore.open();
        if (!isBegun) await begin(logs);
        isBegun = true;
        moved = await moveLogs({ main: database, logs });
        if (!isMoving) logger.log('info', 'log rows are moved to the log database again', {});
        isMoving = true;
      } catch (error) {
        // Once per outage: the rows wait.
        if (isMoving) logger.log('warn', 'log rows could not be moved to the log database; they wait', {}, error);
        isMoving = false;
      }
      await pause(moved >= rowsAtOnce ? restMs : lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running ??= run();
    },
    stop() {
      stopping.abort();
      stopped ??= waitAtMost(lastWriteMs, Promise.resolve(running));
      return stopped;
    },
    isMoving: () => isMoving,
  };
}
