import type { NoticeService } from '../services/notice/notice.ts';
import type { Job } from './job.ts';

/** What another process left behind, and what failed before. */
export function sendNoticeJob({ sendDue }: Pick<NoticeService, 'sendDue'>): Job {
  return {
    name: 'send-notice',
    schedule: () => ({ everySeconds: 60 }),
    async run(signal) {
      const sent = await sendDue(signal);
      return sent > 0 ? { sent } : undefined;
    },
  };
}
