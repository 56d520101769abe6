import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Drawing, drawingQuery } from '../../core/schemas/drawing.ts';
import type { Context } from '../context.ts';
import { formatTime } from '../flag-value.ts';
import type { Column } from '../output.ts';
import { quotaFormat } from '../quota-format.ts';
import { example } from '../selection.ts';
import { addWorkFlags, type WorkFlags, workFilter } from '../work-filter.ts';

interface ListFlags extends WorkFlags {
  taskId?: string;
}

/** Drawings count in milliseconds. */
const perSecond = 1000;

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.drawingList'));
  example(list, context, 'drawing list --username alice --since 7d');
  list.option('--task-id <id>', speak('flag.taskId'));
  addWorkFlags(list, context).action(async ({ taskId, ...flags }: ListFlags) => {
    const app = await context.app();
    const input = drawingQuery.parse({ mj_id: taskId, ...(await workFilter(app, flags, perSecond)) });
    const format = (quota: number) => formatQuota(quota, quotaFormat(app.services.options));
    await output.list(await app.services.drawings.listPage(systemActor, input), columnsFor(format));
  });
}

function columnsFor(format: (quota: number) => string): Column<Drawing>[] {
  const time = (ms: number) => (ms > 0 ? formatTime(Math.floor(ms / perSecond)) : '-');
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TASK', value: ({ mj_id }) => mj_id, keep: true },
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'USER', value: ({ username, user_id }) => username || user_id },
    { title: 'CHANNEL', value: ({ channel_id }) => channel_id || '-', right: true },
    {
      title: 'STATUS',
      whole: true,
      value: ({ status }) => status || '-',
      colour: ({ status }) => (status === 'SUCCESS' ? 'green' : status === 'FAILURE' ? 'red' : undefined),
    },
    { title: 'PROGRESS', value: ({ progress }) => progress, right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'SUBMITTED', whole: true, value: ({ submit_time }) => time(submit_time) },
    { title: 'PROMPT', value: ({ prompt }) => prompt },
    { title: 'PICTURE', extra: true, value: ({ image_url }) => image_url },
    { title: 'REASON', extra: true, value: ({ fail_reason }) => fail_reason },
  ];
}
