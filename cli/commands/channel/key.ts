import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  type ChannelKey,
  channelKeyAddSchema,
  channelKeyRemoveSchema,
  channelKeyStatusSchema,
} from '../../../core/schemas/channel-key.ts';
import { channelStatus } from '../../../core/schemas/channel-status.ts';
import { keyIn } from '../../../core/services/channel/keys.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example } from '../../flag/selection.ts';
import { formatTime } from '../../flag/value.ts';
import { addSecretFlags, askKey, readSecret } from '../../input/secret.ts';
import type { Column } from '../../output.ts';
import type { Sentence } from '../../text.ts';
import { statusWords } from './filter.ts';

interface Flags {
  dryRun?: boolean;
  yes?: boolean;
  keyStdin?: boolean;
  keyFile?: string;
}

const columns: Column<ChannelKey>[] = [
  { title: 'KEY', value: ({ id }) => `#${id}`, keep: true },
  { title: 'ENDS', value: ({ ends, key_problem }) => (key_problem ? 'unreadable' : ends && `…${ends}`) },
  { title: 'STATUS', value: ({ status }) => statusWords.get(status) ?? status },
  { title: 'SINCE', value: ({ time }) => (time > 0 ? formatTime(time) : '-') },
  { title: 'REASON', value: ({ reason }) => reason },
];

/** The keys of one channel. A key is named by its number; the key itself is never shown. */
export function addKey(noun: Command, context: Context): void {
  const { output, speak } = context;
  const keys = noun.command('key').description(speak('help.channelKey'));

  const list = keys
    .command('list')
    .description(speak('help.keyList'))
    .argument('<channel>', speak('argument.channel'))
    .action(async (name: string) => {
      const app = await context.app();
      const items = await app.services.channels.listKeys(systemActor, await idOf(app, name));
      const shown = items.map((key) => keyIn(output.language, key));
      await output.list({ items: shown, page: 1, page_size: shown.length, total: shown.length }, columns);
    });
  example(list, context, 'channel key list main');

  const add = keys
    .command('add')
    .description(speak('help.keyAdd'))
    .argument('<channel>', speak('argument.channel'))
    .option('--dry-run', speak('flag.dryRun'));
  addSecretFlags(add, 'key', context).action(async (name: string, { keyStdin, keyFile, dryRun }: Flags) => {
    const secret = await readSecret(context, { stdin: keyStdin, file: keyFile });
    const { key } = channelKeyAddSchema.parse({ key: secret ?? (await askKey(context)) });
    await change(context, { name, dryRun, done: 'channel.keysChanged' }, ({ services }, id) =>
      services.channels.addKeys(systemActor, id, key),
    );
  });
  example(add, context, 'channel key add main --key-file keys.txt');

  for (const verb of ['enable', 'disable'] as const) {
    const status = verb === 'enable' ? channelStatus.enabled : channelStatus.disabled;
    const command = withNumbers(keys.command(verb), context)
      .description(speak(verb === 'enable' ? 'help.keyEnable' : 'help.keyDisable'))
      .action(async (name: string, numbers: string[], { dryRun }: Flags) => {
        const body = channelKeyStatusSchema.parse({ keys: numbers.map(numberOf), status });
        await change(context, { name, dryRun, done: 'channel.keysChanged' }, ({ services }, id) =>
          services.channels.setKeyStatus(systemActor, id, body.keys, body.status),
        );
      });
    example(command, context, `channel key ${verb} main 2`);
  }

  const remove = withNumbers(keys.command('remove'), context)
    .description(speak('help.keyRemove'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (name: string, numbers: string[], { dryRun, yes }: Flags) => {
      const body = channelKeyRemoveSchema.parse({ keys: numbers.map(numberOf) });
      if (!dryRun) await context.confirm(speak('channel.askRemoveKeys', { count: body.keys.length, name }), yes);
      await change(context, { name, dryRun, done: 'channel.keysChanged' }, ({ services }, id) =>
        services.channels.removeKeys(systemActor, id, body.keys),
      );
    });
  example(remove, context, 'channel key remove main 2 3 --yes');
}

function withNumbers(command: Command, { speak }: Context): Command {
  return command
    .argument('<channel>', speak('argument.channel'))
    .argument('<numbers...>', speak('argument.keyNumbers'))
    .option('--dry-run', speak('flag.dryRun'));
}

/** `2` and `#2` are the same key. */
const numberOf = (word: string): number => Number(word.replace(/^#/, ''));

const idOf = async ({ services }: App, name: string): Promise<number> =>
  (await services.channels.find(systemActor, name)).id;

async function change(
  context: Context,
  { name, dryRun, done }: { name: string; dryRun: boolean | undefined; done: Sentence },
  work: (app: App, id: number) => Promise<ChannelKey[]>,
): Promise<void> {
  const { output, speak } = context;
  const run = async (app: App) => work(app, await idOf(app, name));
  if (dryRun) return rehearse(context, run);
  const keys = await run(await context.app());
  const on = keys.filter(({ status }) => status === channelStatus.enabled).length;
  output.done(speak(done, { name, on, total: keys.length }), { keys });
}
