import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addCheck } from './config/check.ts';
import { settingsOf } from './config/setting.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  noun
    .command('show')
    .description(speak('help.configShow'))
    .action(async () => {
      const items = settingsOf(await context.config());
      await output.list({ items, page: 1, page_size: items.length, total: items.length }, [
        { title: 'NAME', value: ({ name }) => name, keep: true },
        { title: 'VALUE', value: ({ value }) => value },
        {
          title: 'SOURCE',
          value: ({ source }) => source,
          color: ({ source }) => (source === 'default' ? 'dim' : undefined),
        },
      ]);
    });
  addCheck(noun, context);
}
