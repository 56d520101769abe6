import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { systemActor } from '../../schemas/actor.ts';
import type { AuditService } from '../audit.ts';
import { isOn, type KeyPool, type PoolKey, readPool, writePool } from './key-pool.ts';

export type StateColumns = Pick<ChannelRow, 'status' | 'other_info'> & Partial<Pick<ChannelRow, 'key_pool'>>;

export interface KeySwitch {
  where: { id: number; status?: number; auto_ban?: number };
  /** As it is to be. */
  key: PoolKey;
  /** The status it must have until then. */
  from: number;
  /** What becomes of the channel with the keys as they are then; nothing when left out. */
  channelFields?: (pool: KeyPool) => Partial<StateColumns>;
  noteSwitch(id: number, values: Partial<StateColumns>, transaction: Transaction): Promise<void>;
}

/** One key of a channel goes off or comes back by itself. True for the one report that changed it. */
export function switchKey(
  { where, key, from, channelFields, noteSwitch }: KeySwitch,
  { database, audit }: { database: Database; audit: Pick<AuditService, 'record'> },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const lock = transaction.LOCK.UPDATE;
    const row = await database.channels.findOne({ where, raw: true, transaction, lock });
    const pool = row && readPool(row);
    if (!pool?.keys.some(({ id, status }) => id === key.id && status === from)) return false;
    const changed = { ...pool, keys: pool.keys.map((one) => (one.id === key.id ? key : one)) };
    const values = { ...channelFields?.(changed), key_pool: writePool(changed) };
    await database.channels.update(values, { where: { id: where.id }, transaction });
    const action = isOn(key) ? 'channel.keyAutoEnable' : 'channel.keyAutoDisable';
    const after = { number: key.id, ...(key.reason && { reason: key.reason }) };
    await audit.record(systemActor, { action, id: where.id, after }, transaction);
    if (values.status !== undefined) await noteSwitch(where.id, values, transaction);
    return true;
  });
}
