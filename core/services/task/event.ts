import { taskStatus } from '../../schemas/task-status.ts';
import { type Language, textIn } from '../../text/text.ts';
import type { FileSource, TaskKind } from '../../wire/task-kind.ts';
import { inBothLanguages, type Notice } from '../notice/notice.ts';
import type { OptionService } from '../option/option.ts';
import type { DrawingLinks } from './drawing-link.ts';
import { reasonIn } from './reason.ts';
import type { EndedTask } from './store.ts';

interface TaskEventDependencies {
  kinds: readonly TaskKind[];
  links: Pick<DrawingLinks, 'forCaller'>;
  options: Pick<OptionService, 'get'>;
}

export const taskFinished = 'task_finished';

const works = { mj: 'drawing', suno: 'music', video: 'video' } as const;
const isWork = (platform: string): platform is keyof typeof works => Object.hasOwn(works, platform);

/** The notice that users and their programs get when a job has ended. */
export function createTaskEvents({ kinds, links, options }: TaskEventDependencies) {
  const kindOf = ({ platform }: EndedTask) => kinds.find((kind) => kind.platform === platform);

  function resultsOf(task: EndedTask): { type: string; url: string }[] {
    if (task.status !== taskStatus.success) return [];
    const files = (kindOf(task)?.made(task) ?? []).flatMap((part) => Object.entries(part.files));
    return files
      .map(([file, source]) => ({ type: file === 'picture' ? 'image' : file, url: addressOf(task, file, source) }))
      .filter(({ url }) => url !== '');
  }

  /** One that works from elsewhere: on this server only where it knows its own address. */
  function addressOf(task: EndedTask, file: string, source: FileSource): string {
    if ('url' in source) {
      return task.platform === 'mj' && file === 'picture' ? links.forCaller(linked(task), source.url) : source.url;
    }
    const server = options.get('ServerAddress');
    if (task.platform !== 'video' || server === '') return '';
    const query = source.variant === '' ? '' : `?variant=${encodeURIComponent(source.variant)}`;
    return `${server}/v1/videos/${encodeURIComponent(task.task_id)}/content${query}`;
  }

  /** The `task` of a webhook's body. */
  function describe(task: EndedTask): Record<string, unknown> {
    const { task_id, platform, action, model, status, fail_reason, quota } = reasonIn('en', task);
    const { submit_time, start_time, finish_time } = task;
    return {
      id: task_id,
      kind: isWork(platform) ? works[platform] : platform,
      platform,
      action,
      model,
      status,
      fail_reason,
      results: resultsOf(task),
      charged: quota,
      refunded: refundOf(task),
      submit_time,
      start_time,
      finish_time,
    };
  }

  /** As the interface that the job came by shows it, for the address that came with it. */
  function shown(task: EndedTask): Record<string, unknown> | undefined {
    const written = kindOf(task)?.write(reasonIn('en', task));
    if (!written || task.platform !== 'mj') return written;
    return { ...written, imageUrl: links.forCaller(linked(task), String(written.imageUrl)) };
  }

  /** For people: one notice for all that ended together. */
  function notice(tasks: readonly EndedTask[]): Notice {
    const server = options.get('ServerAddress');
    const title = tasks.length > 1 ? 'task.severalTitle' : 'task.endedTitle';
    const page = tasks.every(({ platform }) => platform === 'mj') ? '/midjourney' : '/task';
    return {
      kind: taskFinished,
      title: inBothLanguages((language) => textIn(language, 'notice', title)),
      lines: inBothLanguages((language) => tasks.map((task) => lineOf(language, task))),
      ...(server !== '' && { link: server + page }),
    };
  }

  return { describe, shown, notice };
}

export type TaskEvents = ReturnType<typeof createTaskEvents>;

/** The same for every try and every receiver: a job ends once. */
export const eventIdOf = (rowId: number, { request_id }: EndedTask): string => `task-${request_id ?? rowId}`;

const linked = ({ user_id: userId, task_id: taskId }: EndedTask) => ({ userId, taskId });

/** What failed was paid back with its failure. */
const refundOf = ({ status, quota, request_id }: EndedTask): number =>
  status === taskStatus.failure && request_id !== null ? quota : 0;

function lineOf(language: Language, task: EndedTask): string {
  const { platform, task_id: id, model, fail_reason: reason } = task;
  const work = isWork(platform) ? textIn(language, 'notice', `task.${platform}`) : platform;
  if (task.status === taskStatus.success) return textIn(language, 'notice', 'task.ready', { work, id, model });
  const key = refundOf(task) > 0 ? 'task.refunded' : 'task.failed';
  return textIn(language, 'notice', key, { work, id, model, reason });
}
