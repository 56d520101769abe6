import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Channel, channelListSchema, channelSortFields } from '../../../core/schemas/channel.ts';
import { channelTypeOf } from '../../../core/schemas/channel-type.ts';
import { channelIn } from '../../../core/services/channel/view.ts';
import {
  type ChannelState,
  channelReasonOf,
  channelStateOf,
  type SeenChannel,
} from '../../../core/services/overview/channel-state.ts';
import { type Language, wordsIn } from '../../../core/text/text.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom } from '../../flag/selection.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { channelStateColors, seenChannels } from '../../print/seen-channel.ts';
import { watchList } from '../../print/watch.ts';
import { addFilterFlags, type FilterFlags, filterFrom } from './filter.ts';

interface ListFlags extends FilterFlags {
  idSort?: boolean;
  sort?: string;
  watch?: boolean;
  page?: string;
  pageSize?: string;
}

/** As programs read it, too. */
interface ShownChannel extends Channel {
  state: ChannelState;
  /** Why it fails or went off by itself, and since when in unix seconds; '' and 0 for one that does neither. */
  reason: string;
  since: number;
  /** Of the latest failed attempt of the last 24 hours; '' and 0 when none failed. */
  last_error: string;
  last_error_at: number;
}

const columns: Column<ShownChannel>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'NAME', value: ({ name }) => name, keep: true },
  { title: 'TYPE', value: ({ type }) => channelTypeOf(type)?.name ?? type },
  {
    title: 'STATUS',
    whole: true,
    value: ({ state }) => stateWords[state],
    color: ({ state }) => channelStateColors[state],
  },
  { title: 'GROUP', value: ({ group }) => group },
  { title: 'MODELS', value: ({ models }) => models },
  { title: 'PRIORITY', extra: true, value: ({ priority }) => priority, right: true },
  { title: 'WEIGHT', extra: true, value: ({ weight }) => weight, right: true },
  {
    title: 'LATENCY',
    extra: true,
    value: latencyOf,
    right: true,
    color: ({ response_time, test_time }) => (response_time === 0 && test_time > 0 ? 'red' : undefined),
  },
  { title: 'LAST ERROR', value: ({ reason, last_error: error }) => (reason || error).slice(0, maxErrorLength) },
  {
    title: 'TESTED',
    whole: true,
    extra: true,
    value: ({ test_time }) => (test_time > 0 ? formatTime(test_time) : '-'),
  },
  {
    title: 'KEYS',
    extra: true,
    value: ({ key_mode, key_count, key_on_count }) => (key_mode ? `${key_on_count} of ${key_count}` : '1'),
  },
];

/** More would leave no room for other columns; `channel get` shows all of it. */
const maxErrorLength = 60;

const stateWords: Record<ChannelState, string> = {
  working: 'working',
  slow: 'slow',
  failing: 'failing',
  unknown: 'not known',
  'auto-disabled': 'auto-disabled',
  disabled: 'disabled',
};

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.channelList'));
  addFilterFlags(list, context)
    .option('--id-sort', speak('flag.idSort'))
    .option('--sort <field>', speak('flag.sort', { fields: channelSortFields.join(', ') }))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .option('--watch', speak('flag.watch'))
    .action(async ({ watch, ...flags }: ListFlags) => {
      const input = listInput(flags);
      const app = await context.app();
      const read = async () => {
        const found = await app.services.channels.list(systemActor, input);
        const { language } = output;
        if (isPlain(context, found.items))
          return { ...found, items: found.items.map((channel) => channelIn(language, channel)) };
        const seen = await seenChannels(app, found.items);
        return { ...found, items: seen.map((channel) => shownIn(language, channel)) };
      };
      if (watch) return watchList(context, read, columns);
      await output.list(await read(), columns);
    });
  example(
    list,
    context,
    'channel list --status auto-disabled --group vip',
    'channel list --sort -response_time --page-size 50',
    'channel list --json --fields id,name',
  );

  const get = noun.command('get').description(speak('help.channelGet'));
  example(get, context, 'channel get main', 'channel get 3 7 --json');
  get
    .argument('<channels...>', speak('argument.channels'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const app = await context.app();
      for (const name of await namesFrom(context, words, command)) {
        const [channel] = await seenChannels(app, [await app.services.channels.find(systemActor, name)]);
        if (channel) output.details(shownIn(output.language, channel));
      }
    });
}

function listInput({ pageSize, page, idSort, sort, ...filter }: ListFlags) {
  return channelListSchema.parse({ ...filterFrom(filter), page, page_size: pageSize, id_sort: idSort, sort });
}

/** Whether fields were asked for that a channel has by itself: the requests of a day are not looked through then. */
function isPlain({ shared: { fields } }: Context, [channel]: Channel[]): boolean {
  return fields !== undefined && channel !== undefined && fields.every((name) => Object.hasOwn(channel, name));
}

function shownIn(language: Language, { health, ...channel }: SeenChannel): ShownChannel {
  const seen = { ...channel, health };
  const { reason, since } = channelReasonOf(seen);
  return {
    ...channelIn(language, channel),
    state: channelStateOf(seen),
    reason: wordsIn(language, reason),
    since,
    last_error: wordsIn(language, health?.last_error ?? ''),
    last_error_at: health?.last_error_at ?? 0,
  };
}

function latencyOf({ response_time, test_time }: Channel): string {
  // What took less would seem to have taken nothing.
  if (response_time > 0) return `${Math.max(response_time / 1000, 0.01).toFixed(2)}s`;
  return test_time > 0 ? 'failed' : '-';
}
