import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { ChannelKey } from '../../schemas/channel-key.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { type Language, wordsIn } from '../../text/text.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { channelKeyPlace } from '../routing.ts';
import { listedKey } from '../secret.ts';
import {
  endOf,
  freshKey,
  isOn,
  joinKeys,
  type KeyPool,
  keysOf,
  newPool,
  type PoolKey,
  poolKeys,
  poolWith,
  readPool,
  writePool,
} from './key-pool.ts';
import { requireWorking } from './problem.ts';
import type { ChannelStore } from './store.ts';

interface ChannelKeyDependencies {
  database: Database;
  store: ChannelStore;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record'>;
  now: Clock;
}

interface OpenedPool {
  row: ChannelRow;
  pool: KeyPool;
  /** Blank, as many as there are, where they cannot be decrypted. */
  keys: string[];
  isUnreadable: boolean;
}

/** The keys of one channel, each with its own state. A channel with one key gets a pool when a second is added. */
export function createChannelKeys({ database, store, secretBox, audit, now }: ChannelKeyDependencies) {
  async function listKeys(actor: Actor, id: number): Promise<ChannelKey[]> {
    requireRole(actor, role.admin);
    return shown(open(await store.findRow(id)));
  }

  /** Those that are there already are passed over. */
  function addKeys(actor: Actor, id: number, text: string): Promise<ChannelKey[]> {
    return change(actor, id, 'channel.keyAdd', ({ row, pool, keys, isUnreadable }) => {
      requireReadable(isUnreadable);
      const added = poolKeys(row.type, text).filter((key) => !keys.includes(key));
      for (const key of added) requireWorking(row, key);
      // The number of keys is limited as a whole.
      const all = poolKeys(row.type, joinKeys([...keys, ...added]));
      const next = poolWith(pool, keys, all);
      return { pool: next, keys: all, numbers: next.keys.slice(keys.length).map((key) => key.id) };
    });
  }

  function removeKeys(actor: Actor, id: number, ids: number[]): Promise<ChannelKey[]> {
    return change(
      actor,
      id,
      'channel.keyRemove',
      ({ pool, keys, isUnreadable }) => {
        requireReadable(isUnreadable);
        const isKept = (index: number) => !ids.includes(pool.keys[index]?.id ?? 0);
        const next = { ...pool, keys: pool.keys.filter((_key, index) => isKept(index)) };
        return { pool: next, keys: keys.filter((_key, index) => isKept(index)), numbers: ids };
      },
      ids,
    );
  }

  function setKeyStatus(actor: Actor, id: number, ids: number[], status: 1 | 2): Promise<ChannelKey[]> {
    const isEnabled = status === channelStatus.enabled;
    const changed = (key: PoolKey) => (isEnabled ? freshKey(key.id) : { id: key.id, status, reason: '', time: now() });
    const action = isEnabled ? 'channel.keyEnable' : 'channel.keyDisable';
    return change(
      actor,
      id,
      action,
      ({ pool, keys }) => {
        const next = pool.keys.map((key) => (ids.includes(key.id) ? changed(key) : key));
        return { pool: { ...pool, keys: next }, keys, numbers: ids };
      },
      ids,
    );
  }

  /** All of `ids` are there, or nothing changes. A channel in service keeps a key that is on. */
  function change(
    actor: Actor,
    id: number,
    action: string,
    edit: (opened: OpenedPool) => { pool: KeyPool; keys: string[]; numbers: number[] },
    ids: number[] = [],
  ): Promise<ChannelKey[]> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const opened = open(await store.findRow(id, transaction));
      const { row, pool, keys } = opened;
      const missing = ids.find((one) => !pool.keys.some((key) => key.id === one));
      if (missing !== undefined) throw new AppError('channel.keyUnknown', { number: missing, name: row.name });
      const next = edit(opened);
      const isServing = row.status === channelStatus.enabled;
      if (next.keys.length === 0 || (isServing && !next.pool.keys.some(isOn))) throw new AppError('channel.lastKey');
      const isSame = joinKeys(next.keys) === joinKeys(keys);
      const values = { ...(isSame ? {} : sealed(id, joinKeys(next.keys))), key_pool: writePool(next.pool) };
      await database.channels.update(values, { where: { id }, transaction });
      const after = { numbers: next.numbers.join(', '), ...ends(next, opened) };
      if (next.numbers.length > 0) await audit.record(actor, { action, id, after }, transaction);
      return shown({ ...opened, ...next });
    });
  }

  /** The last characters of the keys that were meant, so that the audit log says which they were. */
  function ends(next: { pool: KeyPool; keys: string[]; numbers: number[] }, before: OpenedPool): { ends: string } {
    const endsOf = ({ pool, keys }: { pool: KeyPool; keys: string[] }) =>
      pool.keys.flatMap((key, index) => (next.numbers.includes(key.id) ? [endOf(keys[index] ?? '')] : []));
    const found = endsOf(next);
    return { ends: (found.length > 0 ? found : endsOf(before)).filter(Boolean).join(', ') };
  }

  function open(row: ChannelRow): OpenedPool {
    const known = readPool(row) ?? newPool('random', 1);
    const { key: secret, key_problem } = row.key_encrypted
      ? listedKey(secretBox, row.key_encrypted, channelKeyPlace(row.id))
      : { key: '' };
    // Which keys there are, and how each is, stands beside the secret: that much is shown and can be switched.
    if (key_problem !== undefined) return { row, keys: known.keys.map(() => ''), pool: known, isUnreadable: true };
    const keys = keysOf(row, secret).map(({ key }) => key);
    return { row, keys, pool: poolWith(known, keys, keys), isUnreadable: false };
  }

  /** Stored again without the others, they would be lost although the former master key may still open them. */
  function requireReadable(isUnreadable: boolean): void {
    if (isUnreadable) throw new AppError('channel.keyUnreadable');
  }

  function sealed(id: number, secret: string): Partial<ChannelRow> {
    return { key_hash: secretBox.lookupHash(secret), key_encrypted: secretBox.encrypt(secret, channelKeyPlace(id)) };
  }

  return { listKeys, addKeys, removeKeys, setKeyStatus };
}

function shown({ pool, keys, isUnreadable }: OpenedPool): ChannelKey[] {
  const problem = isUnreadable ? { key_problem: new AppError('channel.keyUnreadable').coded } : {};
  return pool.keys.map(({ id, status, reason, time }, index) => ({
    id,
    ends: endOf(keys[index] ?? ''),
    status,
    reason,
    time,
    ...problem,
  }));
}

/** Why a key went off by itself, or cannot be read, in the language of the reader. */
export const keyIn = (language: Language, { key_problem, ...key }: ChannelKey): ChannelKey => ({
  ...key,
  reason: wordsIn(language, key.reason),
  ...(key_problem !== undefined && { key_problem: wordsIn(language, key_problem) }),
});
