import { type Clock, nowSeconds } from '../lib/clock.ts';
import type { Database } from './connect.ts';

export interface DatabaseClock {
  /** Unix seconds as the database counts them. */
  now: Clock;
  close(): void;
}

interface DatabaseClockDependencies {
  database: Pick<Database, 'engine' | 'select'>;
  /** This machine's own clock, in milliseconds: one that is never set, so that a correction of the time is not taken for an hour. */
  nodeMs?: (() => number) | undefined;
  onError(error: unknown): void;
  everyMs?: number;
}

const steadyMs = () => performance.timeOrigin + performance.now();

const defaultIntervalMs = 60_000;

/**
 * What expires, expires by one clock on every node: that of the database, which the ledger goes by as well. How far this machine's
 * own clock is from it is measured at the start and now and then; SQLite has the clock of this machine.
 */
export async function createDatabaseClock(dependencies: DatabaseClockDependencies): Promise<DatabaseClock> {
  const { database, nodeMs = steadyMs, onError, everyMs = defaultIntervalMs } = dependencies;
  if (database.engine === 'sqlite') return { now: nowSeconds, close: () => undefined };
  let offsetMs = 0;

  async function measure(): Promise<void> {
    const before = nodeMs();
    const [row] = await database.select<{ ms: string | number }>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
    );
    const after = nodeMs();
    // The database looked at its clock somewhere between the query and its result.
    offsetMs = Number(row?.ms) - (before + after) / 2;
  }

  await measure();
  const timer = setInterval(() => void measure().catch(onError), everyMs);
  timer.unref();
  return { now: () => Math.floor((nodeMs() + offsetMs) / 1000), close: () => clearInterval(timer) };
}
