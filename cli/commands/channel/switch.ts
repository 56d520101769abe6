import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Channel, channelListSchema } from '../../../core/schemas/channel.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, usage } from '../../flag/selection.ts';
import type { filterFrom } from './filter.ts';

interface Flags {
  dryRun?: boolean;
  yes?: boolean;
  disabled?: boolean;
  tag?: string;
}

/** Enable, disable and remove: all channels that are named, or none of them. */
export function addSwitch(noun: Command, context: Context): void {
  const { output, speak } = context;

  for (const verb of ['enable', 'disable'] as const) {
    const isOn = verb === 'enable';
    noun
      .command(verb)
      .description(speak(isOn ? 'help.channelEnable' : 'help.channelDisable'))
      .argument('[channels...]', speak('argument.channels'))
      .option('--tag <tag>', speak('flag.allOfTag'))
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], flags: Flags, command: Command) => {
        if (flags.tag !== undefined && words.length > 0)
          throw usage(command, speak('usage.oneOf', { flags: '<channels...>, --tag' }));
        const app = await context.app();
        const channels =
          flags.tag === undefined
            ? await findAll(app, await namesFrom(context, words, command))
            : await findTag(app, flags.tag);
        const details = { names: namesOf(channels) };
        const status = isOn ? channelStatus.enabled : channelStatus.disabled;
        const work = () => app.services.channels.setStatus(systemActor, idsOf(channels), status);
        if (flags.dryRun) return rehearse(context, work);
        await work();
        output.done(speak(isOn ? 'channel.enabled' : 'channel.disabled', details), { ids: idsOf(channels), status });
      });
  }

  const remove = noun
    .command('remove')
    .description(speak('help.channelRemove'))
    .argument('[channels...]', speak('argument.channels'))
    .option('--disabled', speak('flag.removeDisabled'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], flags: Flags, command: Command) => {
      if (flags.disabled && words.length > 0)
        throw usage(command, speak('usage.oneOf', { flags: '<channels...>, --disabled' }));
      const app = await context.app();
      const channels = flags.disabled
        ? await findDisabled(app)
        : await findAll(app, await namesFrom(context, words, command));
      if (channels.length === 0) return output.done(speak('channel.noneDisabled'), { ids: [] });
      const details = { names: namesOf(channels), count: channels.length };
      const work = () => app.services.channels.remove(systemActor, idsOf(channels));
      if (flags.dryRun) return rehearse(context, work);
      await context.confirm(speak('channel.askRemove', details), flags.yes);
      await work();
      output.done(speak('channel.removed', details), { ids: idsOf(channels) });
    });
  example(remove, context, 'channel remove old-key', 'channel remove --disabled --yes');
}

export async function findAll({ services }: App, names: string[]): Promise<Channel[]> {
  const found: Channel[] = [];
  for (const name of names) found.push(await services.channels.find(systemActor, name));
  return found;
}

async function findDisabled(app: App): Promise<Channel[]> {
  const off = [channelStatus.disabled, channelStatus.autoDisabled];
  const lists = await Promise.all(off.map((status) => listAll(app, { status })));
  return lists.flat();
}

async function findTag(app: App, tag: string): Promise<Channel[]> {
  const channels = tag === '' ? [] : await listAll(app, { tag });
  if (channels.length === 0) throw new AppError('channel.tagUnknown', { tag });
  return channels;
}

export async function listAll({ services }: App, filter: Partial<ReturnType<typeof filterFrom>>): Promise<Channel[]> {
  const found: Channel[] = [];
  for (let page = 1; ; page++) {
    const query = channelListSchema.parse({ ...filter, page, page_size: 100, id_sort: true });
    const { items, total } = await services.channels.list(systemActor, query);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

const idsOf = (channels: Channel[]) => channels.map(({ id }) => id);

const namesOf = (channels: Channel[]) => channels.map(({ id, name }) => `${id} (${name})`).join(', ');
