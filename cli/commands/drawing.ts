import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Drawing, drawingQuery } from '../../core/schemas/drawing.ts';
import { taskStatuses } from '../../core/schemas/task.ts';
import { taskStatus } from '../../core/schemas/task-status.ts';
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
  taskId?: string;
  status?: string;
  action?: string;
}

/** Drawings count in milliseconds. */
const perSecond = 1000;

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.drawingList'));
  example(list, context, 'drawing list --user alice --since 7d');
  list
    .option('--task-id <id>', speak('flag.taskId'))
    .addOption(list.createOption('--status <status>', speak('flag.taskStatus')).choices(drawingStatuses))
    .option('--action <name>', speak('flag.drawingAction'));
  addWorkFlags(list, context).action(async ({ taskId, status, action, ...flags }: ListFlags) => {
    const app = await context.app();
    const input = drawingQuery.parse({ mj_id: taskId, status, action, ...(await workFilter(app, flags, perSecond)) });
    const format = (quota: number) => formatQuota(quota, quotaFormat(app.services.options));
    const page = await app.services.drawings.listPage(systemActor, input);
    const channelOf = await channelNames(
      app,
      page.items.map(({ channel_id }) => channel_id),
    );
    const items = page.items.map((one) => reasonIn(output.language, one));
    await output.list({ ...page, items }, columnsFor(format, channelOf));
  });

  const get = noun.command('get').description(speak('help.drawingGet'));
  example(get, context, 'drawing get 42', 'drawing get 1700000000000123 --json');
  get.argument('<drawings...>', speak('argument.tasks')).action(async (words: string[], _flags, command: Command) => {
    const { services } = await context.app();
    for (const word of await namesFrom(context, words, command)) {
      const drawing = reasonIn(output.language, await services.drawings.get(systemActor, word));
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      output.details(output.json ? drawing : readable(drawing, format));
    }
  });

  const wait = noun.command('wait').description(speak('help.drawingWait'));
  example(wait, context, 'drawing wait 42 --timeout 5m');
  addWait(wait, context, 'drawing', async ({ services }, word) => {
    const drawing = reasonIn(output.language, await services.drawings.get(systemActor, word));
    const { mj_id: taskId, user_id: userId, status, progress, fail_reason: failReason } = drawing;
    const times = { submitTime: seconds(drawing.submit_time), finishTime: seconds(drawing.finish_time) };
    return { taskId, userId, status, progress, failReason, ...times, record: drawing };
  });

  const cancel = noun.command('cancel').description(speak('help.drawingCancel'));
  example(cancel, context, 'drawing cancel 42', 'drawing cancel 42 43 --yes');
  addCancel(cancel, context, 'drawing');
}

const drawingStatuses = [...taskStatuses, taskStatus.modal];
const seconds = (ms: number) => Math.floor(ms / perSecond);

/** For people: amounts and times as they read them. */
function readable(drawing: Drawing, format: (quota: number) => string): object {
  const time = (at: number) => (at > 0 ? formatTime(at) : '');
  const { submit_time, start_time, finish_time, refunded_at, quota, refund } = drawing;
  return {
    ...drawing,
    submit_time: time(seconds(submit_time)),
    start_time: time(seconds(start_time)),
    finish_time: time(seconds(finish_time)),
    refunded_at: time(refunded_at),
    quota: format(quota),
    refund: format(refund),
  };
}

function columnsFor(format: (quota: number) => string, channelOf: NameOf): Column<Drawing>[] {
  const time = (ms: number) => (ms > 0 ? formatTime(Math.floor(ms / perSecond)) : '-');
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TASK', value: ({ mj_id }) => mj_id, keep: true },
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'USER', value: ({ username, user_id }) => username || `#${user_id}` },
    { title: 'CHANNEL', value: ({ channel_id }) => channelOf(channel_id) || '-' },
    {
      title: 'STATUS',
      whole: true,
      value: ({ status }) => status || '-',
      color: ({ status }) => (status === 'SUCCESS' ? 'green' : status === 'FAILURE' ? 'red' : undefined),
    },
    { title: 'PROGRESS', value: ({ progress }) => progress, right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'SUBMITTED', whole: true, value: ({ submit_time }) => time(submit_time) },
    { title: 'PROMPT', value: ({ prompt }) => prompt },
    { title: 'PICTURE', extra: true, value: ({ image_url }) => image_url },
    { title: 'REASON', extra: true, value: ({ fail_reason }) => fail_reason },
  ];
}
