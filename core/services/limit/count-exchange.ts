import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/connect.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';

/** What a process said last counts no longer once it has been silent for so long. */
export const silentSeconds = 15;

/** The counts of processes that are alive; one that was last heard of at a time yet to come ended before the clock was set back. */
export const liveCounts = `limit_counts counts JOIN limit_counts beats
  ON beats.node = counts.node AND beats.name = '' AND beats.seen_at > :since AND beats.seen_at <= :since + ${2 * silentSeconds}`;

interface CountExchangeDependencies {
  database: Database;
  limiter: Pick<RateLimiter, 'counts' | 'hear'>;
  /** Nothing is exchanged while nothing is limited. */
  isWanted(): boolean;
  isOfCalls(name: string): boolean;
  everyMs: number;
  onError(error: unknown): void;
  now: Clock;
}

const forgetSeconds = 3600;
const rowsAtOnce = 500;

/** Removes what processes that were killed have left behind. */
export async function forgetGoneCounts(database: Database, now: number): Promise<void> {
  // SQL: the beats tell which processes are gone.
  await database.sequelize.query(
    `DELETE FROM limit_counts
     WHERE node IN (SELECT node FROM limit_counts WHERE name = '' AND (seen_at < :before OR seen_at > :after))`,
    { replacements: { before: now - forgetSeconds, after: now + forgetSeconds } },
  );
}

/**
 * Processes tell each other in a table what they count: without Redis that is how limits hold for all of them together, as exact as
 * the time between two exchanges; with it, it is only shown.
 */
export function createCountExchange(dependencies: CountExchangeDependencies) {
  const { database, limiter, isWanted, isOfCalls, everyMs, onError, now } = dependencies;
  const node = randomBytes(8).toString('hex');
  let told = new Map<string, number>();
  let isKnown = false;
  let running: Promise<void> | undefined;

  async function tell(): Promise<void> {
    const counts = limiter.counts(isOfCalls);
    const changed = [...counts].filter(([name, count]) => told.get(name) !== count);
    const gone = [...told.keys()].filter((name) => !counts.has(name));
    const seen_at = now();
    const rows = changed.map(([name, count]) => ({ node, name, count, seen_at }));
    const beat = { node, name: '', count: 0, seen_at };
    for (let at = 0; at <= rows.length; at += rowsAtOnce) {
      const page = [...(at === 0 ? [beat] : []), ...rows.slice(at, at + rowsAtOnce)];
      if (page.length > 0) await database.limitCounts.bulkCreate(page, { updateOnDuplicate: ['count', 'seen_at'] });
    }
    if (gone.length > 0) await database.limitCounts.destroy({ where: { node, name: gone } });
    told = counts;
    isKnown = true;
  }

  async function hear(): Promise<void> {
    // SQL: a sum over all other processes that are alive.
    const rows = await database.select<{ name: string; total: number }>(
      `SELECT counts.name AS name, sum(counts.count) AS total FROM ${liveCounts}
       WHERE counts.node <> :node AND counts.name <> '' GROUP BY counts.name`,
      { node, since: now() - silentSeconds },
    );
    limiter.hear(new Map(rows.map(({ name, total }) => [name, Number(total)])));
  }

  async function exchangeAll(): Promise<void> {
    if (!isWanted()) {
      if (isKnown) await leave();
      return;
    }
    await tell();
    await hear();
  }

  function exchange(): Promise<void> {
    running ??= exchangeAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function leave(): Promise<void> {
    await database.limitCounts.destroy({ where: { node } });
    limiter.hear(new Map());
    told = new Map();
    isKnown = false;
  }

  const timer = setInterval(() => void exchange().catch(onError), everyMs);
  timer.unref();
  return {
    exchange,
    async close() {
      clearInterval(timer);
      await running?.catch(() => undefined);
      if (isKnown) await leave().catch(() => undefined);
    },
  };
}
