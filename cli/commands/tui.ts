import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';
import { screenNames } from '../tui/screen-name.ts';

export function define(noun: Command, context: Context): void {
  const { speak } = context;
  example(noun, context, 'tui', 'tui --screen channel');
  noun
    .option('--screen <name>', speak('flag.screen', { names: screenNames.join(', ') }))
    .action(async ({ screen }: { screen?: string }) => {
      const { startTui } = await import('../tui/start.ts');
      await startTui(context, { screen });
    });
}
