import type { JobLockRow } from '../database/models/job.ts';
import { secondsPerDay } from '../lib/clock.ts';
import type { LogFields, LogLevel } from '../lib/logger.ts';
import { waitAtMost } from '../lib/patience.ts';
import type { Job, Schedule } from './job.ts';
import type { JobLocks } from './job-lock.ts';
import { createLockOwner } from './lock-owner.ts';

export interface SchedulerDependencies {
  jobs: Job[];
  locks: JobLocks;
  /** How long a lock lives without a sign of its owner. */
  leaseMs: number;
  lookEveryMs?: number;
  log(level: LogLevel, text: string, fields: LogFields, error?: unknown): void;
}

export interface Scheduler {
  start(): void;
  /** Looks now instead of at the next turn; resolves when whatever was due has begun. */
  look(): Promise<void>;
  /** Tells running jobs to stop and waits for them a little. */
  stop(): Promise<void>;
}

/** What this process knows of a job; moments are its own monotonic milliseconds. */
interface Watch {
  /** The row as it was last read, or made here. */
  lock: JobLockRow | undefined;
  /** When owner and `until` were last seen to change. */
  changedAtMs: number;
  /** The moment that stands for `ran_at` here. */
  ranAtMs: number;
  running: Promise<void> | undefined;
}

const patienceMs = 3000;

/**
 * Runs jobs when they are due, each in one process at a time over all nodes. No owner is declared dead by a clock: an owner is gone
 * when its row has not changed for a whole lease of our own monotonic time, or its process is known not to run. Intervals are counted
 * the same way from the moment a start was seen, so stepping a clock runs nothing twice.
 */
export function createScheduler({ jobs, locks, leaseMs, lookEveryMs = 10_000, log }: SchedulerDependencies): Scheduler {
  const self = createLockOwner();
  const startedAtMs = performance.now();
  const watches = new Map<Job, Watch>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let hasFailed = false;
  let stopped: Promise<void> | undefined;
  for (const job of jobs) {
    const known = { lock: undefined, changedAtMs: startedAtMs, ranAtMs: startedAtMs };
    watches.set(job, { ...known, running: undefined });
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookOnce(): Promise<void> {
    try {
      const shared = jobs.filter(({ inEveryProcess }) => !inEveryProcess);
      const { now, locks: seen } = await locks.read(shared.map(({ name }) => name));
      for (const [job, watch] of watches) {
        if (stopping.signal.aborted) return;
        const lock = seen.get(job.name);
        if (lock) notice(watch, lock, now);
        if (isDue(job, watch, now) && (job.inEveryProcess || (await takes(watch)))) begin(job, watch);
      }
      hasFailed = false;
    } catch (error) {
      // Once per outage: the database's own users say it often enough.
      if (!hasFailed) log('warn', 'jobs could not be looked at; they run when the database is back', {}, error);
      hasFailed = true;
    }
  }

  function isDue(job: Job, watch: Watch, now: number): boolean {
    const schedule = job.schedule();
    if (!schedule || watch.running) return false;
    return isTime(schedule, watch, now);
  }

  async function takes(watch: Watch): Promise<boolean> {
    const { lock, changedAtMs } = watch;
    if (!lock) return false;
    const isLeft = performance.now() - changedAtMs >= leaseMs || locks.isGone(lock.owner);
    if (lock.owner !== '' && lock.owner !== self && !isLeft) return false;
    const taken = await locks.take(lock, self);
    // Our own start is told from one of another process by its row, and is known to the millisecond.
    if (taken) watch.lock = taken;
    return taken !== undefined;
  }

  function begin(job: Job, watch: Watch): void {
    watch.ranAtMs = performance.now();
    watch.running = runOne(job).finally(() => {
      watch.running = undefined;
    });
  }

  async function runOne(job: Job): Promise<void> {
    const { name } = job;
    const lost = new AbortController();
    const stopBeating = job.inEveryProcess ? () => {} : beat(name, lost);
    const startedAt = performance.now();
    try {
      const signal = AbortSignal.any([stopping.signal, lost.signal]);
      // Told to stop while it took the lock: it is given back at once.
      const done = signal.aborted ? undefined : await job.run(signal);
      const milliseconds = Math.round(performance.now() - startedAt);
      log(done ? 'info' : 'debug', `job ${name} ran`, { ...done, milliseconds });
    } catch (error) {
      log('warn', `job ${name} failed; it runs again at its next turn`, {}, error);
    } finally {
      stopBeating();
      // If this fails, the lock lasts until its lease ends, and the job is due only then.
      if (!job.inEveryProcess) await locks.free(name, self).catch(() => undefined);
    }
  }

  /** Shows every third of a lease that we live; an owner that cannot must stop before another process may begin. */
  function beat(name: string, lost: AbortController): () => void {
    let heardAtMs = performance.now();
    const timer = setInterval(async () => {
      const askedAtMs = performance.now();
      const isOurs = await locks.beat(name, self).catch(() => undefined); // no reply: counted below
      if (isOurs) heardAtMs = askedAtMs;
      if (isOurs === false || performance.now() - heardAtMs > leaseMs * 0.8) lost.abort();
    }, leaseMs / 3);
    timer.unref();
    return () => clearInterval(timer);
  }

  return {
    start() {
      timer = setInterval(() => void look(), lookEveryMs);
      timer.unref();
    },
    look,
    stop() {
      clearInterval(timer);
      stopping.abort();
      const running = [looking, ...[...watches.values()].map((watch) => watch.running)];
      // What does not stop in time, and a look at a database that does not respond, is cut off by the end of the process; every
      // job can be run again.
      stopped ??= waitAtMost(patienceMs, Promise.all(running));
      return stopped;
    },
  };
}

function notice(watch: Watch, lock: JobLockRow, now: number): void {
  const { lock: known } = watch;
  const nowMs = performance.now();
  if (!known) watch.ranAtMs = nowMs - Math.max(0, now - lock.ran_at) * 1000;
  else if (known.ran_at !== lock.ran_at) watch.ranAtMs = nowMs;
  if (known?.owner !== lock.owner || known.until !== lock.until) watch.changedAtMs = nowMs;
  watch.lock = lock;
}

function isTime(schedule: Schedule, { lock, ranAtMs }: Watch, now: number): boolean {
  if ('everySeconds' in schedule) return performance.now() - ranAtMs >= schedule.everySeconds * 1000;
  // By the day it counts for, not by 24 hours: it stays at its hour, and a clock set back does not bring the day again.
  const day = (seconds: number) => Math.floor((seconds - schedule.dailyAtHour * 3600) / secondsPerDay);
  // More than a day ahead: the clock has been set right since then, and the job would not run until it is there again.
  return lock !== undefined && (day(now) > day(lock.ran_at) || lock.ran_at > now + secondsPerDay);
}
