import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Channel } from '../../../core/schemas/channel.ts';
import { channelTagEditSchema } from '../../../core/schemas/channel-tag.ts';
import type { Context } from '../../context.ts';
import { example, forEach, namesFrom, usage } from '../../selection.ts';
import { findAll, listAll } from './switch.ts';

interface BalanceFlags {
  all?: boolean;
}

interface TagFlags {
  newTag?: string;
  models?: string;
  group?: string;
  priority?: string;
  weight?: string;
  modelMapping?: string;
}

/** What keeps channels in order: copies, tags, balances, model lists and the repair of what routing reads. */
export function addUpkeep(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('copy')
    .description(speak('help.channelCopy'))
    .argument('<channel>', speak('argument.channels'))
    .action(async (name: string) => {
      const { services } = await context.app();
      const { id } = await services.channels.find(systemActor, name);
      const copy = await services.channels.copy(systemActor, id);
      output.record(copy, speak('channel.created', { id: copy.id, name: copy.name }));
    });

  noun
    .command('models')
    .description(speak('help.channelModels'))
    .argument('<channel>', speak('argument.channels'))
    .action(async (name: string) => {
      const { services } = await context.app();
      const { id } = await services.channels.find(systemActor, name);
      const models = await services.channelModels.ofChannel(systemActor, id);
      output.done(models.join('\n'), { id, models });
    });

  const balance = noun
    .command('balance')
    .description(speak('help.channelBalance'))
    .argument('[channels...]', speak('argument.channels'))
    .option('--all', speak('flag.all'))
    .action(async (words: string[], flags: BalanceFlags, self: Command) => {
      if (flags.all && words.length > 0) throw usage(self, speak('usage.oneOf', { flags: '<channels...>, --all' }));
      const app = await context.app();
      const channels = flags.all ? await listAll(app, {}) : await findAll(app, await namesFrom(context, words, self));
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
    .action(async () => {
      const { services } = await context.app();
      const count = await services.channels.fixAbilities(systemActor);
      output.done(speak('channel.fixed', { count }), { count });
    });

  addTagUpdate(noun, context);
}

function addTagUpdate(noun: Command, context: Context): void {
  const { output, speak } = context;
  const update = noun
    .command('update-tag')
    .description(speak('help.channelUpdateTag'))
    .argument('<tag>', speak('flag.tag'))
    .option('--new-tag <tag>', speak('flag.newTag'))
    .option('--models <names>', speak('flag.models'))
    .option('--group <names>', speak('flag.group'))
    .option('--priority <number>', speak('flag.priority'))
    .option('--weight <number>', speak('flag.weight'))
    .option('--model-mapping <json>', speak('flag.modelMapping'))
    .action(async (tag: string, flags: TagFlags, self: Command) => {
      if (Object.keys(flags).length === 0) throw usage(self, speak('usage.nothingToChange'));
      const { newTag, group, modelMapping, ...fields } = flags;
      const input = { ...fields, tag, new_tag: newTag, groups: group, model_mapping: modelMapping };
      const { services } = await context.app();
      const count = await services.channels.editTag(systemActor, channelTagEditSchema.parse(input));
      output.done(speak('channel.tagUpdated', { tag, count }), { tag, count });
    });
  example(update, context, 'channel update-tag cheap --priority 10', "channel update-tag cheap --new-tag ''");
}
