import type { Command } from 'commander';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Group, groupSetSchema } from '../../core/schemas/group.ts';
import type { Context } from '../context.ts';
import { rehearse } from '../flag/rehearsal.ts';
import { example, forEach, namesFrom } from '../flag/selection.ts';
import type { Column } from '../output.ts';

interface SetFlags {
  ratio?: string;
  usable?: 'on' | 'off';
  description?: string;
  topupRatio?: string;
  dryRun?: boolean;
}

interface RemoveFlags {
  dryRun?: boolean;
  yes?: boolean;
}

const columns: Column<Group>[] = [
  { title: 'NAME', value: ({ name }) => name, keep: true },
  {
    title: 'RATIO',
    value: ({ ratio }) => ratio ?? '-',
    right: true,
    color: ({ ratio }) => (ratio === null ? 'red' : undefined),
  },
  { title: 'USABLE', value: ({ usable }) => (usable ? 'yes' : 'no'), whole: true },
  { title: 'USERS', value: ({ users }) => users, right: true },
  { title: 'TOKENS', value: ({ tokens }) => tokens, right: true },
  { title: 'CHANNELS', value: ({ channels }) => channels, right: true },
  { title: 'TOPUP', extra: true, value: ({ topup_ratio }) => topup_ratio ?? '-', right: true },
  { title: 'DESCRIPTION', extra: true, value: ({ description }) => description },
];

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  noun
    .command('list')
    .description(speak('help.groupList'))
    .action(async () => {
      const { services } = await context.app();
      const items = await services.groupSettings.list(systemActor);
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, columns);
    });

  const set = noun.command('set').description(speak('help.groupSet'));
  example(
    set,
    context,
    'group set vip --ratio 0.8 --usable on --description "for customers"',
    'group set trial --ratio 0',
  );
  set
    .argument('<name>', speak('argument.group'))
    .option('--ratio <factor>', speak('flag.groupRatio'))
    .addOption(set.createOption('--usable <on|off>', speak('flag.usable')).choices(['on', 'off']))
    .option('--description <text>', speak('flag.groupDescription'))
    .option('--topup-ratio <factor>', speak('flag.topUpRatio'))
    .option('--dry-run', speak('flag.dryRun'))
    .action(async (name: string, { ratio, usable, description, topupRatio, dryRun }: SetFlags) => {
      const input = groupSetSchema.parse({
        name,
        ratio,
        description,
        topup_ratio: topupRatio,
        usable: usable && usable === 'on',
      });
      const work = async () => (await context.app()).services.groupSettings.set(systemActor, input);
      if (dryRun) return rehearse(context, work);
      const { group, changed } = await work();
      output.record(
        group,
        speak(changed.length > 0 ? 'group.set' : 'group.unchanged', { name, ratio: group.ratio ?? '-' }),
      );
    });

  const remove = noun.command('remove').description(speak('help.groupRemove'));
  example(remove, context, 'group remove trial');
  remove
    .argument('<names...>', speak('argument.group'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes }: RemoveFlags, self: Command) => {
      const { services } = await context.app();
      const groups: Group[] = [];
      for (const name of await namesFrom(context, words, self))
        groups.push(await services.groupSettings.get(systemActor, name));
      const work = async ({ name }: Group) => {
        await services.groupSettings.remove(systemActor, name, { evenInUse: true });
        return { message: speak('group.removed', { name }), data: { name } };
      };
      if (!dryRun) await context.confirm(groups.map((group) => question(context, group)).join('\n'), yes);
      await forEach(context, groups, work, { dryRun });
    });
}

/** What stops working is counted before it stops. */
function question({ speak }: Context, { name, users, tokens, channels }: Group): string {
  const isUsed = users + tokens + channels > 0;
  return isUsed ? speak('group.askRemoveUsed', { name, users, tokens, channels }) : speak('group.askRemove', { name });
}
