import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Task, taskQuery, taskStatuses } from '../../core/schemas/task.ts';
import { reasonIn } from '../../core/services/task/reason.ts';
import type { Context } from '../context.ts';
import { example, namesFrom } from '../flag/selection.ts';
import { formatTime } from '../flag/value.ts';
import type { Column } from '../output.ts';
import { channelNames, type NameOf } from '../print/object-name.ts';
import { quotaFormat } from '../print/quota-format.ts';
import { addCancel } from '../work/cancel.ts';
import { addWorkFlags, type WorkFlags, workFilter } from '../work/filter.ts';
import { addWait } from '../work/wait.ts';

interface ListFlags extends WorkFlags {
  platform?: string;
  taskId?: string;
  status?: string;
  action?: string;
}

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.taskList'));
  example(list, context, 'task list --status FAILURE --since 1d', 'task list --platform suno --user alice');
  list
    .option('--platform <name>', speak('flag.platform'))
    .option('--task-id <id>', speak('flag.taskId'))
    .addOption(list.createOption('--status <status>', speak('flag.taskStatus')).choices(taskStatuses))
    .option('--action <name>', speak('flag.action'));
  addWorkFlags(list, context).action(async ({ platform, taskId, status, action, ...flags }: ListFlags) => {
    const app = await context.app();
    const own = { platform, task_id: taskId, status, action };
    const input = taskQuery.parse({ ...own, ...(await workFilter(app, flags, 1)) });
    const format = (quota: number) => formatQuota(quota, quotaFormat(app.services.options));
    const page = await app.services.tasks.listPage(systemActor, input);
    const channelOf = await channelNames(
      app,
      page.items.map(({ channel_id }) => channel_id),
    );
    const items = page.items.map((one) => reasonIn(output.language, one));
    await output.list({ ...page, items }, columnsFor(format, channelOf));
  });

  const get = noun.command('get').description(speak('help.taskGet'));
  example(get, context, 'task get 42', 'task get video_68f0 --json');
  get.argument('<tasks...>', speak('argument.tasks')).action(async (words: string[], _flags, command: Command) => {
    const { services } = await context.app();
    for (const word of await namesFrom(context, words, command)) {
      const task = reasonIn(output.language, await services.tasks.get(systemActor, word));
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      output.details(output.json ? task : readable(task, format, services.options.get('ServerAddress')));
    }
  });

  const wait = noun.command('wait').description(speak('help.taskWait'));
  example(wait, context, 'task wait video_68f0 --timeout 10m', 'task wait 42 43');
  addWait(wait, context, 'task', async ({ services }, word) => {
    const task = reasonIn(output.language, await services.tasks.get(systemActor, word));
    const { task_id: taskId, user_id: userId, status, progress, fail_reason: failReason } = task;
    const times = { submitTime: task.submit_time, finishTime: task.finish_time };
    return { taskId, userId, status, progress, failReason, ...times, record: task };
  });

  const cancel = noun.command('cancel').description(speak('help.taskCancel'));
  example(cancel, context, 'task cancel video_68f0', 'task cancel 42 43 --yes');
  addCancel(cancel, context, 'task');
}

/** For people: amounts and times as they read them, and links that open in a browser that is signed in. */
function readable(task: Task, format: (quota: number) => string, server: string): object {
  const { made, properties, data, quota, refund, ...rest } = task;
  const links = made.flatMap(({ video, audio, picture }) => [video, audio, picture]).filter(Boolean);
  return {
    ...rest,
    ...Object.fromEntries(timeFields.map((name) => [name, task[name] > 0 ? formatTime(task[name]) : ''])),
    prompt: properties.input,
    quota: format(quota),
    refund: format(refund),
    results: links.map((path) => server + path).join(' '),
    properties,
    data,
  };
}

const timeFields = [
  ...(['created_at', 'updated_at', 'submit_time', 'start_time', 'finish_time', 'refunded_at'] as const),
];

function columnsFor(format: (quota: number) => string, channelOf: NameOf): Column<Task>[] {
  const seconds = ({ submit_time, finish_time }: Task) => (finish_time > 0 ? `${finish_time - submit_time}s` : '-');
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TASK', value: ({ task_id }) => task_id, keep: true },
    { title: 'PLATFORM', value: ({ platform }) => platform },
    { title: 'ACTION', extra: true, value: ({ action }) => action },
    { title: 'USER', value: ({ username, user_id }) => username || `#${user_id}` },
    { title: 'CHANNEL', value: ({ channel_id }) => channelOf(channel_id) || '-' },
    { title: 'STATUS', whole: true, value: ({ status }) => status || '-', color: ({ status }) => colors[status] },
    { title: 'PROGRESS', extra: true, value: ({ progress }) => progress, right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'SUBMITTED', whole: true, value: ({ submit_time }) => (submit_time > 0 ? formatTime(submit_time) : '-') },
    { title: 'TOOK', extra: true, value: seconds, right: true },
    { title: 'REASON', extra: true, value: ({ fail_reason }) => fail_reason },
  ];
}

const colors: Record<string, 'green' | 'red' | 'yellow'> = { SUCCESS: 'green', FAILURE: 'red', IN_PROGRESS: 'yellow' };
