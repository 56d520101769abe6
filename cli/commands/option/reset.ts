import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, usage } from '../../flag/selection.ts';
import { sayCleared, shown, shownValue } from './change.ts';

interface Flags {
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export function addReset(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('reset').description(speak('help.optionReset'));
  example(command, context, 'option reset RetryTimes', 'option reset --all --dry-run');
  command
    .argument('[keys...]', speak('argument.optionKeys'))
    .option('--all', speak('flag.resetAll'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { all, dryRun, yes }: Flags, self: Command) => {
      if (all && words.length > 0) throw usage(self, speak('usage.oneOf', { flags: '<keys...>, --all' }));
      const app = await context.app({}, { mayMissSecrets: true });
      const { options } = app.services;
      const keys = all ? setKeys(app) : await namesFrom(context, words, self);
      for (const key of keys) options.getOne(systemActor, key);
      const work = () => options.resetMany(systemActor, keys);
      if (dryRun) return rehearse(context, work);
      if (all && keys.length === 0) return output.done(speak('option.allDefault'), { keys });
      const question = speak('option.askReset', { keys: keys.join(', ') });
      await (all ? context.confirmWord(question, 'reset', yes) : context.confirm(question, yes));
      const change = await work();
      for (const item of change.items)
        output.record(item, speak('option.reset', { key: item.key, value: shown(shownValue(item)) }));
      sayCleared(output, change);
    });
}

const setKeys = ({ services }: App) =>
  services.options
    .list(systemActor)
    .filter(({ has }) => has)
    .map(({ key }) => key);
