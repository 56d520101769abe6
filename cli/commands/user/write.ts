import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { emailUpdateSchema, type User, userCreateSchema, userUpdateSchema } from '../../../core/schemas/user.ts';
import type { Context } from '../../context.ts';
import { notEmpty } from '../../flag/check.ts';
import { addIfMissing, isThere } from '../../flag/if-missing.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { addSecretFlags, readSecret } from '../../input/secret.ts';
import { findUsers, namesOf } from './find.ts';

interface CreateFlags {
  name: string;
  displayName?: string;
  passwordStdin?: boolean;
  dryRun?: boolean;
  ifMissing?: boolean;
}

interface UpdateFlags {
  name?: string;
  displayName?: string;
  /** False for `--no-email`. */
  email?: string | false;
  group?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function addWrite(noun: Command, context: Context): void {
  const { output, speak } = context;
  const create = noun.command('create').description(speak('help.userCreate'));
  example(create, context, 'user create --name alice --password-stdin < password.txt');
  create
    .requiredOption('--name <text>', speak('flag.username'))
    .option('--display-name <text>', speak('flag.displayName'))
    .option('--dry-run', speak('flag.dryRun'));
  addSecretFlags(addIfMissing(create, context), 'password', context, false).action(
    async (flags: CreateFlags, command: Command) => {
      const find = async () => (await context.app()).services.users.find(systemActor, flags.name);
      if (await isThere(context, { ...flags, command, find })) return;
      const password = await passwordFor(context, flags.name, flags.passwordStdin);
      const input = userCreateSchema.parse({ username: flags.name, password, display_name: flags.displayName });
      const { services } = await context.app();
      const work = () => services.users.create(systemActor, input);
      if (flags.dryRun) return rehearse(context, work);
      const user = await work();
      output.record(user, speak('user.created', { id: user.id, name: user.username }));
    },
  );

  const update = noun.command('update').description(speak('help.userUpdate'));
  example(
    update,
    context,
    'user update alice --group vip',
    'user update 7 --name bob --display-name Bob',
    'user update alice --email alice@example.com',
  );
  update
    .argument('<users...>', speak('argument.users'))
    .option('--name <text>', speak('flag.newUsername'), notEmpty(speak))
    .option('--display-name <text>', speak('flag.displayName'))
    .option('--email <address>', speak('flag.newEmail'))
    .option('--no-email', speak('flag.noEmail'))
    .option('--group <name>', speak('flag.newUserGroup'), notEmpty(speak))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes, ...flags }: UpdateFlags, command: Command) => {
      const email = emailOf(flags.email);
      const fields = { username: flags.name, display_name: flags.displayName, group: flags.group, email };
      if (Object.values(fields).every((value) => value === undefined))
        throw usage(command, speak('usage.nothingToChange'));
      const app = await context.app();
      const users = await findUsers(app, await namesFrom(context, words, command));
      if (email !== undefined && !dryRun) await askEmail(context, users, email, yes);
      const work = async ({ id }: { id: number }) => {
        const user = await app.services.users.update(systemActor, userUpdateSchema.parse({ ...fields, id }));
        return { record: user, message: speak('user.updated', { id, name: user.username }) };
      };
      await recordEach(context, users, work, { dryRun });
    });

  const reset = noun.command('reset-password').description(speak('help.userResetPassword'));
  example(reset, context, 'user reset-password root');
  reset.argument('<user>', speak('argument.user'));
  addSecretFlags(reset, 'password', context, false).action(async (name: string, flags: CreateFlags) => {
    const { services } = await context.app();
    const user = await services.users.find(systemActor, name);
    const { password } = userCreateSchema
      .pick({ password: true })
      .parse({ password: await passwordFor(context, user.username, flags.passwordStdin) });
    await services.users.setPassword(systemActor, user.id, password);
    output.done(speak('user.passwordSet', { name: user.username }), { id: user.id });
  });
}

/** Null takes it away. */
function emailOf(given: string | false | undefined): string | null | undefined {
  if (given === undefined) return undefined;
  return given === false ? null : emailUpdateSchema.parse({ email: given }).email;
}

/** Who reads the mail of an account can set its password. */
async function askEmail({ confirm, speak }: Context, users: User[], email: string | null, yes: boolean | undefined) {
  const names = namesOf(users);
  await confirm(email === null ? speak('user.askNoEmail', { names }) : speak('user.askEmail', { names, email }), yes);
}

async function passwordFor(context: Context, name: string, stdin: boolean | undefined): Promise<string> {
  const { input, speak } = context;
  const given = await readSecret(context, { stdin, file: undefined });
  if (given !== undefined) return given;
  const question = speak('user.askPassword', { name });
  if (!input.interactive)
    throw new AppError('cli.answerNeeded', { what: question.replace(/[:：]$/, ''), flag: '--password-stdin' });
  return input.askHidden(question);
}
