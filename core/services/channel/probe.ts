import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelTarget } from '../../providers/adapter.ts';
import { channelKeyPlace, type RoutedChannel, readChannel, withKey } from '../routing.ts';
import { openSecret } from '../secret.ts';
import type { ChannelFailure } from './state.ts';
import { channelNotFound } from './store.ts';

/** What a test of a channel found out. */
export interface ChannelTest {
  ok: boolean;
  /** False when no connection came about, which may be our own line. */
  reached: boolean;
  model: string;
  ms: number;
  /** What the upstream said, without keys; '' when it succeeded. */
  reason: string;
  error: ChannelFailure | undefined;
}

export interface ChannelReach {
  privateAllowed: boolean;
  proxy?: string | undefined;
}

/** The calls of ours to an upstream, as the services need them; the relay makes them. */
export interface ChannelProbe {
  test(channel: RoutedChannel, model?: string, signal?: CancelSignal): Promise<ChannelTest>;
  models(target: ChannelTarget, reach: ChannelReach): Promise<string[]>;
  balance(target: ChannelTarget, reach: ChannelReach, yuanPerDollar: number): Promise<number>;
}

interface StoredChannelDependencies {
  database: Database;
  secretBox: SecretBox;
}

/**
 * Reads channels as they are stored at this moment: tests never go by what a server has in memory. Of several keys the one that is named,
 * or the first that is on.
 */
export function createStoredChannels({ database, secretBox }: StoredChannelDependencies) {
  return async (id: number, keyId = 0): Promise<{ row: ChannelRow; channel: RoutedChannel }> => {
    const row = await database.channels.findByPk(id, { raw: true });
    if (!row) throw channelNotFound(id);
    const key = row.key_encrypted === '' ? '' : openSecret(secretBox, row.key_encrypted, channelKeyPlace(id));
    return { row, channel: withKey(readChannel(row, key), keyId) };
  };
}

export const reachOf = ({ privateAllowed, setting }: RoutedChannel): ChannelReach => ({
  privateAllowed,
  proxy: setting.proxy,
});
