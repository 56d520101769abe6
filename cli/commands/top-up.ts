import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type TopUp, topUpListAllSchema } from '../../core/schemas/wallet.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';
import { formatTime, rowsOfList } from '../flag/value.ts';
import type { Column } from '../output.ts';
import { type NameOf, userNames } from '../print/object-name.ts';
import { quotaFormat } from '../print/quota-format.ts';
import { addComplete } from './top-up/complete.ts';

interface ListFlags {
  user?: string;
  keyword?: string;
  page?: string;
  pageSize?: string;
}

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.topUpList'));
  example(list, context, 'top-up list --user alice', 'top-up list --page-size 50');
  list
    .option('--user <user>', speak('flag.userOfOrders'))
    .option('--keyword <text>', speak('flag.tradeNumber'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ user, pageSize, ...flags }: ListFlags) => {
      const app = await context.app();
      const { services } = app;
      const user_id = user === undefined ? 0 : (await services.users.find(systemActor, user)).id;
      const input = topUpListAllSchema.parse({ ...flags, user_id, page_size: pageSize });
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      const found = await services.topUps.listAll(systemActor, input);
      const userOf = await userNames(
        app,
        found.items.map(({ user_id }) => user_id),
      );
      await output.list(found, columnsFor(format, userOf));
    });
  addComplete(noun, context);
}

function columnsFor(format: (quota: number) => string, userOf: NameOf): Column<TopUp>[] {
  const time = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '-');
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'TRADE', value: ({ trade_no }) => trade_no, keep: true },
    { title: 'USER', value: ({ user_id }) => userOf(user_id) },
    {
      title: 'STATUS',
      whole: true,
      value: ({ status }) => status,
      color: ({ status }) => (status === 'success' ? 'green' : 'yellow'),
    },
    { title: 'METHOD', value: ({ payment_method }) => payment_method },
    { title: 'PAID', value: ({ money }) => money.toFixed(2), right: true },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'CREATED', whole: true, value: ({ create_time }) => time(create_time) },
    { title: 'COMPLETED', whole: true, extra: true, value: ({ complete_time }) => time(complete_time) },
  ];
}
