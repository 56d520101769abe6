import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';

export function addGet(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('get').description(speak('help.pricingGet'));
  example(command, context, 'pricing get gpt-4o', 'pricing get gpt-4o --json');
  command.argument('<model>', speak('argument.pricedModel')).action(async (model: string) => {
    const { services } = await context.app();
    output.details(await services.priceSettings.get(systemActor, model));
  });
}
