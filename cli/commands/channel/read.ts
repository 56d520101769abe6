import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Channel, channelListSchema, channelStatus } from '../../../core/schemas/channel.ts';
import { channelTypeOf, findChannelType } from '../../../core/schemas/channel-type.ts';
import type { Context } from '../../context.ts';
import { formatTime } from '../../flag-value.ts';
import type { Column } from '../../output.ts';
import { example, namesFrom } from '../../selection.ts';

interface ListFlags {
  keyword?: string;
  type?: string;
  status?: string;
  group?: string;
  model?: string;
  tag?: string;
  idSort?: boolean;
  page?: string;
  pageSize?: string;
}

const statusWords = new Map<number, string>([
  [channelStatus.enabled, 'enabled'],
  [channelStatus.disabled, 'disabled'],
  [channelStatus.autoDisabled, 'auto-disabled'],
]);

const columns: Column<Channel>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'NAME', value: ({ name }) => name, keep: true },
  { title: 'TYPE', value: ({ type }) => channelTypeOf(type)?.name ?? type },
  { title: 'STATUS', whole: true, value: ({ status }) => statusWords.get(status) ?? status, colour: statusColour },
  { title: 'GROUP', value: ({ group }) => group },
  { title: 'MODELS', value: ({ models }) => models },
  { title: 'PRIORITY', extra: true, value: ({ priority }) => priority, right: true },
  { title: 'WEIGHT', extra: true, value: ({ weight }) => weight, right: true },
  {
    title: 'LATENCY',
    value: ({ response_time }) => (response_time > 0 ? `${(response_time / 1000).toFixed(2)}s` : '-'),
    right: true,
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
  const list = noun
    .command('list')
    .description(speak('help.channelList'))
    .option('--keyword <text>', speak('flag.keyword'))
    .option('--type <type>', speak('flag.type'))
    .option('--status <status>', speak('flag.status'))
    .option('--group <name>', speak('flag.group'))
    .option('--model <name>', speak('flag.model'))
    .option('--tag <tag>', speak('flag.tag'))
    .option('--id-sort', speak('flag.idSort'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'))
    .action(async (flags: ListFlags) => {
      const { services } = await context.app();
      await output.list(await services.channels.list(systemActor, listInput(flags)), columns);
    });
  example(list, context, 'channel list --status auto-disabled --group vip', 'channel list --json --fields id,name');

  noun
    .command('get')
    .description(speak('help.channelGet'))
    .argument('<channels...>', speak('argument.channels'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const { services } = await context.app();
      for (const name of await namesFrom(context, words, command)) {
        output.details(await services.channels.find(systemActor, name));
      }
    });
}

function listInput({ type, status, pageSize, idSort, ...rest }: ListFlags) {
  return channelListSchema.parse({
    ...rest,
    page_size: pageSize,
    id_sort: idSort,
    ...(type !== undefined && { type: typeNumber(type) }),
    ...(status !== undefined && { status: statusNumber(status) }),
  });
}

function typeNumber(text: string): number {
  const type = findChannelType(text);
  if (!type) throw new AppError('input.invalid', { reason: `type "${text.slice(0, 40)}": no such channel type` });
  return type.number;
}

function statusNumber(text: string): number {
  for (const [number, word] of statusWords) if (text === word || text === String(number)) return number;
  throw new AppError('input.invalid', {
    reason: `status "${text.slice(0, 40)}": ${[...statusWords.values()].join(', ')}`,
  });
}

function statusColour({ status }: Channel) {
  if (status === channelStatus.enabled) return 'green';
  return status === channelStatus.autoDisabled ? 'red' : 'dim';
}
