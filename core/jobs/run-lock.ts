import { randomUUID } from 'node:crypto';
import type { JobLockRow } from '../database/models/job.ts';
import type { RunRight } from '../services/channel/check.ts';
import type { JobLocks } from './job-lock.ts';

interface RunLockDependencies {
  locks: JobLocks;
  leaseSeconds: number;
}

/**
 * For work that a user starts by hand. Unlike the scheduler, a process that asks has not watched the row before, so the database's
 * clock tells whether its owner is gone: at worst, when that clock is stepped, the work is done twice or refused for a while.
 */
export function createRunLocks({ locks, leaseSeconds }: RunLockDependencies) {
  async function look(name: string): Promise<{ lock: JobLockRow | undefined; isTaken: boolean }> {
    const { now, locks: seen } = await locks.read([name]);
    const lock = seen.get(name);
    const isGone = !lock || lock.until < now || lock.until > now + 2 * leaseSeconds;
    return { lock, isTaken: !isGone && lock.owner !== '' };
  }

  /** Undefined while another process has it. */
  async function take(name: string): Promise<RunRight | undefined> {
    const owner = randomUUID();
    const { lock, isTaken } = await look(name);
    if (!lock || isTaken || !(await locks.take(lock, owner))) return undefined;

    const lost = new AbortController();
    let heardAtMs = performance.now();
    const timer = setInterval(async () => {
      const askedAtMs = performance.now();
      const isOurs = await locks.beat(name, owner).catch(() => undefined); // no reply: counted below
      if (isOurs) heardAtMs = askedAtMs;
      if (isOurs === false || performance.now() - heardAtMs > leaseSeconds * 800) lost.abort();
    }, leaseSeconds * 333);
    timer.unref();
    return {
      signal: lost.signal,
      async free() {
        clearInterval(timer);
        // If this fails, the lock ends with its lease.
        await locks.free(name, owner).catch(() => undefined);
      },
    };
  }

  return { take, isTaken: async (name: string) => (await look(name)).isTaken };
}
