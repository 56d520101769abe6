import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { type Actor, role, systemActor } from '../../schemas/actor.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { AbilityService } from '../ability.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { requireAll } from '../list-rows.ts';
import type { OptionService } from '../option/option.ts';
import { countKeys, freshKey, isOn, type KeyPool, switchedOn } from './key-pool.ts';
import { type ChannelStore, channelNotFound } from './store.ts';
import { type KeySwitch, type StateColumns, switchKey } from './switch-key.ts';

export interface ChannelStateDependencies {
  database: Database;
  store: ChannelStore;
  abilities: AbilityService;
  audit: Pick<AuditService, 'record'>;
  options: Pick<OptionService, 'get'>;
  now?: Clock;
}

/** What a failure must say; an UpstreamError fits. */
export interface ChannelFailure {
  message: string;
  /** The message in no language yet, where it is ours. */
  coded: string;
  status: number;
  disablesChannel: boolean;
}

export type ChannelStateService = ReturnType<typeof createChannelStateService>;

/** A channel that went off, or came back, by itself, or one of its keys. */
export interface ChannelSwitch {
  id: number;
  /** The number of the key; absent for the channel as a whole. */
  key?: number;
  name: string;
  isOn: boolean;
  reason: string;
}

type ChannelPlace = Pick<ChannelRow, 'id' | 'type' | 'base_url'>;

const maxReasonLength = 500;

/** Switching channels on and off, by hand and by themselves, and removing them. */
export function createChannelStateService(dependencies: ChannelStateDependencies) {
  const { database, store, abilities, audit, options, now = nowSeconds } = dependencies;
  /** Ids of channels, and of keys behind those. */
  const switching = new Set<string>();
  const listeners = new Set<(change: ChannelSwitch) => void>();

  async function setStatus(actor: Actor, ids: number[], status: 1 | 2): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await findAll(ids, transaction);
      const isEnabled = status === channelStatus.enabled;
      for (const row of rows) {
        const values = isEnabled ? switchedOn(row) : { status };
        await database.channels.update(values, { where: { id: row.id }, transaction });
        await abilities.setEnabled([row.id], isEnabled, transaction);
        const event = { action: isEnabled ? 'channel.enable' : 'channel.disable', id: row.id };
        await audit.record(actor, { ...event, before: { status: row.status }, after: { status } }, transaction);
      }
      return rows.length;
    });
  }

  /** `passOver`: ids that are gone already are not an error, as when two people clean up the same list. */
  async function remove(actor: Actor, ids: number[], { passOver = false } = {}): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await (passOver ? store.findRows({ id: ids }, transaction) : findAll(ids, transaction));
      await removeRows(actor, rows, transaction);
      return rows.length;
    });
  }

  /** Those switched off by hand and those that went off by themselves. */
  async function removeDisabled(actor: Actor): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const where = { status: [channelStatus.disabled, channelStatus.autoDisabled] };
      // Locked: one that is switched on at this moment is in service again, and stays.
      const lock = transaction.LOCK.UPDATE;
      const order: [string, string][] = [['id', 'ASC']];
      const rows = await database.channels.findAll({ where, order, raw: true, transaction, lock });
      await removeRows(actor, rows, transaction);
      return rows.length;
    });
  }

  async function removeRows(actor: Actor, rows: ChannelRow[], transaction: Transaction): Promise<void> {
    const ids = rows.map(({ id }) => id);
    await database.channels.destroy({ where: { id: ids }, transaction });
    await abilities.remove(ids, transaction);
    for (const { id, name, type } of rows) {
      await audit.record(actor, { action: 'channel.remove', id, before: { name, type } }, transaction);
    }
  }

  /** All of them, or an error that names the first that is missing. */
  async function findAll(ids: number[], transaction: Transaction): Promise<ChannelRow[]> {
    const unique = [...new Set(ids)];
    const rows = await store.findRows({ id: unique }, transaction);
    requireAll(unique, rows, channelNotFound);
    return rows;
  }

  async function fixAbilities(actor: Actor): Promise<number> {
    requireRole(actor, role.admin);
    const count = await abilities.fixAll();
    await audit.record(actor, { action: 'channel.fix', id: '', after: { count } });
    return count;
  }

  /** Takes a failing channel out of service when the options say so. True for the one caller whose report did it. */
  async function recordFailure(channelId: number, failure: ChannelFailure, keyId = 0): Promise<boolean> {
    if (!options.get('AutomaticDisableChannelEnabled') || !isFatal(failure)) return false;
    // A code that is cut would be none.
    const text = failure.coded.length < maxReasonLength - 4 ? failure.coded : failure.message;
    return disableAutomatically(channelId, `${failure.status} ${text}`, keyId);
  }

  function isFatal({ disablesChannel, message }: ChannelFailure): boolean {
    const text = message.toLowerCase();
    return (
      disablesChannel || options.get('AutomaticDisableKeywords').some((keyword) => text.includes(keyword.toLowerCase()))
    );
  }

  /**
   * Also for a test that took too long, which counts whatever AutomaticDisableChannelEnabled says. Of several keys the one that is named
   * goes off, and the channel with the last of them.
   */
  async function disableAutomatically(channelId: number, reason: string, keyId = 0): Promise<boolean> {
    const status_reason = reason.slice(0, maxReasonLength);
    const time = now();
    const other_info = JSON.stringify({ status_reason, status_time: time });
    const off = { status: channelStatus.autoDisabled, other_info };
    const where = { id: channelId, status: channelStatus.enabled, auto_ban: 1 };
    if (keyId === 0) return switchOnce(where, off, status_reason);
    let isLast = false;
    const key = { id: keyId, status: channelStatus.autoDisabled, reason: status_reason, time };
    const alsoOff = (pool: KeyPool) => {
      isLast = !pool.keys.some(isOn);
      return isLast ? off : {};
    };
    const hasChanged = await switchOneKey({ where, key, from: channelStatus.enabled, channelFields: alsoOff });
    if (hasChanged)
      await tell({ id: channelId, isOn: false, reason: status_reason, ...(isLast ? {} : { key: keyId }) });
    return hasChanged && isLast;
  }

  /** A channel that went off by itself and responds again. True for the one caller whose report did it. */
  async function recordSuccess(channelId: number, keyId = 0): Promise<boolean> {
    if (!options.get('AutomaticEnableChannelEnabled')) return false;
    if (keyId !== 0) {
      const key = freshKey(keyId);
      const isBack = await switchOneKey({ where: { id: channelId }, key, from: channelStatus.autoDisabled });
      if (isBack) await tell({ id: channelId, key: keyId, isOn: true, reason: '' });
      // One that was switched off by hand stays off, and a channel without a key would serve nothing.
      const row = await database.channels.findByPk(channelId, { attributes: ['key_pool'], raw: true });
      if (!row || countKeys(row).on === 0) return false;
    }
    return switchOnce(
      { id: channelId, status: channelStatus.autoDisabled },
      { status: channelStatus.enabled, other_info: '' },
    );
  }

  /** The old status is in the condition: of a hundred failing calls one changes the row and leaves one trace. */
  async function switchOnce(
    where: { id: number; status: number; auto_ban?: number },
    values: StateColumns,
    reason = '',
  ): Promise<boolean> {
    // Of many reports that come together one goes to the database; those that come later find nothing to do.
    return oneAtATime(String(where.id), async () => {
      const row = await database.channels.findOne({ attributes: ['id'], where, raw: true });
      if (!row || !(await switchInOneStep(where, values))) return false;
      await tell({ id: where.id, isOn: values.status === channelStatus.enabled, reason });
      return true;
    });
  }

  async function oneAtATime(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (switching.has(name)) return false;
    switching.add(name);
    try {
      return await work();
    } finally {
      switching.delete(name);
    }
  }

  async function tell(change: Omit<ChannelSwitch, 'name'>): Promise<void> {
    const row = await database.channels.findByPk(change.id, { attributes: ['name'], raw: true });
    if (!row) return;
    for (const listener of listeners) listener({ ...change, name: row.name });
  }

  function switchOneKey(change: Omit<KeySwitch, 'noteSwitch'>): Promise<boolean> {
    const name = `${change.where.id} ${change.key.id}`;
    return oneAtATime(name, () => switchKey({ ...change, noteSwitch }, { database, audit }));
  }

  async function noteSwitch(id: number, values: Partial<StateColumns>, transaction: Transaction): Promise<void> {
    const isEnabled = values.status === channelStatus.enabled;
    await abilities.setEnabled([id], isEnabled, transaction);
    const action = isEnabled ? 'channel.autoEnable' : 'channel.autoDisable';
    const { status, other_info } = values;
    await audit.record(systemActor, { action, id, after: { status, other_info } }, transaction);
  }

  function switchInOneStep(where: { id: number; status: number }, values: StateColumns): Promise<boolean> {
    return database.transaction(async (transaction) => {
      const [count] = await database.channels.update(values, { where, transaction });
      if (count === 0) return false;
      await noteSwitch(where.id, values, transaction);
      return true;
    });
  }

  /** Without a time the test failed: the list shows a tested channel with no latency as failed. */
  async function saveTestResult(channelId: number, responseTimeMs: number | undefined): Promise<void> {
    const response_time = responseTimeMs === undefined ? 0 : Math.max(1, Math.round(responseTimeMs));
    const values = { test_time: now(), response_time };
    await database.channels.update(values, { where: { id: channelId } });
  }

  /** Counts for the upstream that was asked, not for one the channel was given since. */
  async function recordStreamOptionsRefusal({ id, type, base_url }: ChannelPlace): Promise<void> {
    await database.channels.update({ stream_options_refused_time: now() }, { where: { id, type, base_url } });
  }

  return {
    /** Called once for each change by itself that this process made. */
    onSwitched: (listener: (change: ChannelSwitch) => void): void => void listeners.add(listener),
    setStatus,
    remove,
    removeDisabled,
    fixAbilities,
    recordFailure,
    disableAutomatically,
    recordSuccess,
    recordStreamOptionsRefusal,
    saveTestResult,
  };
}
