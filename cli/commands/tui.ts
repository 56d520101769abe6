import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { example } from '../selection.ts';

export function define(noun: Command, context: Context): void {
  const { speak } = context;
  example(noun, context, 'tui', 'tui --screen channel');
  noun
    .option('--screen <name>', speak('flag.screen', { names: 'overview, channel, option' }))
    .action(async ({ screen }: { screen?: string }) => {
      const { startTui } = await import('../tui/start.ts');
      await startTui(context, { screen });
    });
}
