import type { Command } from 'commander';
import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { Channel } from '../../core/schemas/channel.ts';
import { findChannelType } from '../../core/schemas/channel-type.ts';
import { tokenCreateSchema, tokenListSchema } from '../../core/schemas/token.ts';
import { passwordSchema } from '../../core/schemas/user.ts';
import { coded, issueAt } from '../../core/text/coded.ts';
import { version } from '../../core/version.ts';
import type { Context } from '../context.ts';
import { findRoot } from '../find-root.ts';
import { exampleCall } from '../first-run/example-call.ts';
import { ensureChannel, ensureInitialChannel, type FirstChannel } from '../first-run/first-channel.ts';
import {
  asked,
  askFirstChannel,
  askRootPassword,
  channelFromFile,
  good,
  keepTested,
  readModels,
  tellChannel,
} from '../first-run/first-question.ts';
import { example, usage } from '../flag/selection.ts';
import { addSecretFlags, readSecret } from '../input/secret.ts';
import { serverAddress } from '../serve/address.ts';
import type { Sentence } from '../text.ts';

interface Flags {
  type?: string;
  baseUrl?: string;
  keyStdin?: boolean;
  keyFile?: string;
  passwordStdin?: boolean;
  models?: string;
  name?: string;
  group?: string;
  from?: string;
}

interface FirstToken {
  id: number;
  name: string;
  /** Whole when it was made now, else masked. */
  key: string;
  created: boolean;
}

const tokenName = 'default';

export function define(noun: Command, context: Context): void {
  const { speak } = context;
  example(
    noun,
    context,
    'init --type openai --key-stdin --models gpt-4o-mini < key.txt',
    'init --no-input --password-stdin < root-password.txt',
  );
  noun
    .option('--type <type>', speak('flag.type'))
    .option('--base-url <url>', speak('flag.baseUrl'))
    .option('--models <names>', speak('flag.models'))
    .option('--name <text>', speak('flag.name'))
    .option('--group <names>', speak('flag.withDefault', { text: speak('flag.group'), value: 'default' }))
    .option('--from <file>', speak('flag.initFrom'));
  addSecretFlags(noun, 'key', context)
    .option('--password-stdin', speak('flag.rootPassword'))
    .action((flags: Flags, command: Command) => {
      const { type, passwordStdin, from, ...channel } = flags;
      if (from !== undefined && type !== undefined)
        throw usage(command, speak('usage.oneOf', { flags: '--from, --type' }));
      if (type === undefined && Object.keys(channel).length > 0) throw usage(command, speak('init.typeNeeded'));
      if (passwordStdin && flags.keyStdin) {
        throw usage(command, speak('usage.oneOf', { flags: '--key-stdin, --password-stdin' }));
      }
      return setUp(context, flags);
    });
}

/** The same with questions, for a user who typed only the name of the program. */
export async function quickStart(context: Context): Promise<void> {
  const { input, output, speak } = context;
  const config = await context.config();
  output.say(`  ${speak('init.welcome', { version, directory: config.dataDirectory })}`);
  const outcome = await makeAll(context, {});
  const willServe = await input.confirm(asked(context, 'init.askServe'), 'yes');
  await report(context, outcome, willServe);
  if (!willServe) return;
  // The server opens the installation for itself, with a log.
  await context.close();
  const { serveHere } = await import('../serve/here.ts');
  await serveHere(context, config);
}

async function setUp(context: Context, flags: Flags): Promise<void> {
  await report(context, await makeAll(context, flags), false);
}

async function makeAll(context: Context, flags: Flags): Promise<Outcome> {
  const { input } = context;
  const rootPassword = flags.passwordStdin
    ? passwordSchema.parse(await input.readAll())
    : input.interactive
      ? await askRootPassword(context)
      : undefined;
  const app = await context.app(rootPassword === undefined ? {} : { rootPassword }, { mayMigrate: true });
  const root = await findRoot(app);
  const first = await firstChannel(context, app, flags);
  const token = await ensureToken(app, root.id);
  const sentence = token.created ? 'init.tokenCreated' : 'init.tokenKept';
  context.output.say(good(context, context.speak(sentence, { name: token.name, key: token.key })));
  return { app, root, first, token };
}

async function firstChannel(context: Context, app: App, flags: Flags): Promise<FirstChannel | undefined> {
  const { input } = context;
  if (flags.from !== undefined) return channelFromFile(context, app, flags.from);
  if (flags.type === undefined) {
    const initial = await ensureInitialChannel(app);
    const asked = !initial && input.interactive ? await askFirstChannel(context, app) : undefined;
    if (!asked) tellChannel(context, initial);
    return initial ?? asked;
  }
  const type = findChannelType(flags.type);
  if (!type)
    throw new AppError('input.invalid', {
      reason: issueAt(`--type ${flags.type.slice(0, 40)}`, coded('input.noSuchType')),
    });
  const key =
    (await readSecret(context, { stdin: flags.keyStdin, file: flags.keyFile })) ??
    (input.interactive ? await input.askHidden(context.speak('init.askKey')) : undefined);
  if (!key) throw new AppError('cli.answerNeeded', { what: context.speak('init.keyWord'), flag: '--key-stdin' });
  const target = { type: type.number, key, base_url: flags.baseUrl ?? '' };
  const models = flags.models ?? (await readModels(context, app, target)).join(',');
  const made = await ensureChannel(app, { ...target, models, name: flags.name ?? type.name, group: flags.group });
  tellChannel(context, made);
  return !input.interactive || (await keepTested(context, app, made)) ? made : undefined;
}

/** The token an API client can start with; it has no limit of its own, the balance of root is the limit. */
async function ensureToken({ services }: App, userId: number): Promise<FirstToken> {
  const search = tokenListSchema.parse({ keyword: tokenName, page_size: 100 });
  const { items } = await services.tokens.list(systemActor, search, { userId });
  const known = items.find(({ name }) => name === tokenName);
  if (known) return { id: known.id, name: known.name, key: `sk-${known.key}`, created: false };
  const wanted = tokenCreateSchema.parse({ name: tokenName, unlimited_quota: true });
  const { id, name, key } = await services.tokens.create(systemActor, wanted, { userId });
  return { id, name, key: `sk-${key}`, created: true };
}

interface Outcome {
  app: App;
  root: { id: number; username: string };
  first: FirstChannel | undefined;
  token: FirstToken;
}

/** A server that starts now says itself where it is. */
async function report(context: Context, { app, root, first, token }: Outcome, willServe: boolean): Promise<void> {
  const { output, speak } = context;
  const { dataDirectory } = app.config;
  const isDefault = await app.services.rootAccount.hasDefaultPassword();
  if (output.json) {
    return output.details({
      root: { id: root.id, username: root.username, default_password: isDefault },
      channel: first ? firstFields(first.channel) : null,
      token: { id: token.id, name: token.name, key: token.key },
      data_directory: dataDirectory,
    });
  }
  const address = serverAddress(app.config);
  const say = (sentence: Sentence, details = {}) => output.say(`  ${speak(sentence, details)}`);
  if (!willServe) {
    if (isDefault) say('serve.defaultPassword');
    say('init.data', { directory: dataDirectory });
    say('init.serve');
    say('serve.console', { url: address });
    say('serve.api', { url: `${address}/v1` });
  }
  if (first)
    say('init.tryIt', {
      command: exampleCall(`${address}/v1`, first.channel.models.split(','), token.created ? token.key : 'sk-…'),
    });
  // The key alone goes to standard output, so that a script can keep it.
  if (token.created)
    output.text(output.terminal ? `  ${speak('init.tokenKey', { key: token.key })}\n` : `${token.key}\n`);
}

const firstFields = ({ id, name, type, models }: Channel) => ({ id, name, type, models });
