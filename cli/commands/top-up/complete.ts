import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { topUpCompleteSchema, topUpListAllSchema } from '../../../core/schemas/wallet.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example } from '../../flag/selection.ts';
import { userNames } from '../../print/object-name.ts';
import { quotaFormat } from '../../print/quota-format.ts';

interface Flags {
  reason: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** An order whose payment was seen, but never reported by the payment service. */
export function addComplete(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('complete').description(speak('help.topUpComplete'));
  example(command, context, "top-up complete USR7NOa1B2c31766000000 --reason 'seen on the bank statement'");
  command
    .argument('<trade-no>', speak('argument.tradeNumber'))
    .requiredOption('--reason <text>', speak('flag.completeReason'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (word: string, { reason, dryRun, yes }: Flags) => {
      const input = topUpCompleteSchema.parse({ trade_no: word, reason });
      const app = await context.app();
      const { services } = app;
      const work = () => services.wallet.completeByHand(systemActor, input);
      if (dryRun) return rehearse(context, work);
      const { items } = await services.topUps.listAll(
        systemActor,
        topUpListAllSchema.parse({ keyword: input.trade_no }),
      );
      const [order] = items;
      if (!order) throw new AppError('object.notFound', { what: coded('noun.order'), id: word, noun: 'top-up' });
      const { user_id, money, quota, status } = order;
      if (status !== 'pending') throw new AppError('topUp.notPending', { trade_no: word, status });
      const name = (await userNames(app, [user_id]))(user_id);
      const details = {
        reason: input.reason,
        trade_no: word,
        name,
        money: money.toFixed(2),
        quota: formatQuota(quota, quotaFormat(services.options)),
      };
      await context.confirm(speak('topUp.askComplete', details), yes);
      output.record(await work(), speak('topUp.completed', details));
    });
}
