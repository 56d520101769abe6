import type { LimitAlerts } from '../services/limit/alert.ts';
import type { Job } from './job.ts';

/** Tells of budgets that are half, nearly or wholly used. */
export function tellBudgetJob({ tellDue }: LimitAlerts): Job {
  return {
    name: 'tell-budget',
    schedule: () => ({ everySeconds: 30 }),
    async run(signal) {
      const told = await tellDue(signal);
      return told > 0 ? { told } : undefined;
    },
  };
}
