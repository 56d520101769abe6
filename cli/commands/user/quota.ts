import type { Command } from 'commander';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { formatQuota, formatQuotas, type QuotaFormat } from '../../../core/billing/quota.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type User, userAdjustQuotaSchema } from '../../../core/schemas/user.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findUsers } from './find.ts';

interface Flags {
  add?: string;
  subtract?: string;
  take?: string;
  set?: string;
  note?: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** A bare number below this is confirmed: fewer units than a fifth of a cent. */
const minPlainUnits = 1000;

export function addQuota(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun.command('quota').description(speak('help.userQuota'));
  example(command, context, "user quota alice --add '$5' --note 'paid by transfer'", 'user quota alice bob --set 500k');
  command
    .argument('<users...>', speak('argument.users'))
    .option('--add <quota>', speak('flag.add'))
    .option('--subtract <quota>', speak('flag.subtract'))
    .addOption(command.createOption('--take <quota>').hideHelp())
    .option('--set <quota>', speak('flag.setQuota'))
    .option('--note <text>', speak('flag.note'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes, note, ...amounts }: Flags, self: Command) => {
      if (Object.values(amounts).filter((value) => value !== undefined).length !== 1) {
        throw usage(self, speak('usage.oneOf', { flags: '--add, --subtract, --set' }));
      }
      const app = await context.app();
      const { users, options } = app.services;
      const found = await findUsers(app, await namesFrom(context, words, self));
      if (!dryRun && !yes) await askSmall(context, amounts, quotaFormat(options));
      const work = async (user: User) => {
        const amount = amountOf(amounts, user.quota, options.get('QuotaPerUnit'));
        const input = { id: user.id, amount, note };
        // Setting what is there already books nothing.
        const changed = amount === 0 ? user : await users.adjustQuota(systemActor, userAdjustQuotaSchema.parse(input));
        return { record: changed, message: sentence(context, changed, amount, quotaFormat(options)) };
      };
      await recordEach(context, found, work, { dryRun });
    });
}

function amountOf({ add, subtract, take, set }: Flags, balance: number, quotaPerUnit: number): number {
  const less = subtract ?? take;
  if (add !== undefined) return parseQuota(add, quotaPerUnit);
  if (less !== undefined) return -parseQuota(less, quotaPerUnit);
  return parseQuota(set ?? '', quotaPerUnit) - balance;
}

/** `--add 5` is five units, a thousandth of a cent, where five dollars were probably meant: people are asked, scripts need `--yes`. */
async function askSmall({ speak, confirm }: Context, amounts: Flags, format: QuotaFormat): Promise<void> {
  const text = (amounts.add ?? amounts.subtract ?? amounts.take ?? amounts.set ?? '').trim();
  const units = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (!format.inCurrency || units === 0 || units >= minPlainUnits) return;
  const dollars = `$${text}`;
  const inUnits = (units * format.quotaPerUnit).toLocaleString('en-US');
  await confirm(speak('user.askSmallQuota', { text, dollars, inUnits, worth: formatQuota(units, format) }), false);
}

function sentence({ speak }: Context, { username: name, quota }: User, amount: number, format: QuotaFormat): string {
  const [before = '', after = ''] = formatQuotas([quota - amount, quota], format);
  if (amount === 0) return speak('user.quotaSet', { name, quota: after });
  const change = `${amount > 0 ? '+' : ''}${formatQuota(amount, format)}`;
  return speak('user.quotaChanged', { name, before, change, quota: after });
}
