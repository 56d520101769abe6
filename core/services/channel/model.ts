import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelTarget } from '../../providers/adapter.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { ModelFetch } from '../../schemas/channel.ts';
import { requireRole } from '../actor.ts';
import { readObject } from '../routing.ts';
import { type ChannelProbe, createStoredChannels, reachOf } from './probe.ts';
import { requireWorking } from './problem.ts';
import { oneKey, otherOrDefault, proxyOf } from './rule.ts';

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
  async function ofInput(actor: Actor, input: ModelFetch): Promise<string[]> {
    requireRole(actor, role.admin);
    const privateAllowed = actor.role >= role.root;
    const proxy = proxyOf(input.setting);
    try {
      if (proxy !== '') checkAddress(proxy.replace(/^socks5:/, 'http:'), privateAllowed);
      return await probe.models(targetOf(input, privateAllowed), { privateAllowed, proxy });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'outbound.refused') throw error;
      const code = isUpstreamFault(error) ? 'channel.modelsUnread' : 'body.channel';
      throw new AppError(code, { reason: error.coded }, { cause: error });
    }
  }

  /** The channel as it would be saved. */
  function targetOf({ setting, ...input }: ModelFetch, privateAllowed: boolean): ChannelTarget {
    const base_url = input.base_url && checkAddress(input.base_url, privateAllowed);
    const setup = { ...input, base_url, other: otherOrDefault(input), key: oneKey(input.type, input.key) };
    requireWorking({ ...setup, setting }, setup.key);
    return { ...setup, id: 0, setting: readObject(setting) };
  }

  return { ofChannel, ofInput };
}

/** Unless it is our own refusal, or a key that nothing can be signed with. */
function isUpstreamFault({ code, cause }: AppError): boolean {
  if (code === 'channel.modelsRefused') return !(cause instanceof UpstreamError && cause.status < 500);
  return code === 'outbound.unreachable' || code === 'provider.badAnswer';
}
