import { resolve } from 'node:path';
import { ZodError } from 'zod';
import type { App } from '../../core/app.ts';
import { AppError, type Language } from '../../core/errors/app-error.ts';
import { showsUnicode } from '../../core/lib/locale.ts';
import { typedNames } from '../../core/lib/typed-list.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { Channel } from '../../core/schemas/channel.ts';
import { channelTypeLabel } from '../../core/schemas/channel-type.ts';
import type { ChannelType } from '../../core/schemas/channel-type-description.ts';
import { channelTypes } from '../../core/schemas/channel-type-list.ts';
import { chatModelIn } from '../../core/schemas/chat-model.ts';
import { passwordSchema } from '../../core/schemas/user.ts';
import { refuseGuessable } from '../../core/services/account/password.ts';
import { wordsIn } from '../../core/text/text.ts';
import type { Context } from '../context.ts';
import { readable } from '../failure.ts';
import { createFromConfig } from '../gateway-config.ts';
import { openProbe } from '../probe-access.ts';
import type { Sentence } from '../text.ts';
import { ensureChannel, type FirstChannel } from './first-channel.ts';

interface Target {
  type: number;
  key: string;
  base_url: string;
}

/** Undefined = the default stays. Asked before the root account exists, so nothing is asked a second time. */
export async function askRootPassword(context: Context): Promise<string | undefined> {
  const { config, input, output } = context;
  const settings = await config();
  if (settings.rootPassword !== undefined || (await hasAccounts(settings.database))) return undefined;
  for (;;) {
    const password = await input.askHidden(asked(context, 'init.askRoot'));
    if (password === '') return undefined;
    const reason = refusalOf(password, output.language);
    if (reason === undefined) return password;
    output.say(`  ${reason}`);
  }
}

/** All rules, and here: a password that is refused later ends the questions, and leaves an installation with the default one. */
function refusalOf(password: string, language: Language): string | undefined {
  try {
    refuseGuessable(passwordSchema.parse(password), 'root');
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.text(language);
    if (error instanceof ZodError) return wordsIn(language, error.issues[0]?.message ?? '');
    throw error;
  }
}

async function hasAccounts(database: App['config']['database']): Promise<boolean> {
  if (database.engine === 'postgres') return true;
  const { existsSync } = await import('node:fs');
  return existsSync(database.file);
}

/** An input that has ended answers every question with nothing. */
const maxTries = 5;

/** What a channel cannot be made of is asked for again; the next start would not ask any more. */
export async function askFirstChannel(context: Context, app: App): Promise<FirstChannel | undefined> {
  const { output } = context;
  for (let tries = 1; ; tries++) {
    try {
      return await askChannel(context, app);
    } catch (error) {
      const known = readable(error);
      if (!(known instanceof AppError) || known.code === 'cli.interrupted' || tries === maxTries) throw error;
      output.say(bad(context, known.text(output.language)));
    }
  }
}

async function askChannel(context: Context, app: App): Promise<FirstChannel | undefined> {
  const { input } = context;
  const type = await askType(context);
  if (!type) return undefined;
  if (type === 'file') return channelFromFile(context, app, await input.ask(asked(context, 'init.askFile')));
  const base_url = await input.ask(baseUrlQuestion(context, type));
  const target = { type: type.number, key: await input.askHidden(asked(context, 'init.askKey')), base_url };
  const models = (await readModels(context, app, target)).join(',');
  const made = await ensureChannel(app, { ...target, models, name: type.name });
  tellChannel(context, made);
  return (await keepTested(context, app, made)) ? made : undefined;
}

/** Another gateway's channels instead of one that is asked for. */
export async function channelFromFile(context: Context, app: App, path: string): Promise<FirstChannel | undefined> {
  const [id] = await createFromConfig(context, app, resolve(path.trim()));
  return id === undefined ? undefined : { channel: await app.services.channels.get(systemActor, id), created: true };
}

/** Empty keeps the provider's own address. */
function baseUrlQuestion(context: Context, { defaultBaseUrl }: ChannelType): string {
  return defaultBaseUrl === ''
    ? asked(context, 'init.askBaseUrl')
    : asked(context, 'init.askBaseUrlOrDefault', { url: defaultBaseUrl });
}

async function askType(context: Context): Promise<ChannelType | 'file' | undefined> {
  const { input, speak } = context;
  const types = channelTypes.map((type) => ({
    value: type as ChannelType | 'file' | undefined,
    label: channelTypeLabel(type.number, context.output.language),
    names: [type.name, String(type.number)],
  }));
  const file = { value: 'file' as const, label: speak('init.fromFile'), names: ['file', 'litellm', 'portkey'] };
  const later = { value: undefined, label: speak('init.later'), names: ['later'] };
  const question = asked(context, 'init.askType', { count: types.length });
  return input.choose(question, [...types, file, later], speak('init.noProvider'));
}

/** The provider's own list; where it has none, or does not tell, a person is asked and a script is told which flag. */
export async function readModels(context: Context, app: App, target: Target): Promise<string[]> {
  const { input, output, speak } = context;
  try {
    const models = await openProbe(app).models({ id: 0, other: '', openai_organization: '', setting: {}, ...target });
    output.say(good(context, speak('init.modelsRead', { count: models.length })));
    return models;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!input.interactive)
      throw new AppError('cli.answerNeeded', { what: speak('init.modelsWord'), flag: '--models' }, { cause: error });
    output.say(bad(context, speak('init.modelsUnread', { reason: error.text(output.language) })));
    return typedNames(await input.ask(asked(context, 'init.askModels')));
  }
}

export const chatModelOf = ({ models }: Pick<Channel, 'models'>): string => chatModelIn(models.split(','));

export function tellChannel(context: Context, made: FirstChannel | undefined): void {
  const { output, speak } = context;
  if (!made) {
    output.say(`  ${speak('init.channelLater')}`);
    return;
  }
  const { id, name } = made.channel;
  output.say(good(context, speak(made.created ? 'channel.created' : 'init.channelKept', { id, name })));
}

/** Tests a new channel and reports the result. False when the test failed and the user chose not to keep the channel. */
export async function keepTested(context: Context, app: App, { channel, created }: FirstChannel): Promise<boolean> {
  if (!created || (await isWorking(context, app, channel))) return true;
  const { input, output, speak } = context;
  const { id, name } = channel;
  if (await input.confirm(asked(context, 'init.askKeep', { name }))) {
    output.say(`  ${speak('init.keptFailed', { id, name })}`);
    return true;
  }
  await app.services.channels.remove(systemActor, [id]);
  output.say(`  ${speak('channel.removed', { names: `${id} (${name})` })}`);
  return false;
}

async function isWorking(context: Context, app: App, { id, name, models }: Channel): Promise<boolean> {
  const { output, speak } = context;
  const { ok, model, ms, reason } = await openProbe(app).test(id, chatModelOf({ models }));
  const details = { id, name, model, seconds: (ms / 1000).toFixed(2), reason };
  output.say(ok ? good(context, speak('channel.tested', details)) : bad(context, speak('channel.testFailed', details)));
  return ok;
}

export const asked = ({ host, speak }: Context, question: Sentence, details = {}) =>
  `${showsUnicode(host.env) ? '◆' : '*'} ${speak(question, details)}`;

export const good = ({ host }: Context, sentence: string) => `${showsUnicode(host.env) ? '✓' : '+'} ${sentence}`;

const bad = ({ host }: Context, sentence: string) => `${showsUnicode(host.env) ? '✗' : '!'} ${sentence}`;
