/** What is said of work on many things: how far it is, how it ended, what it would change. */
export const batchText = {
  'progress.done': { en: '{done}/{total} · {rate}/s', zh: '{done}/{total} · 每秒 {rate}' },
  'progress.left': { en: '{time} left', zh: '剩余 {time}' },
  'batch.summary': { en: '{done} of {total} done', zh: '已完成 {done}/{total}' },
  'batch.partly': { en: '{done} of {total} done, {failed} failed', zh: '已完成 {done}/{total}，失败 {failed}' },
  'batch.stopped': {
    en: 'stopped: {done} of {total} done, {failed} failed, the others were not begun',
    zh: '已停止：完成 {done}/{total}，失败 {failed}，其余未开始',
  },
  'dryRun.summary': {
    en: 'dry run: {count} change(s), none of them made',
    zh: '试运行：共 {count} 项更改，均未实际执行',
  },
  'dryRun.nothing': { en: 'dry run: nothing would change', zh: '试运行：不会产生任何更改' },
};
