import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { ModelFetch } from '../schemas/channel.ts';
import { requireRole } from './actor.ts';
import { type ChannelProbe, createStoredChannels, reachOf } from './channel-probe.ts';
import { oneKey, otherOrDefault, proxyOf } from './channel-rule.ts';
import { readObject } from './routing.ts';

interface ChannelModelDependencies {
  database: Database;
  secretBox: SecretBox;
  probe: Pick<ChannelProbe, 'models'>;
  checkAddress(address: string, privateAllowed: boolean): string;
}

export type ChannelModelService = ReturnType<typeof createChannelModelService>;

/** The models an upstream says it serves. */
export function createChannelModelService({ probe, checkAddress, ...dependencies }: ChannelModelDependencies) {
  const stored = createStoredChannels(dependencies);

  /** With the stored key, at the stored address. */
  async function ofChannel(actor: Actor, id: number): Promise<string[]> {
    requireRole(actor, role.admin);
    const { channel } = await stored(id);
    return probe.models(channel, reachOf(channel));
  }

  /** Before a channel is saved: with a key and an address of the caller's own, who reaches no further than when saving them. */
  async function ofInput(actor: Actor, { key, base_url, setting, ...input }: ModelFetch): Promise<string[]> {
    requireRole(actor, role.admin);
    const privateAllowed = actor.role >= role.root;
    const proxy = proxyOf(setting);
    if (proxy !== '') checkAddress(proxy.replace(/^socks5:/, 'http:'), privateAllowed);
    const target = {
      ...{ ...input, id: 0, key: oneKey(input.type, key), setting: readObject(setting) },
      base_url: base_url && checkAddress(base_url, privateAllowed),
      other: otherOrDefault(input),
    };
    try {
      return await probe.models(target, { privateAllowed, proxy });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError('channel.modelsUnread', { reason: error.message }, { cause: error });
    }
  }

  return { ofChannel, ofInput };
}
