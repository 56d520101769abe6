import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { receiptOf } from '../../../core/billing/receipt.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Log, logListSchema, logType } from '../../../core/schemas/log.ts';
import { logsIn } from '../../../core/services/log-text.ts';
import type { Context } from '../../context.ts';
import { formatTime, parseTime, wholeNumber } from '../../flag-value.ts';
import type { Column, Output } from '../../output.ts';
import { quotaFormat } from '../../quota-format.ts';
import { historyText, receiptText } from '../../receipt.ts';
import { example } from '../../selection.ts';

interface ListFlags {
  type?: string;
  username?: string;
  token?: string;
  model?: string;
  channel?: string;
  group?: string;
  since?: string;
  until?: string;
  beforeId?: string;
  page?: string;
  pageSize?: string;
}

const typeWords = new Map<number, string>([
  [logType.topUp, 'top-up'],
  [logType.consume, 'consume'],
  [logType.manage, 'manage'],
  [logType.system, 'system'],
]);

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun
    .command('list')
    .description(speak('help.logList'))
    .option('--type <type>', speak('flag.logType'))
    .option('--username <name>', speak('flag.username'))
    .option('--token <name>', speak('flag.token'))
    .option('--model <name>', speak('flag.model'))
    .option('--channel <channel>', speak('flag.channel'))
    .option('--group <name>', speak('flag.group'))
    .option('--since <when>', speak('flag.since'))
    .option('--until <when>', speak('flag.until'))
    .option('--before-id <id>', speak('flag.beforeId'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'))
    .action(async (flags: ListFlags) => {
      const { services } = await context.app();
      const channel = flags.channel === undefined ? 0 : (await services.channels.find(systemActor, flags.channel)).id;
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      const page = await services.logs.list(systemActor, listInput(flags, channel));
      await output.list({ ...page, items: readable(output, page.items) }, columnsFor(format));
    });
  example(list, context, 'log list --type consume --username alice --since 1d', "log list --model 'gpt-4o%' --json");

  const get = noun
    .command('get')
    .description(speak('help.logGet'))
    .argument('<log>', speak('argument.log'))
    .action(async (id: string) => {
      const { services } = await context.app();
      const [log] = readable(output, [await services.logs.get(systemActor, id)]);
      if (!log) return;
      const receipt = receiptOf(log.other);
      if (output.json) return output.details({ ...log, receipt: receipt ?? null });
      const { other, ...fields } = log;
      output.details({ ...fields, created_at: formatTime(log.created_at), type: typeWords.get(log.type) ?? log.type });
      const lines = receipt
        ? [...receiptText(receipt, log.quota, services.options.get('QuotaPerUnit'), speak), ...historyText(log, speak)]
        : [`  ${speak('receipt.none')}`];
      output.text(`\n${lines.join('\n')}\n`);
    });
  example(get, context, 'log get 42', 'log get 0199c0de-7b1a-7000-8000-3f2a5c6d7e8f');
}

/** Programs get the rows as they are stored, people in their language. */
function readable<T extends Log>({ json, language }: Output, logs: T[]): T[] {
  return json ? logs : logsIn(language, logs);
}

function listInput(flags: ListFlags, channel: number) {
  const now = nowSeconds();
  return logListSchema.parse({
    type: flags.type === undefined ? 0 : typeNumber(flags.type),
    username: flags.username,
    token_name: flags.token,
    model_name: flags.model,
    channel,
    group: flags.group,
    start_timestamp: flags.since === undefined ? 0 : parseTime(flags.since, now),
    end_timestamp: flags.until === undefined ? 0 : parseTime(flags.until, now),
    before_id: flags.beforeId === undefined ? 0 : wholeNumber(flags.beforeId),
    page: flags.page,
    page_size: flags.pageSize,
  });
}

function typeNumber(text: string): number {
  for (const [number, word] of typeWords) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', { reason: `type "${text.slice(0, 40)}": ${[...typeWords.values()].join(', ')}` });
}

function columnsFor(format: (quota: number) => string): Column<Log>[] {
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TIME', whole: true, value: ({ created_at }) => formatTime(created_at) },
    { title: 'TYPE', whole: true, value: ({ type }) => typeWords.get(type) ?? type },
    { title: 'USER', value: ({ username }) => username, keep: true },
    { title: 'TOKEN', extra: true, value: ({ token_name }) => token_name },
    { title: 'MODEL', value: ({ model_name }) => model_name },
    { title: 'CHANNEL', value: ({ channel }) => channel || '', right: true },
    { title: 'IN', value: ({ prompt_tokens }) => prompt_tokens, right: true },
    { title: 'OUT', value: ({ completion_tokens }) => completion_tokens, right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'SECONDS', extra: true, value: ({ use_time }) => use_time, right: true },
    { title: 'REQUEST', whole: true, extra: true, value: ({ request_id }) => request_id },
    { title: 'CONTENT', extra: true, value: ({ content }) => content },
  ];
}
