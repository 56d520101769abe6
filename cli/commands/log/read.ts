import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { formatCost } from '../../../core/billing/quota.ts';
import { receiptOf } from '../../../core/billing/receipt.ts';
import { plainText } from '../../../core/lib/plain-text.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type LogList, type LogPage, logListSchema } from '../../../core/schemas/log.ts';
import type { Context } from '../../context.ts';
import { type LogWords, logFilterFrom, numberFrom, typeWords } from '../../flag/log-filter.ts';
import { example } from '../../flag/selection.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { failureText, historyText, receiptText } from '../../print/receipt.ts';
import { columnsFor, failureColumns, readable } from './column.ts';
import { addFilterFlags, addTimeFlags, addTroubleFlags } from './filter.ts';

interface ListFlags extends LogWords {
  archive?: string;
  beforeId?: string;
  page?: string;
  pageSize?: string;
}

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.logList'));
  example(list, context, 'log list --type consume --user alice --since 1d', 'log list --errors --since 1h');
  addTroubleFlags(addTimeFlags(addFilterFlags(list, context), context), context)
    .option('--archive <folder>', speak('flag.archive'))
    .option('--before-id <id>', speak('flag.beforeId'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ archive, beforeId, page, pageSize, ...flags }: ListFlags) => {
      const app = await context.app();
      const before_id = numberFrom('--before-id', beforeId);
      const paging = { before_id, page, page_size: pageSize };
      const input = logListSchema.parse({ ...(await logFilterFrom(app, flags)), ...paging });
      const found = archive ? await archived(app, archive, input) : await app.services.logs.list(systemActor, input);
      const format = (quota: number) => formatCost(quota, quotaFormat(app.services.options));
      const columns = flags.errors ? failureColumns : columnsFor(format);
      await output.list({ ...found, items: readable(output, app.services, found.items) }, columns);
    });

  const get = noun
    .command('get')
    .description(speak('help.logGet'))
    .argument('<log>', speak('argument.log'))
    .action(async (id: string) => {
      const app = await context.app();
      const { services } = app;
      const [log] = readable(output, services, [await services.logs.get(systemActor, id)]);
      if (!log) return;
      const receipt = receiptOf(log.other);
      if (output.json) return output.details({ ...log, receipt: receipt ?? null });
      const { other, ...fields } = log;
      output.details({ ...fields, created_at: formatTime(log.created_at), type: typeWords.get(log.type) ?? log.type });
      const bill = receipt
        ? receiptText(receipt, log.quota, services.options.get('QuotaPerUnit'), speak)
        : failureText(log, speak);
      const history = historyText(log, speak);
      const lines = bill.length > 0 ? [...bill, ...history] : [`  ${speak('receipt.none')}`];
      output.text(plainText(`\n${lines.join('\n')}\n`));
    });
  example(get, context, 'log get 42', 'log get 0199c0de-7b1a-7000-8000-3f2a5c6d7e8f');

  const stat = noun.command('stat').description(speak('help.logStat'));
  example(stat, context, 'log stat --user alice --since 1d');
  addTimeFlags(addFilterFlags(stat, context), context).action(async (flags: LogWords) => {
    const app = await context.app();
    const found = await app.services.logs.stat(systemActor, await logFilterFrom(app, flags));
    const quota = formatCost(found.quota, quotaFormat(app.services.options));
    output.details(output.json ? found : { ...found, quota });
  });
}

async function archived({ database }: App, folder: string, input: LogList): Promise<LogPage> {
  const { listArchive } = await import('../../../core/services/log-archive/list.ts');
  return listArchive(systemActor, database, resolve(folder), input);
}
