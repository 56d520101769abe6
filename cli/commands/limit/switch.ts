import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Limit } from '../../../core/schemas/limit.ts';
import type { Context } from '../../context.ts';
import { example, forEach, namesFrom } from '../../flag/selection.ts';
import { limitRule, limitSubject } from '../../print/limit.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findLimits } from './read.ts';

interface Flags {
  dryRun?: boolean;
  yes?: boolean;
}

export function addSwitch(noun: Command, context: Context): void {
  const { speak } = context;
  for (const verb of ['enable', 'disable'] as const) {
    const enabled = verb === 'enable';
    const command = noun.command(verb).description(speak(enabled ? 'help.limitEnable' : 'help.limitDisable'));
    example(command, context, `limit ${verb} 3`, `limit ${verb} 3 4`);
    command
      .argument('<ids...>', speak('argument.limits'))
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], { dryRun }: Flags, self: Command) => {
        const { limits } = (await context.app()).services;
        const found = await findLimits(context, await namesFrom(context, words, self));
        const work = async ({ id }: Limit) => {
          await limits.update(systemActor, { id, enabled });
          return { message: speak(enabled ? 'limit.enabled' : 'limit.disabled', { id }), data: { id, enabled } };
        };
        await forEach(context, found, work, { dryRun });
      });
  }

  const remove = noun.command('remove').description(speak('help.limitRemove'));
  example(remove, context, 'limit remove 3', 'limit remove 3 4 --yes');
  remove
    .argument('<ids...>', speak('argument.limits'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes }: Flags, self: Command) => {
      const { limits, options } = (await context.app()).services;
      const found = await findLimits(context, await namesFrom(context, words, self));
      const format = quotaFormat(options);
      const names = found.map((limit) => `${limit.id} (${limitSubject(limit)}: ${limitRule(limit, format, speak)})`);
      if (!dryRun) {
        await context.confirm(speak('limit.askRemove', { names: names.join(', '), count: found.length }), yes);
      }
      const work = async ({ id }: Limit) => {
        await limits.remove(systemActor, id);
        return { message: speak('limit.removed', { id }), data: { id } };
      };
      await forEach(context, found, work, { dryRun });
    });
}
