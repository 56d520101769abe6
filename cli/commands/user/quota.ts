import type { Command } from 'commander';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type User, userAdjustQuotaSchema } from '../../../core/schemas/user.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { askSmallQuota } from '../../flag/small-quota.ts';
import { quotaSentence } from '../../print/quota-change.ts';
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
      const [text] = Object.values(amounts).filter((value) => value !== undefined);
      await askSmallQuota(context, text, quotaFormat(options), { dryRun, yes });
      const work = async (user: User) => {
        const amount = amountOf(amounts, user.quota, options.get('QuotaPerUnit'));
        const input = { id: user.id, amount, note };
        // Setting what is there already books nothing.
        const changed = amount === 0 ? user : await users.adjustQuota(systemActor, userAdjustQuotaSchema.parse(input));
        return { record: changed, message: quotaSentence(speak, changed, { amount, format: quotaFormat(options) }) };
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
