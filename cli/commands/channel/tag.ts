import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { channelBatchTagSchema, channelTagEditSchema } from '../../../core/schemas/channel-tag.ts';
import type { ChannelTag } from '../../../core/services/channel/tag.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, usage } from '../../flag/selection.ts';
import type { Column } from '../../output.ts';
import type { Sentence } from '../../text.ts';
import { findAll } from './switch.ts';

interface Flags {
  dryRun?: boolean;
}

interface UpdateFlags extends Flags {
  newTag?: string;
  models?: string;
  group?: string;
  priority?: string;
  weight?: string;
  modelMapping?: string;
}

const columns: Column<ChannelTag>[] = [
  { title: 'TAG', value: ({ tag }) => tag, keep: true },
  { title: 'CHANNELS', value: ({ channels }) => channels, right: true },
  { title: 'ENABLED', value: ({ enabled }) => enabled, right: true },
];

/** What is done to all channels of a tag at once: all of them or none. */
export function addTag(noun: Command, context: Context): void {
  const { output, speak } = context;
  const tags = noun.command('tag').description(speak('help.channelTag'));

  tags
    .command('list')
    .description(speak('help.tagList'))
    .action(async () => {
      const { services } = await context.app();
      const items = await services.channels.listTags(systemActor);
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, columns);
    });

  for (const verb of ['enable', 'disable'] as const) {
    const status = verb === 'enable' ? channelStatus.enabled : channelStatus.disabled;
    const command = addTagVerb(tags, context, verb, verb === 'enable' ? 'help.tagEnable' : 'help.tagDisable');
    example(command, context, `channel tag ${verb} cheap`).action((tag: string, flags: Flags) =>
      change(context, flags, 'channel.tagSwitched', tag, ({ services }) =>
        services.channels.setTagStatus(systemActor, tag, status),
      ),
    );
  }

  const update = addTagVerb(tags, context, 'update', 'help.tagUpdate')
    .option('--new-tag <tag>', speak('flag.newTag'))
    .option('--models <names>', speak('flag.models'))
    .option('--group <names>', speak('flag.groups'))
    .option('--priority <number>', speak('flag.priority'))
    .option('--weight <number>', speak('flag.weight'))
    .option('--model-mapping <json>', speak('flag.modelMapping'))
    .action((tag: string, { dryRun, ...flags }: UpdateFlags, self: Command) => {
      if (Object.keys(flags).length === 0) throw usage(self, speak('usage.nothingToChange'));
      const { newTag, group, modelMapping, ...fields } = flags;
      const input = { ...fields, tag, new_tag: newTag, groups: group, model_mapping: modelMapping };
      const edit = channelTagEditSchema.parse(input);
      return change(context, { dryRun }, 'channel.tagUpdated', tag, ({ services }) =>
        services.channels.editTag(systemActor, edit),
      );
    });
  example(update, context, 'channel tag update cheap --priority 10', 'channel tag update cheap --new-tag cheapest');

  const set = addTagVerb(tags, context, 'set', 'help.tagSet')
    .argument('<channels...>', speak('argument.channels'))
    .action(async (tag: string, words: string[], flags: Flags, self: Command) => {
      const channels = await findAll(await context.app(), await namesFrom(context, words, self));
      const input = channelBatchTagSchema.parse({ ids: channels.map(({ id }) => id), tag });
      await change(context, flags, 'channel.tagSet', tag, ({ services }) =>
        services.channels.setTagOf(systemActor, input),
      );
    });
  example(set, context, 'channel tag set cheap main backup');

  const dissolve = addTagVerb(tags, context, 'dissolve', 'help.tagDissolve');
  example(dissolve, context, 'channel tag dissolve cheap').action((tag: string, flags: Flags) =>
    change(context, flags, 'channel.tagDissolved', tag, ({ services }) =>
      services.channels.editTag(systemActor, channelTagEditSchema.parse({ tag, new_tag: '' })),
    ),
  );
}

function addTagVerb(tags: Command, { speak }: Context, verb: string, help: Sentence): Command {
  return tags
    .command(verb)
    .description(speak(help))
    .argument('<tag>', speak('flag.tag'))
    .option('--dry-run', speak('flag.dryRun'));
}

async function change(
  context: Context,
  { dryRun }: Flags,
  done: Sentence,
  tag: string,
  work: (app: App) => Promise<number>,
): Promise<void> {
  if (dryRun) return rehearse(context, work);
  const count = await work(await context.app());
  context.output.done(context.speak(done, { tag, count }), { tag, count });
}
