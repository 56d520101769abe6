import type { Command } from 'commander';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Token, tokenStatus } from '../../core/schemas/token.ts';
import { coded } from '../../core/text/coded.ts';
import type { Context } from '../context.ts';
import { allOrNone, example, namesFrom } from '../flag/selection.ts';
import { addSelection, findTokens, namesOf } from './token/find.ts';
import { addRead } from './token/read.ts';
import { addWrite } from './token/write.ts';

interface Flags {
  user?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  addRead(noun, context);
  addWrite(noun, context);
  addSwitch(noun, context);

  const show = noun.command('show-key').description(speak('help.tokenShowKey'));
  example(show, context, 'token show-key ci');
  show
    .argument('<token>', speak('argument.token'))
    .option('--user <user>', speak('flag.tokenOwner'))
    .action(async (word: string, flags: Flags) => {
      const app = await context.app();
      const [token] = await findTokens(app, [word], flags.user);
      if (!token) throw new AppError('object.notFound', { what: coded('noun.token'), id: word, noun: 'token' });
      const key = `sk-${await app.services.tokens.reveal(systemActor, token.id)}`;
      output.record({ id: token.id, name: token.name, key }, key);
    });
}

function addSwitch(noun: Command, context: Context): void {
  const { speak } = context;
  for (const verb of ['enable', 'disable'] as const) {
    const isOn = verb === 'enable';
    const status = isOn ? tokenStatus.enabled : tokenStatus.disabled;
    const command = noun.command(verb).description(speak(isOn ? 'help.tokenEnable' : 'help.tokenDisable'));
    example(command, context, `token ${verb} ci`, `token ${verb} 3 4 5`);
    addSelection(command, context)
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], { user, dryRun }: Flags, self: Command) => {
        const app = await context.app();
        const tokens = await findTokens(app, await namesFrom(context, words, self), user);
        const work = () => app.services.tokens.setStatusMany(systemActor, { ids: idsOf(tokens), status });
        const tell = ({ id, name }: Token) => ({
          message: speak(isOn ? 'token.enabled' : 'token.disabled', { name: `${id} (${name})` }),
          data: { id, status },
        });
        await allOrNone(context, tokens, work, tell, { dryRun });
      });
  }

  const remove = noun.command('remove').description(speak('help.tokenRemove'));
  example(remove, context, 'token remove ci', 'token remove 3 4 5 --yes');
  addSelection(remove, context)
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { user, dryRun, yes }: Flags, command: Command) => {
      const app = await context.app();
      const tokens = await findTokens(app, await namesFrom(context, words, command), user);
      const details = { names: namesOf(tokens), count: tokens.length };
      if (!dryRun) await context.confirm(speak('token.askRemove', details), yes);
      const work = () => app.services.tokens.removeMany(systemActor, idsOf(tokens));
      const tell = ({ id, name }: Token) => ({
        message: speak('token.removed', { name: `${id} (${name})` }),
        data: { id },
      });
      await allOrNone(context, tokens, work, tell, { dryRun });
    });
}

const idsOf = (tokens: Token[]) => tokens.map(({ id }) => id);
