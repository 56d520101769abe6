import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  neverExpires,
  type Token,
  tokenListSchema,
  tokenSortFields,
  tokenStatus,
} from '../../../core/schemas/token.ts';
import { keyIn } from '../../../core/services/secret.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom } from '../../flag/selection.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { type NameOf, userNames } from '../../print/object-name.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { limitsField } from '../limit/subject.ts';
import { addSelection, findTokens, tokenFilter, withShownKey } from './find.ts';

interface ListFlags {
  user?: string;
  keyword?: string;
  sort?: string;
  page?: string;
  pageSize?: string;
}

const statusWords = new Map<number, string>([
  [tokenStatus.enabled, 'enabled'],
  [tokenStatus.disabled, 'disabled'],
  [tokenStatus.expired, 'expired'],
  [tokenStatus.exhausted, 'exhausted'],
]);

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('list')
    .description(speak('help.tokenList'))
    .option('--user <user>', speak('flag.userOfList'))
    .option('--keyword <text>', speak('flag.tokenKeyword'))
    .option('--sort <field>', speak('flag.sort', { fields: tokenSortFields.join(', ') }))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ user, pageSize, ...flags }: ListFlags) => {
      const { keyword = '', ...others } = flags;
      const query = tokenListSchema.parse({ ...others, ...tokenFilter(keyword), page_size: pageSize });
      const app = await context.app();
      const { services } = app;
      const owner = user === undefined ? undefined : await services.users.find(systemActor, user);
      const found = await services.tokens.list(systemActor, query, owner ? { userId: owner.id } : {});
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      const ownerOf = await userNames(
        app,
        found.items.map(({ user_id }) => user_id),
      );
      const items = found.items.map((token) => keyIn(output.language, token));
      await output.list({ ...found, items }, columnsFor(format, ownerOf));
    });
  example(command, context, 'token list --user alice --sort -used_quota');

  const get = noun.command('get').description(speak('help.tokenGet'));
  example(get, context, 'token get ci');
  addSelection(get, context).action(async (words: string[], { user }: ListFlags, self: Command) => {
    const app = await context.app();
    const tokens = await findTokens(app, await namesFrom(context, words, self), user);
    for (const token of tokens) {
      const limits = await limitsField(context, { subject_kind: 'token', subject: String(token.id) });
      output.details({ ...withShownKey(context, token), limits });
    }
  });
}

function columnsFor(format: (quota: number) => string, ownerOf: NameOf): Column<Token>[] {
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'NAME', value: ({ name }) => name, keep: true },
    { title: 'USER', value: ({ user_id }) => ownerOf(user_id) },
    { title: 'STATUS', whole: true, value: ({ status }) => statusWords.get(status) ?? status, color: statusColor },
    { title: 'KEY', whole: true, value: ({ key, key_problem }) => (key_problem ? 'unreadable' : `sk-${key}`) },
    {
      title: 'LEFT',
      value: (token) => (token.unlimited_quota ? 'unlimited' : format(token.remain_quota)),
      right: true,
    },
    { title: 'USED', value: ({ used_quota }) => format(used_quota), right: true },
    {
      title: 'EXPIRES',
      whole: true,
      value: ({ expired_time }) => (expired_time === neverExpires ? 'never' : formatTime(expired_time)),
    },
    { title: 'GROUP', extra: true, value: ({ group }) => group },
  ];
}

function statusColor({ status }: Token) {
  if (status === tokenStatus.enabled) return 'green';
  return status === tokenStatus.disabled ? 'dim' : 'yellow';
}
