import type { LogService } from '../services/log/log.ts';
import type { OptionService } from '../services/option/option.ts';
import type { Job } from './job.ts';

interface RetainLogDependencies {
  logs: Pick<LogService, 'retain'>;
  options: Pick<OptionService, 'get'>;
}

/** Deletes what is older than LogRetentionDays; the books stay provable. */
export function retainLogJob({ logs, options }: RetainLogDependencies): Job {
  return {
    name: 'retain-log',
    schedule: () => (options.get('LogRetentionDays') > 0 ? { everySeconds: 3600 } : undefined),
    async run(signal) {
      const days = options.get('LogRetentionDays');
      // Switched off between the look and now: nothing is older than forever.
      const deleted = days > 0 ? await logs.retain(days, signal) : 0;
      return deleted > 0 ? { deleted } : undefined;
    },
  };
}
