import { recordOf, textOf } from '../../lib/json-value.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { freshKey, joinKeys, type KeyPool, type PoolKey, writePool } from '../channel/key-pool.ts';
import { oneKey } from '../channel/rule.ts';
import { objectOf } from './field.ts';

/** What a channel's row contains of its keys. */
export interface StoredKeys {
  secret: string;
  /** '' for a channel with one key. */
  key_pool: string;
}

/**
 * The keys of a new-api channel with several, their states and how they are chosen. Its `channel_info` names keys by their place among
 * the lines, from 0. Undefined for a channel with one key.
 */
export function poolFromNewApi(type: number, text: string, channelInfo: unknown): StoredKeys | undefined {
  // A column of JSON comes parsed from PostgreSQL, as text from SQLite.
  const info = typeof channelInfo === 'string' ? objectOf(channelInfo) : recordOf(channelInfo);
  if (info.is_multi_key !== true) return undefined;
  const states = recordOf(info.multi_key_status_list);
  const reasons = recordOf(info.multi_key_disabled_reason);
  const times = recordOf(info.multi_key_disabled_time);
  const keys = new Map<string, PoolKey>();
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === '') continue;
    const key = oneKey(type, line);
    if (keys.has(key)) continue;
    const id = keys.size + 1;
    const status = Number(states[index] ?? channelStatus.enabled);
    const off = { id, status, reason: textOf(reasons[index]), time: Math.trunc(Number(times[index]) || 0) };
    keys.set(key, isOff(status) ? off : freshKey(id));
  }
  const mode = info.multi_key_mode === 'polling' ? 'polling' : 'random';
  const pool: KeyPool = { mode, last: keys.size, keys: [...keys.values()] };
  return keys.size === 0 ? undefined : { secret: joinKeys([...keys.keys()]), key_pool: writePool(pool) };
}

const isOff = (status: number): boolean => status === channelStatus.disabled || status === channelStatus.autoDisabled;

/** Service accounts are in a JSON array. */
function linesOf(text: string): string[] {
  if (!text.startsWith('[')) return text.split('\n');
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [text];
  } catch {
    return text.split('\n');
  }
}
