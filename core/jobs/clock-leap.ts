import { type Clock, secondsPerDay, secondsPerHour } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Job } from './job.ts';

interface ClockLeapDependencies {
  now: Clock;
  logger: Pick<Logger, 'log'>;
  /** Milliseconds that are never set. */
  steadyMs?: () => number;
}

/**
 * Corrections of a running clock are seconds, a time zone taken wrongly is an hour. A computer that slept makes a leap as well: its
 * steady time stood still.
 */
const leapSeconds = 2 * secondsPerHour;
/** Time to see the warning and to set the clock right. */
const waitSeconds = secondsPerDay;

/**
 * A clock that leaps ahead makes rows of today too old to be kept, and what is deleted does not come back when it is set right. So
 * jobs that delete by age wait for a day after a leap that this process has seen.
 */
export function createClockLeap({ now, logger, steadyMs = () => performance.now() }: ClockLeapDependencies) {
  /** How far the clock was ahead of the steady time at the last look. */
  let offset = now() - steadyMs() / 1000;
  let leap: { seconds: number; atMs: number } | undefined;

  function look(): void {
    const step = now() - steadyMs() / 1000 - offset;
    offset += step;
    if (step > leapSeconds) leap = { seconds: step, atMs: steadyMs() };
    // Set back again, or at least most of the way.
    if (leap && step < leapSeconds - leap.seconds) leap = undefined;
    if (leap && steadyMs() - leap.atMs >= waitSeconds * 1000) leap = undefined;
  }

  /** The job, but for the day after a leap. */
  return function afterLeap(job: Job): Job {
    return {
      ...job,
      async run(signal) {
        look();
        if (!leap) return job.run(signal);
        const text = `the clock went ahead; job ${job.name} deletes nothing for a day, or until the clock is set back`;
        logger.log('warn', text, { hours: Math.round(leap.seconds / secondsPerHour) });
        return undefined;
      },
    };
  };
}
