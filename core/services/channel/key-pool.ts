import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseRecord, textOf } from '../../lib/json-value.ts';
import { type ChannelKeyMode, maxChannelKeys } from '../../schemas/channel-key.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { channelTypeOf } from '../../schemas/channel-type.ts';
import { oneKey } from './rule.ts';

/** The state of one key. The keys themselves are lines of the channel's secret, in the same order. */
export interface PoolKey {
  /** Never given twice in a channel. */
  id: number;
  status: number;
  reason: string;
  /** Unix seconds at which it was switched off. */
  time: number;
}

/** What the column `key_pool` contains for a channel with several keys; it is empty for a channel with one. */
export interface KeyPool {
  mode: ChannelKeyMode;
  /** The highest id that was given. */
  last: number;
  keys: PoolKey[];
}

type PoolRow = Pick<ChannelRow, 'key_pool'>;

export function readPool({ key_pool }: PoolRow): KeyPool | undefined {
  const stored = key_pool === '' ? undefined : parseRecord(key_pool);
  if (!stored) return undefined;
  const keys = (Array.isArray(stored.keys) ? stored.keys : []).map(readKey);
  const last = Math.max(0, Number(stored.last) || 0, ...keys.map(({ id }) => id));
  return { mode: stored.mode === 'polling' ? 'polling' : 'random', last, keys };
}

function readKey(stored: Record<string, unknown>): PoolKey {
  const { id, status = channelStatus.enabled, reason, time } = stored;
  return { id: Number(id), status: Number(status), reason: textOf(reason), time: Number(time) || 0 };
}

export function writePool(pool: KeyPool): string {
  const keys = pool.keys.map(({ id, status, reason, time }) =>
    isOn({ status }) ? { id } : { id, status, ...(reason && { reason }), time },
  );
  return JSON.stringify({ mode: pool.mode, last: pool.last, keys });
}

export const isOn = ({ status }: Pick<PoolKey, 'status'>): boolean => status === channelStatus.enabled;

/** One key per line; documents as a JSON array, as one document over several lines, or one per line. Repeats are dropped. */
export function poolKeys(type: number, text: string): string[] {
  const keys = [...new Set(linesOf(type, text).map((line) => oneKey(type, line)))];
  if (keys.length === 0) throw new AppError('channel.keyMissing');
  if (keys.length > maxChannelKeys) throw new AppError('channel.keyTooMany');
  return keys;
}

function linesOf(type: number, text: string): string[] {
  const documents = channelTypeOf(type)?.isKeyDocument ? documentsOf(text) : undefined;
  if (documents) return documents;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

function documentsOf(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return [text];
    return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  } catch {
    // Not one JSON text: each line is a key of its own.
    return undefined;
  }
}

/** How several keys are stored as one secret. */
export const joinKeys = (keys: readonly string[]): string => keys.join('\n');

/** The keys of a stored secret, with their states; one key that is on for a channel without a pool. */
export function keysOf(row: PoolRow, secret: string): (PoolKey & { key: string })[] {
  const pool = readPool(row);
  if (!pool) return [{ id: 0, status: channelStatus.enabled, reason: '', time: 0, key: secret }];
  let next = pool.last;
  // A key without a state was written by hand: it is on.
  return secret.split('\n').map((key, index) => ({ ...(pool.keys[index] ?? freshKey(++next)), key }));
}

export const freshKey = (id: number): PoolKey => ({ id, status: channelStatus.enabled, reason: '', time: 0 });

export function newPool(mode: ChannelKeyMode, count: number): KeyPool {
  return { mode, last: count, keys: Array.from({ length: count }, (_none, index) => freshKey(index + 1)) };
}

/** The pool with these keys in place of those it had: a key that stays keeps its id and its state. */
export function poolWith(pool: KeyPool, before: readonly string[], after: readonly string[]): KeyPool {
  const known = new Map(before.map((key, index) => [key, pool.keys[index]]));
  let { last } = pool;
  const keys = after.map((key) => known.get(key) ?? freshKey(++last));
  return { ...pool, last, keys };
}

/** What is stored when a channel is switched on: with no key left on, those that went off by themselves are tried again. */
export function switchedOn(row: PoolRow): Partial<ChannelRow> {
  const values = { status: channelStatus.enabled, other_info: '' };
  const pool = readPool(row);
  if (!pool || pool.keys.some(isOn)) return values;
  const isMeant = pool.keys.some(({ status }) => status === channelStatus.autoDisabled)
    ? ({ status }: PoolKey) => status === channelStatus.autoDisabled
    : () => true;
  const keys = pool.keys.map((key) => (isMeant(key) ? freshKey(key.id) : key));
  return { ...values, key_pool: writePool({ ...pool, keys }) };
}

/** As for a copy of the channel: what went off by itself is on, what was switched off stays so. */
export function freshPool(row: PoolRow): string {
  const pool = readPool(row);
  if (!pool) return '';
  const isKept = ({ status }: PoolKey) => status === channelStatus.disabled;
  return writePool({ ...pool, keys: pool.keys.map((key) => (isKept(key) ? key : freshKey(key.id))) });
}

/** How lists count the keys. */
export function countKeys(row: PoolRow): { total: number; on: number } {
  const pool = readPool(row);
  return pool ? { total: pool.keys.length, on: pool.keys.filter(isOn).length } : { total: 1, on: 1 };
}

const shownLength = 4;
/** Of a shorter key four characters would be too much. */
const shortestShown = 12;

/** What a key is recognized by, without telling it. A service account is known by the id of its private key. */
export function endOf(key: string): string {
  const document = key.startsWith('{') ? parseRecord(key) : undefined;
  const text = document ? textOf(document.private_key_id) : key;
  return text.length < shortestShown ? '' : text.slice(-shownLength);
}

/** How records and messages name a key: `#2 …9f3c`. */
export function labelOf(id: number, key: string): string {
  const end = endOf(key);
  return end === '' ? `#${id}` : `#${id} …${end}`;
}
