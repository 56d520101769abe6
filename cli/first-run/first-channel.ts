import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { parseRecord } from '../../core/lib/json-value.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import {
  type Channel,
  type ChannelCreate,
  channelCreateSchema,
  channelListSchema,
} from '../../core/schemas/channel.ts';
import { coded } from '../../core/text/coded.ts';
import { reasonOf } from '../failure.ts';

export interface FirstChannel {
  channel: Channel;
  created: boolean;
}

/** A channel of this name is kept as it is, so that the same set-up may run again and again. */
export async function ensureChannel({ services }: App, input: unknown): Promise<FirstChannel> {
  const wanted = channelCreateSchema.parse(input);
  const { items } = await services.channels.list(
    systemActor,
    channelListSchema.parse({ keyword: wanted.name, page_size: 100 }),
  );
  const known = items.find(({ name }) => name === wanted.name);
  if (known) return { channel: known, created: false };
  const [channel] = await services.channels.create(systemActor, wanted);
  if (!channel) throw new AppError('channel.keyMissing');
  return { channel, created: true };
}

/** What INITIAL_CHANNEL describes, as long as the installation has no channel at all. */
export async function ensureInitialChannel(app: App): Promise<FirstChannel | undefined> {
  const text = app.config.initialChannel;
  if (text === undefined) return undefined;
  const { channels } = app.services;
  const { total } = await channels.list(systemActor, channelListSchema.parse({}));
  if (total > 0) return undefined;
  const wanted = parseInitialChannel(text);
  // Another node that starts at the same moment may be first.
  const [channel] = await channels.create(systemActor, wanted, { onlyAsFirst: true });
  return channel && { channel, created: true };
}

/** Said under the name of the variable; its text may contain the key, so it is not repeated. */
export function parseInitialChannel(text: string): ChannelCreate {
  const given = parseRecord(text);
  const { data, error } = channelCreateSchema.safeParse({ name: 'initial', ...given });
  if (data && given) return data;
  const reason = given && error ? reasonOf(error.issues) : coded('input.notJson');
  throw new AppError('config.invalid', {
    name: 'INITIAL_CHANNEL',
    value: '********',
    allowed: coded('input.initialChannel', { reason }),
  });
}
