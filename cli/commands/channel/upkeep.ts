import type { Command } from 'commander';
import { tellsBalance } from '../../../core/providers/registry.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Channel } from '../../../core/schemas/channel.ts';
import { channelIn } from '../../../core/services/channel/view.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, forEach, namesFrom, usage } from '../../flag/selection.ts';
import { sayUnpriced, unpricedOf } from '../../print/price-offer.ts';
import { findAll, listAll } from './switch.ts';

interface BalanceFlags {
  all?: boolean;
}

/** What keeps channels in order: copies, balances, model lists and the repair of what routing reads. */
export function addUpkeep(noun: Command, context: Context): void {
  const { output, speak } = context;

  const copy = noun.command('copy').description(speak('help.channelCopy'));
  example(copy, context, 'channel copy main');
  copy.argument('<channel>', speak('argument.channel')).action(async (name: string) => {
    const { services } = await context.app();
    const { id } = await services.channels.find(systemActor, name);
    const made = await services.channels.copy(systemActor, id);
    output.record(channelIn(output.language, made), speak('channel.created', { id: made.id, name: made.name }));
  });

  const models = noun.command('models').description(speak('help.channelModels'));
  example(models, context, 'channel models main');
  models.argument('<channel>', speak('argument.channel')).action(async (name: string) => {
    const { services } = await context.app();
    const { id, model_mapping: mapping } = await services.channels.find(systemActor, name);
    const names = await services.channelModels.ofChannel(systemActor, id);
    const unpriced = await unpricedOf(context, { models: names, mapping });
    output.done(names.join('\n'), { id, models: names, unpriced });
    sayUnpriced(context, unpriced);
  });

  const balance = noun
    .command('balance')
    .description(speak('help.channelBalance'))
    .argument('[channels...]', speak('argument.channels'))
    .option('--all', speak('flag.all'))
    .action(async (words: string[], flags: BalanceFlags, self: Command) => {
      if (flags.all && words.length > 0) throw usage(self, speak('usage.oneOf', { flags: '<channels...>, --all' }));
      const app = await context.app();
      const channels = flags.all
        ? (await listAll(app, {})).filter(({ type }) => tellsBalance(type))
        : await findAll(app, await namesFrom(context, words, self));
      await forEach(context, channels, async ({ id, name }: Channel) => {
        const left = await app.services.channelBalances.updateBalance(systemActor, id);
        const message = speak('channel.balance', { id, name, balance: left.toFixed(2) });
        return { message, data: { id, balance: left } };
      });
    });
  example(balance, context, 'channel balance main', 'channel balance --all');

  noun
    .command('fix')
    .description(speak('help.channelFix'))
    .option('--dry-run', speak('flag.dryRun'))
    .action(async ({ dryRun }: { dryRun?: boolean }) => {
      if (dryRun) return rehearse(context, ({ services }) => services.channels.fixAbilities(systemActor));
      const { services } = await context.app();
      const count = await services.channels.fixAbilities(systemActor);
      output.done(speak('channel.fixed', { count }), { count });
    });
}
