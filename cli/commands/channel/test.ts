import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { servesOnlyJobs } from '../../../core/providers/registry.ts';
import type { Channel } from '../../../core/schemas/channel.ts';
import type { Context } from '../../context.ts';
import { example, forEach, namesFrom, usage } from '../../flag/selection.ts';
import { openProbe } from '../../probe-access.ts';
import { findAll, listAll } from './switch.ts';

interface Flags {
  all?: boolean;
  model?: string;
}

export function addTest(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('test')
    .description(speak('help.channelTest'))
    .argument('[channels...]', speak('argument.channels'))
    .option('--all', speak('flag.all'))
    .option('--model <name>', speak('flag.model'))
    .action(async (words: string[], flags: Flags, self: Command) => {
      if (flags.all && words.length > 0) throw usage(self, speak('usage.oneOf', { flags: '<channels...>, --all' }));
      const app = await context.app();
      const channels = flags.all
        ? (await listAll(app, {})).filter(({ type }) => !servesOnlyJobs(type))
        : await findAll(app, await namesFrom(context, words, self));
      const probe = openProbe(app);
      await forEach(context, channels, async ({ id, name }: Channel) => {
        const { ok, model, ms, reason } = await probe.test(id, flags.model);
        const details = { id, name, model, seconds: (ms / 1000).toFixed(2), reason };
        if (!ok) throw new AppError('channel.testFailed', details);
        // `time` in seconds, as the console's test returns it.
        return { message: speak('channel.tested', details), data: { id, model, time: ms / 1000 } };
      });
    });
  example(command, context, 'channel test main --model gpt-4o', 'channel test --all');
}
