import type { QuotaReminder } from '../services/notice/quota-reminder.ts';
import type { Job } from './job.ts';

/** Tells users whose balance is low, each of them at most once in two hours. */
export function remindQuotaJob({ remindDue }: QuotaReminder): Job {
  return {
    name: 'remind-quota',
    schedule: () => ({ everySeconds: 120 }),
    async run(signal) {
      const reminded = await remindDue(signal);
      return reminded > 0 ? { reminded } : undefined;
    },
  };
}
