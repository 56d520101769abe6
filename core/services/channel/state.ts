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
import { type ChannelStore, channelNotFound } from './store.ts';

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

/** A channel that went off, or came back, by itself. */
export interface ChannelSwitch {
  id: number;
  name: string;
  isOn: boolean;
  reason: string;
}

type ChannelPlace = Pick<ChannelRow, 'id' | 'type' | 'base_url'>;

type StateColumns = Pick<ChannelRow, 'status' | 'other_info'>;

const maxReasonLength = 500;

/** Switching channels on and off, by hand and by themselves, and removing them. */
export function createChannelStateService(dependencies: ChannelStateDependencies) {
  const { database, store, abilities, audit, options, now = nowSeconds } = dependencies;
  const switching = new Set<number>();
  const listeners = new Set<(change: ChannelSwitch) => void>();

  async function setStatus(actor: Actor, ids: number[], status: 1 | 2): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await findAll(ids, transaction);
      const isOn = status === channelStatus.enabled;
      const values: Partial<StateColumns> = isOn ? { status, other_info: '' } : { status };
      for (const row of rows) {
        await database.channels.update(values, { where: { id: row.id }, transaction });
        await abilities.setEnabled([row.id], isOn, transaction);
        const event = { action: isOn ? 'channel.enable' : 'channel.disable', id: row.id };
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
      const rows = await database.channels.findAll({ where, raw: true, transaction });
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
  async function recordFailure(channelId: number, failure: ChannelFailure): Promise<boolean> {
    if (!options.get('AutomaticDisableChannelEnabled') || !isFatal(failure)) return false;
    // A code that is cut would be none.
    const text = failure.coded.length < maxReasonLength - 4 ? failure.coded : failure.message;
    return disableAutomatically(channelId, `${failure.status} ${text}`);
  }

  function isFatal({ disablesChannel, message }: ChannelFailure): boolean {
    const text = message.toLowerCase();
    return (
      disablesChannel || options.get('AutomaticDisableKeywords').some((keyword) => text.includes(keyword.toLowerCase()))
    );
  }

  /** Also for a test that took too long, which counts whatever AutomaticDisableChannelEnabled says. */
  async function disableAutomatically(channelId: number, reason: string): Promise<boolean> {
    const status_reason = reason.slice(0, maxReasonLength);
    const other_info = JSON.stringify({ status_reason, status_time: now() });
    return switchOnce(
      { id: channelId, status: channelStatus.enabled, auto_ban: 1 },
      { status: channelStatus.autoDisabled, other_info },
      status_reason,
    );
  }

  /** A channel that went off by itself and responds again. True for the one caller whose report did it. */
  async function recordSuccess(channelId: number): Promise<boolean> {
    if (!options.get('AutomaticEnableChannelEnabled')) return false;
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
    if (switching.has(where.id)) return false;
    switching.add(where.id);
    try {
      const row = await database.channels.findOne({ attributes: ['id', 'name'], where, raw: true });
      if (!row || !(await switchInOneStep(where, values))) return false;
      const isOn = values.status === channelStatus.enabled;
      for (const listener of listeners) listener({ id: row.id, name: row.name, isOn, reason });
      return true;
    } finally {
      switching.delete(where.id);
    }
  }

  function switchInOneStep(where: { id: number; status: number }, values: StateColumns): Promise<boolean> {
    return database.transaction(async (transaction) => {
      const [count] = await database.channels.update(values, { where, transaction });
      if (count === 0) return false;
      const isOn = values.status === channelStatus.enabled;
      await abilities.setEnabled([where.id], isOn, transaction);
      const action = isOn ? 'channel.autoEnable' : 'channel.autoDisable';
      await audit.record(systemActor, { action, id: where.id, after: { ...values } }, transaction);
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
