import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { User } from '../../../core/schemas/user.ts';
import type { Context } from '../../context.ts';
import { allOrNone, example, forEach, namesFrom } from '../../flag/selection.ts';
import type { Sentence } from '../../text.ts';
import { findKnownUsers, findUsers, namesOf } from './find.ts';

interface Flags {
  erase?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

const switches = {
  enable: { help: 'help.userEnable', done: 'user.enabled' },
  disable: { help: 'help.userDisable', done: 'user.disabled' },
  promote: { help: 'help.userPromote', done: 'user.promoted' },
  demote: { help: 'help.userDemote', done: 'user.demoted' },
} as const satisfies Record<string, { help: Sentence; done: Sentence }>;

/** What is done to accounts as they are; who may have what done to them is the service's to say. */
export function addSwitch(noun: Command, context: Context): void {
  const { speak } = context;
  for (const [name, { help, done }] of Object.entries(switches)) {
    const action = name as keyof typeof switches;
    const command = noun.command(name).description(speak(help));
    example(command, context, `user ${name} alice`);
    command
      .argument('<users...>', speak('argument.users'))
      .option('--dry-run', speak('flag.dryRun'))
      .action(async (words: string[], { dryRun }: Flags, self: Command) => {
        const app = await context.app();
        const users = await findUsers(app, await namesFrom(context, words, self));
        const ids = users.map(({ id }) => id);
        const after = new Map<number, User>();
        const work = async () => {
          await app.services.users.manageMany(systemActor, { ids, action });
          for (const id of ids) after.set(id, await app.services.users.get(systemActor, id));
        };
        const tell = (user: User) => {
          const { id, username, status, role } = after.get(user.id) ?? user;
          return { message: speak(done, { name: username }), data: { id, status, role } };
        };
        await allOrNone(context, users, work, tell, { dryRun });
      });
  }
  addRemove(noun, context);

  const oneStep = noun.command('disable-2fa').description(speak('help.userDisableTwoFactor'));
  example(oneStep, context, 'user disable-2fa alice');
  oneStep.argument('<user>', speak('argument.user')).action(async (name: string) => {
    const { services } = await context.app();
    const user = await services.users.find(systemActor, name);
    await services.twoFactors.remove(systemActor, user.id);
    context.output.done(speak('user.twoFactorOff', { name: user.username }), { id: user.id });
  });
}

function addRemove(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun.command('remove').description(speak('help.userRemove'));
  example(command, context, 'user remove alice bob', 'user remove alice --erase --yes');
  command
    .argument('<users...>', speak('argument.users'))
    .option('--erase', speak('flag.erase'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { erase, dryRun, yes }: Flags, self: Command) => {
      const app = await context.app();
      const { users } = app.services;
      const names = await namesFrom(context, words, self);
      const found = erase ? await findKnownUsers(app, names) : await findUsers(app, names);
      const details = { names: namesOf(found), count: found.length };
      if (!dryRun) await context.confirm(speak(erase ? 'user.askErase' : 'user.askRemove', details), yes);
      const tell = ({ id, username }: User) => ({
        message: speak(erase ? 'user.erased' : 'user.removed', { name: username }),
        data: { id },
      });
      if (!erase) {
        const together = () => users.manageMany(systemActor, { ids: found.map(({ id }) => id), action: 'delete' });
        return allOrNone(context, found, together, tell, { dryRun });
      }
      const work = async (user: User) => {
        await users.erase(systemActor, user.id);
        return tell(user);
      };
      await forEach(context, found, work, { dryRun });
    });
}
