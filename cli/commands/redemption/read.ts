import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { maskKey } from '../../../core/lib/mask-key.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  type Redemption,
  redemptionListSchema,
  redemptionListStatus,
  redemptionSortFields,
  redemptionStatus,
} from '../../../core/schemas/redemption.ts';
import { keyIn } from '../../../core/services/secret.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom } from '../../flag/selection.ts';
import { numberOf } from '../../flag/status-word.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { type NameOf, userNames } from '../../print/object-name.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findRedemptions } from './find.ts';

interface ListFlags {
  keyword?: string;
  status?: string;
  sort?: string;
  page?: string;
  pageSize?: string;
}

const statusWords = new Map<number, string>([
  [redemptionListStatus.unused, 'unused'],
  [redemptionListStatus.disabled, 'disabled'],
  [redemptionListStatus.used, 'used'],
  [redemptionListStatus.expired, 'expired'],
]);

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.redemptionList'));
  example(list, context, 'redemption list --status unused', 'redemption list --keyword spring --json');
  list
    .option('--keyword <text>', speak('flag.redemptionKeyword'))
    .option('--status <status>', speak('flag.redemptionStatus'))
    .option('--sort <field>', speak('flag.sort', { fields: redemptionSortFields.join(', ') }))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ pageSize, status, ...flags }: ListFlags) => {
      const input = redemptionListSchema.parse({
        ...flags,
        page_size: pageSize,
        ...(status !== undefined && { status: numberOf(statusWords, status, 'status') }),
      });
      const app = await context.app();
      const { services } = app;
      const found = await services.redemptions.list(systemActor, input);
      const items = found.items.map((code) => keyIn(output.language, { ...code, key: maskKey(code.key) }));
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      const userOf = await userNames(
        app,
        items.map(({ used_user_id }) => used_user_id),
      );
      await output.list({ ...found, items }, columnsFor(format, nowSeconds(), userOf));
    });

  const get = noun.command('get').description(speak('help.redemptionGet'));
  example(get, context, 'redemption get 12');
  get
    .argument('<codes...>', speak('argument.redemptions'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const app = await context.app();
      for (const code of await findRedemptions(app, await namesFrom(context, words, command)))
        output.details(keyIn(output.language, code));
    });
}

function columnsFor(format: (quota: number) => string, now: number, userOf: NameOf): Column<Redemption>[] {
  const statusOf = ({ status, expired_time }: Redemption) => {
    const isOver = status === redemptionStatus.unused && expired_time > 0 && expired_time <= now;
    return isOver ? redemptionListStatus.expired : status;
  };
  const time = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '-');
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'NAME', value: ({ name }) => name, keep: true },
    {
      title: 'STATUS',
      whole: true,
      value: (code) => statusWords.get(statusOf(code)) ?? code.status,
      color: (code) => (statusOf(code) === redemptionListStatus.unused ? 'green' : 'dim'),
    },
    { title: 'CODE', whole: true, value: ({ key, key_problem }) => (key_problem ? 'unreadable' : key) },
    { title: 'QUOTA', value: ({ quota }) => format(quota), right: true },
    { title: 'CREATED', whole: true, extra: true, value: ({ created_time }) => time(created_time) },
    {
      title: 'EXPIRES',
      whole: true,
      value: ({ expired_time }) => (expired_time > 0 ? formatTime(expired_time) : 'never'),
    },
    { title: 'USED BY', value: ({ used_user_id }) => userOf(used_user_id) || '-' },
    { title: 'USED', whole: true, extra: true, value: ({ redeemed_time }) => time(redeemed_time) },
  ];
}
