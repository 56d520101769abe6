import type { Command } from 'commander';
import { parseQuota } from '../../core/billing/parse-quota.ts';
import { formatQuota } from '../../core/billing/quota.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import {
  type User,
  userAdjustQuotaSchema,
  userCreateSchema,
  userListSchema,
  userStatus,
} from '../../core/schemas/user.ts';
import type { Context } from '../context.ts';
import type { Column } from '../output.ts';
import { quotaFormat } from '../quota-format.ts';
import { addSecretFlags, readSecret } from '../secret.ts';
import { example, namesFrom, usage } from '../selection.ts';

interface ListFlags {
  keyword?: string;
  group?: string;
  page?: string;
  pageSize?: string;
}

interface CreateFlags {
  name: string;
  displayName?: string;
  passwordStdin?: boolean;
}

interface QuotaFlags {
  add?: string;
  take?: string;
  set?: string;
  note?: string;
}

const roleWords = new Map([
  [1, 'user'],
  [10, 'admin'],
  [100, 'root'],
]);

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('list')
    .description(speak('help.userList'))
    .option('--keyword <text>', speak('flag.username'))
    .option('--group <name>', speak('flag.group'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'))
    .action(async ({ pageSize, ...flags }: ListFlags) => {
      const { services } = await context.app();
      const found = await services.users.list(systemActor, userListSchema.parse({ ...flags, page_size: pageSize }));
      await output.list(
        found,
        columnsFor((quota) => formatQuota(quota, quotaFormat(services.options))),
      );
    });

  noun
    .command('get')
    .description(speak('help.userGet'))
    .argument('<users...>', speak('argument.users'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const { services } = await context.app();
      for (const name of await namesFrom(context, words, command)) {
        output.details(await services.users.find(systemActor, name));
      }
    });

  const create = noun
    .command('create')
    .description(speak('help.userCreate'))
    .requiredOption('--name <text>', speak('flag.username'))
    .option('--display-name <text>', speak('flag.displayName'));
  addSecretFlags(create, 'password', context, false).action(async (flags: CreateFlags) => {
    const password = await passwordFor(context, flags.name, flags.passwordStdin);
    const input = userCreateSchema.parse({ username: flags.name, password, display_name: flags.displayName });
    const { services } = await context.app();
    const user = await services.users.create(systemActor, input);
    output.record(user, speak('user.created', { id: user.id, name: user.username }));
  });
  example(create, context, 'user create --name alice --password-stdin < password.txt');

  const reset = noun
    .command('reset-password')
    .description(speak('help.userResetPassword'))
    .argument('<user>', speak('argument.users'));
  addSecretFlags(reset, 'password', context, false).action(async (name: string, flags: CreateFlags) => {
    const { services } = await context.app();
    const user = await services.users.find(systemActor, name);
    const { password } = userCreateSchema
      .pick({ password: true })
      .parse({ password: await passwordFor(context, user.username, flags.passwordStdin) });
    await services.users.setPassword(systemActor, user.id, password);
    output.done(speak('user.passwordSet', { name: user.username }), { id: user.id });
  });
  example(reset, context, 'user reset-password root');

  noun
    .command('disable-2fa')
    .description(speak('help.userDisableTwoFactor'))
    .argument('<user>', speak('argument.users'))
    .action(async (name: string) => {
      const { services } = await context.app();
      const user = await services.users.find(systemActor, name);
      await services.twoFactors.remove(systemActor, user.id);
      output.done(speak('user.twoFactorOff', { name: user.username }), { id: user.id });
    });

  const quota = noun
    .command('quota')
    .description(speak('help.userQuota'))
    .argument('<user>', speak('argument.users'))
    .option('--add <quota>', speak('flag.add'))
    .option('--take <quota>', speak('flag.take'))
    .option('--set <quota>', speak('flag.setQuota'))
    .option('--note <text>', speak('flag.note'))
    .action(async (name: string, flags: QuotaFlags, command: Command) => {
      if ([flags.add, flags.take, flags.set].filter((value) => value !== undefined).length !== 1) {
        throw usage(command, speak('usage.oneOf', { flags: '--add, --take, --set' }));
      }
      const { services } = await context.app();
      const user = await services.users.find(systemActor, name);
      const amount = amountOf(flags, user.quota, services.options.get('QuotaPerUnit'));
      const input = { id: user.id, amount, note: flags.note };
      // Setting what is there already books nothing.
      const changed =
        amount === 0 ? user : await services.users.adjustQuota(systemActor, userAdjustQuotaSchema.parse(input));
      const shown = formatQuota(changed.quota, quotaFormat(services.options));
      output.record(changed, speak('user.quotaSet', { name: changed.username, quota: shown }));
    });
  example(quota, context, "user quota alice --add '$5' --note 'paid by transfer'");
}

function amountOf({ add, take, set }: QuotaFlags, balance: number, quotaPerUnit: number): number {
  if (add !== undefined) return parseQuota(add, quotaPerUnit);
  if (take !== undefined) return -parseQuota(take, quotaPerUnit);
  return parseQuota(set ?? '', quotaPerUnit) - balance;
}

async function passwordFor(context: Context, name: string, stdin: boolean | undefined): Promise<string> {
  const { input, speak } = context;
  const given = await readSecret(context, { stdin, file: undefined });
  if (given !== undefined) return given;
  const question = speak('user.askPassword', { name });
  if (!input.interactive)
    throw new AppError('cli.answerNeeded', { what: question.replace(/[:：]$/, ''), flag: '--password-stdin' });
  return input.askHidden(question);
}

function columnsFor(format: (quota: number) => string): Column<User>[] {
  return [
    { title: 'ID', value: ({ id }) => id, right: true },
    { title: 'NAME', value: ({ username }) => username, keep: true },
    { title: 'ROLE', value: ({ role }) => roleWords.get(role) ?? role },
    {
      title: 'STATUS',
      whole: true,
      value: ({ status }) => (status === userStatus.enabled ? 'enabled' : 'disabled'),
      colour: ({ status }) => (status === userStatus.enabled ? 'green' : 'red'),
    },
    { title: 'GROUP', value: ({ group }) => group },
    { title: 'LEFT', value: ({ quota }) => format(quota), right: true },
    { title: 'USED', value: ({ used_quota }) => format(used_quota), right: true },
    { title: 'CALLS', value: ({ request_count }) => request_count, right: true },
  ];
}
