import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Channel, channelListSchema, channelSortFields, channelStatus } from '../../../core/schemas/channel.ts';
import { channelTypeOf } from '../../../core/schemas/channel-type.ts';
import { channelIn } from '../../../core/services/channel/view.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom } from '../../flag/selection.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { watchList } from '../../print/watch.ts';
import { addFilterFlags, type FilterFlags, filterFrom, statusWords } from './filter.ts';

interface ListFlags extends FilterFlags {
  idSort?: boolean;
  sort?: string;
  watch?: boolean;
  page?: string;
  pageSize?: string;
}

const columns: Column<Channel>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'NAME', value: ({ name }) => name, keep: true },
  { title: 'TYPE', value: ({ type }) => channelTypeOf(type)?.name ?? type },
  { title: 'STATUS', whole: true, value: statusOf, color: statusColor },
  { title: 'GROUP', value: ({ group }) => group },
  { title: 'MODELS', value: ({ models }) => models },
  { title: 'PRIORITY', extra: true, value: ({ priority }) => priority, right: true },
  { title: 'WEIGHT', extra: true, value: ({ weight }) => weight, right: true },
  {
    title: 'LATENCY',
    value: latencyOf,
    right: true,
    color: ({ response_time, test_time }) => (response_time === 0 && test_time > 0 ? 'red' : undefined),
  },
  {
    title: 'TESTED',
    whole: true,
    extra: true,
    value: ({ test_time }) => (test_time > 0 ? formatTime(test_time) : '-'),
  },
];

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
      const { services } = await context.app();
      const read = async () => {
        const found = await services.channels.list(systemActor, input);
        return { ...found, items: found.items.map((channel) => channelIn(output.language, channel)) };
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
      const { services } = await context.app();
      for (const name of await namesFrom(context, words, command)) {
        const channel = await services.channels.find(systemActor, name);
        output.details({ ...channelIn(output.language, channel) });
      }
    });
}

function listInput({ pageSize, page, idSort, sort, ...filter }: ListFlags) {
  return channelListSchema.parse({ ...filterFrom(filter), page, page_size: pageSize, id_sort: idSort, sort });
}

/** One that is on and cannot work would pass for a healthy one. */
const isBroken = ({ status, problem }: Channel) => status === channelStatus.enabled && problem !== '';

function statusOf(channel: Channel) {
  return isBroken(channel) ? 'does not work' : (statusWords.get(channel.status) ?? channel.status);
}

function statusColor(channel: Channel) {
  const { status } = channel;
  if (isBroken(channel)) return 'red';
  if (status === channelStatus.enabled) return 'green';
  return status === channelStatus.autoDisabled ? 'red' : 'dim';
}

function latencyOf({ response_time, test_time }: Channel): string {
  if (response_time > 0) return `${(response_time / 1000).toFixed(2)}s`;
  return test_time > 0 ? 'failed' : '-';
}
