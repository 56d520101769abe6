import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { tokenStatus } from '../../core/schemas/token.ts';
import type { Context } from '../context.ts';
import { forEach, namesFrom } from '../selection.ts';
import { addCreate } from './token/create.ts';
import { findTokens, namesOf } from './token/find.ts';
import { addList } from './token/list.ts';

interface Flags {
  user?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  addList(noun, context);
  addCreate(noun, context);

  for (const verb of ['enable', 'disable'] as const) {
    const isOn = verb === 'enable';
    addSelection(noun.command(verb).description(speak(isOn ? 'help.tokenEnable' : 'help.tokenDisable')), context)
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], flags: Flags, command: Command) => {
        const app = await context.app();
        const tokens = await findTokens(app, await namesFrom(context, words, command), flags.user);
        if (flags.dryRun) {
          return output.done(speak(isOn ? 'token.wouldEnable' : 'token.wouldDisable', { names: namesOf(tokens) }));
        }
        const status = isOn ? tokenStatus.enabled : tokenStatus.disabled;
        await forEach(context, tokens, async ({ id, name }) => {
          await app.services.tokens.setStatus(systemActor, { id, status });
          return {
            message: speak(isOn ? 'token.enabled' : 'token.disabled', { name: `${id} (${name})` }),
            data: { id, status },
          };
        });
      });
  }

  addSelection(noun.command('remove').description(speak('help.tokenRemove')), context)
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], flags: Flags, command: Command) => {
      const app = await context.app();
      const tokens = await findTokens(app, await namesFrom(context, words, command), flags.user);
      const details = { names: namesOf(tokens), count: tokens.length };
      if (flags.dryRun) return output.done(speak('token.wouldRemove', details));
      await context.confirm(speak('token.askRemove', details), flags.yes);
      await forEach(context, tokens, async ({ id, name }) => {
        await app.services.tokens.remove(systemActor, id);
        return { message: speak('token.removed', { name: `${id} (${name})` }), data: { id } };
      });
    });

  noun
    .command('show-key')
    .description(speak('help.tokenShowKey'))
    .argument('<token>', speak('argument.tokens'))
    .option('--user <user>', speak('flag.user'))
    .action(async (word: string, flags: Flags) => {
      const app = await context.app();
      const [token] = await findTokens(app, [word], flags.user);
      if (!token) throw new AppError('object.notFound', { what: 'token', id: word, noun: 'token' });
      const key = `sk-${await app.services.tokens.reveal(systemActor, token.id)}`;
      output.record({ id: token.id, name: token.name, key }, key);
    });
}

function addSelection(command: Command, { speak }: Context): Command {
  return command.argument('<tokens...>', speak('argument.tokens')).option('--user <user>', speak('flag.user'));
}
