import type { TaskNotices } from '../services/task/notice.ts';
import type { Job } from './job.ts';

/** Tells users and their programs of paid jobs that have ended; beside the poller, so that a slow receiver never delays that one. */
export function sendTaskNoticeJob({ sendDue }: Pick<TaskNotices, 'sendDue'>): Job {
  return {
    name: 'send-task-notice',
    schedule: () => ({ everySeconds: 10 }),
    run: (signal) => sendDue(signal),
  };
}
