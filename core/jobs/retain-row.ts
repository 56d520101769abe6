import type { Job } from './job.ts';

/** Failed sign-ins, unpaid orders and hourly sums, each as long as its option says. */
export function retainRowJob(removeOld: (signal: AbortSignal) => Promise<number>): Job {
  return {
    name: 'retain-row',
    schedule: () => ({ everySeconds: 3600 }),
    async run(signal) {
      const deleted = await removeOld(signal);
      return deleted > 0 ? { deleted } : undefined;
    },
  };
}
