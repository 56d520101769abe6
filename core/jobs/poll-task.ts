import type { TaskProgress } from '../services/task/progress.ts';
import type { Job } from './job.ts';

/** Vendors are asked in turns of this length; each job says itself when it is due. */
const everySeconds = 15;

export function pollTaskJob(progress: Pick<TaskProgress, 'poll'>): Job {
  return {
    name: 'poll-task',
    schedule: () => ({ everySeconds }),
    run: (signal) => progress.poll(signal),
  };
}
