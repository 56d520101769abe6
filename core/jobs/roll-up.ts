import type { RollUp } from '../services/rolled-hour/roll-up.ts';
import type { Job } from './job.ts';

/** Adds up hours of the log that are over, a little at a time until all are done. */
export function rollUpJob(rollUp: RollUp): Job {
  let isBehind = true;
  return {
    name: 'roll-up',
    schedule: () => ({ everySeconds: isBehind ? 60 : 600 }),
    async run(signal) {
      const { hours, left } = await rollUp(signal);
      isBehind = left > 0;
      return hours > 0 ? { hours, left } : undefined;
    },
  };
}
