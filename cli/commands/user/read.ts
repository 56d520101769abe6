import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { role, systemActor } from '../../../core/schemas/actor.ts';
import { type User, userListSchema, userListStatus, userSortFields } from '../../../core/schemas/user.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom } from '../../flag/selection.ts';
import { numberOf } from '../../flag/status-word.ts';
import { rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { limitsField } from '../limit/subject.ts';
import { findUsers } from './find.ts';

interface ListFlags {
  keyword?: string;
  group?: string;
  role?: string;
  status?: string;
  sort?: string;
  page?: string;
  pageSize?: string;
}

const roleWords = new Map<number, string>([
  [role.user, 'user'],
  [role.admin, 'admin'],
  [role.root, 'root'],
]);

const statusWords = new Map<number, string>([
  [userListStatus.enabled, 'enabled'],
  [userListStatus.disabled, 'disabled'],
  [userListStatus.deleted, 'deleted'],
]);

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.userList'));
  example(list, context, 'user list --role admin', 'user list --status enabled --sort -used_quota --page-size 50');
  list
    .option('--keyword <text>', speak('flag.userKeyword'))
    .option('--group <name>', speak('flag.userGroup'))
    .option('--role <role>', speak('flag.role'))
    .option('--status <status>', speak('flag.userStatus'))
    .option('--sort <field>', speak('flag.sort', { fields: userSortFields.join(', ') }))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ role: wanted, status, pageSize, ...flags }: ListFlags) => {
      const input = userListSchema.parse({
        ...flags,
        page_size: pageSize,
        ...(wanted !== undefined && { role: numberOf(roleWords, wanted, 'role') }),
        ...(status !== undefined && { status: numberOf(statusWords, status, 'status') }),
      });
      const { services } = await context.app();
      const found = await services.users.list(systemActor, input);
      await output.list(
        found,
        columnsFor((quota) => formatQuota(quota, quotaFormat(services.options))),
      );
    });

  const get = noun.command('get').description(speak('help.userGet'));
  example(get, context, 'user get alice');
  get.argument('<users...>', speak('argument.users')).action(async (words: string[], _flags, command: Command) => {
    const app = await context.app();
    for (const user of await findUsers(app, await namesFrom(context, words, command))) {
      const limits = await limitsField(context, { subject_kind: 'user', subject: String(user.id) });
      output.details({ ...user, limits });
    }
  });
}

/** Where it no longer exists, whatever it was before says nothing. */
const isDeleted = ({ DeletedAt }: User) => DeletedAt !== null;

/** The number itself for an unknown one. */
function statusWord(user: User): string {
  if (isDeleted(user)) return 'deleted';
  return user.status === userListStatus.deleted
    ? String(user.status)
    : (statusWords.get(user.status) ?? String(user.status));
}

function columnsFor(format: (quota: number) => string): Column<User>[] {
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'NAME', value: ({ username }) => username, keep: true },
    { title: 'ROLE', value: ({ role: number }) => roleWords.get(number) ?? number },
    {
      title: 'STATUS',
      whole: true,
      value: statusWord,
      color: (user) => (statusWord(user) === 'enabled' ? 'green' : 'red'),
    },
    { title: 'GROUP', value: ({ group }) => group },
    { title: 'LEFT', value: ({ quota }) => format(quota), right: true },
    { title: 'USED', value: ({ used_quota }) => format(used_quota), right: true },
    { title: 'CALLS', value: ({ request_count }) => request_count, right: true },
    { title: 'DISPLAY NAME', extra: true, value: ({ display_name }) => display_name },
    { title: 'E-MAIL', extra: true, value: ({ email }) => email },
  ];
}
