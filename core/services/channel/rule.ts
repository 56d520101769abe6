import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';

/** Where a key is sent. */
export type KeyDestination = Pick<ChannelRow, 'type' | 'base_url' | 'setting'>;

/** What is used when the operator leaves `other` empty: API version, model version. */
export function otherOrDefault({ type, other }: Pick<ChannelRow, 'type' | 'other'>): string {
  return other || (channelTypeOf(type)?.other?.default ?? '');
}

/** One key per line; a service account is one key however many lines it has. */
export function splitKeys(type: number, text: string): string[] {
  if (channelTypeOf(type)?.isKeyDocument) return [oneKey(type, text)];
  const keys = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (keys.length === 0) throw new AppError('channel.keyMissing');
  if (keys.length > 1000) throw new AppError('channel.keyTooMany');
  return keys.map((key) => oneKey(type, key));
}

/** A key goes into a header, so a line break in it would inject a header. */
export function oneKey(type: number, text: string): string {
  const key = text.trim();
  if (channelTypeOf(type)?.isKeyDocument && !isExpressKey(key)) {
    const account = parseRecord(key);
    if (!account) throw new AppError('channel.keyNotAccount');
    return JSON.stringify(account);
  }
  if (/\p{Cc}/u.test(key)) throw new AppError('channel.keyControl');
  return key;
}

/** Vertex AI in express mode is called with an API key of Google's. */
function isExpressKey(key: string): boolean {
  return /^(AIza|AQ\.)[\w.-]+$/.test(key);
}

export function isMoved(before: KeyDestination, after: KeyDestination): boolean {
  return (
    before.type !== after.type ||
    originOf(before.base_url) !== originOf(after.base_url) ||
    proxyOf(before.setting) !== proxyOf(after.setting)
  );
}

/** What was learned of the one need not hold for the other; `other` is a version or an account. */
export function isOtherUpstream(before: Upstream, after: Upstream): boolean {
  return before.type !== after.type || before.base_url !== after.base_url || before.other !== after.other;
}

type Upstream = Pick<ChannelRow, 'type' | 'base_url' | 'other'>;

/** A stored key is not sent to a new place for a user who may not know it. */
export function requireKeyForMove(actor: Actor, isConfirmed: boolean): void {
  if (!(isConfirmed && actor.role >= role.root)) throw new AppError('channel.keyNeeded');
}

export function proxyOf(setting: string): string {
  const proxy = setting === '' ? undefined : parseRecord(setting)?.proxy;
  return typeof proxy === 'string' ? proxy.trim() : '';
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
