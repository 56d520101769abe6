import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Channel, ChannelCreate, ChannelUpdate } from '../../schemas/channel.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { AbilityService } from '../ability.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { createMadeOnce, type Note } from '../made-once.ts';
import type { OptionService } from '../option/option.ts';
import { channelKeyPlace } from '../routing.ts';
import { listedKey, openSecret } from '../secret.ts';
import { refuseStale } from '../stale.ts';
import {
  countKeys,
  freshPool,
  joinKeys,
  keysOf,
  newPool,
  poolKeys,
  poolWith,
  readPool,
  switchedOn,
  writePool,
} from './key-pool.ts';
import { createChannelKeys } from './keys.ts';
import { createChannelList } from './list.ts';
import { isSetupChanged, requireWorking } from './problem.ts';
import { isMoved, isOtherUpstream, oneKey, otherOrDefault, proxyOf, requireKeyForMove, splitKeys } from './rule.ts';
import { createChannelStateService } from './state.ts';
import { channelNotFound, createChannelStore } from './store.ts';
import { createChannelTagService } from './tag.ts';
import { createChannelTransfer } from './transfer.ts';
import { channelView } from './view.ts';

export interface ChannelServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  abilities: AbilityService;
  audit: Pick<AuditService, 'record'>;
  options: Pick<OptionService, 'get'>;
  /** Checks an address before it is saved and returns its one spelling; throws `outbound.refused`. */
  checkAddress(address: string, privateAllowed: boolean): string;
  now?: Clock;
}

export function createChannelService(dependencies: ChannelServiceDependencies) {
  const { database, secretBox, abilities, audit, options, checkAddress, now = nowSeconds } = dependencies;
  const store = createChannelStore({ database, abilities, audit });
  const { findRow, save } = store;
  const once = createMadeOnce({ database, now });

  async function get(actor: Actor, id: number): Promise<Channel> {
    requireRole(actor, role.admin);
    return channelView(await findRow(id), secretBox);
  }

  /** By id or by name; a name several channels share is refused. */
  async function find(actor: Actor, name: string): Promise<Channel> {
    requireRole(actor, role.admin);
    if (/^[1-9]\d{0,14}$/.test(name)) return channelView(await findRow(Number(name)), secretBox);
    const [row, other] = await database.channels.findAll({ where: { name }, limit: 2, raw: true });
    if (!row) throw channelNotFound(name);
    if (other) throw new AppError('channel.nameAmbiguous', { name });
    return channelView(row, secretBox);
  }

  /** One channel per key, all of them or none. `onlyAsFirst`: none when there is any channel already. */
  async function create(
    actor: Actor,
    input: ChannelCreate & { request_key?: string | undefined },
    { onlyAsFirst = false, status = channelStatus.enabled }: { onlyAsFirst?: boolean; status?: 1 | 2 } = {},
  ): Promise<Channel[]> {
    requireRole(actor, role.admin);
    const { key, key_mode, request_key: requestKey, ...given } = input;
    const keys = key_mode ? poolKeys(input.type, key) : splitKeys(input.type, key);
    const fields: Partial<ChannelRow> = definedFields({
      ...given,
      status,
      other: otherOrDefault({ type: input.type, other: input.other ?? '' }),
    });
    Object.assign(fields, checkedDestination({ base_url: '', setting: '', ...fields }, actor.role >= role.root));
    const setup = { base_url: '', other: '', openai_organization: '', setting: '', ...fields, type: input.type };
    for (const one of keys) requireWorking(setup, one);
    if (key_mode) fields.key_pool = writePool(newPool(key_mode, keys.length));
    const secrets = key_mode ? [joinKeys(keys)] : keys;
    const request = { what: `channel ${actor.id}`, requestKey, values: { ...given, key, key_mode, status } };
    const ids = await once(request, (note) =>
      database.transaction(async (transaction) => {
        if (onlyAsFirst && (await hasAny(transaction))) return [];
        const made: number[] = [];
        for (const secret of secrets) made.push((await insert(actor, fields, secret, transaction)).id);
        await note(made, transaction);
        return made;
      }),
    );
    const rows = await database.channels.findAll({ where: { id: ids }, order: [['id', 'ASC']], raw: true });
    return rows.map((row) => channelView(row, secretBox));
  }

  /** Nodes that start together ask one after the other: on SQLite because they write, here by the lock. */
  async function hasAny(transaction: Transaction): Promise<boolean> {
    if (database.engine === 'postgres') {
      // SQL: models cannot lock a whole table.
      await database.sequelize.query('LOCK TABLE channels IN SHARE ROW EXCLUSIVE MODE', { transaction });
    }
    return (await database.channels.count({ transaction })) > 0;
  }

  async function insert(
    actor: Actor,
    fields: Partial<ChannelRow>,
    key: string,
    transaction: Transaction,
  ): Promise<ChannelRow> {
    const values = { ...fields, key_hash: secretBox.lookupHash(key), created_time: now() };
    const { id } = await database.channels.create(values, { transaction });
    // The place of the secret contains the row's id, which is known only now.
    const key_encrypted = secretBox.encrypt(key, channelKeyPlace(id));
    await database.channels.update({ key_encrypted }, { where: { id }, transaction });
    const row = await findRow(id, transaction);
    await abilities.rebuild(row, transaction);
    const shown = row.key_pool === '' ? { key } : { keys: countKeys(row).total };
    const after = { name: row.name, type: row.type, base_url: row.base_url, ...shown };
    await audit.record(actor, { action: 'channel.create', id, after }, transaction);
    return row;
  }

  async function update(
    actor: Actor,
    { id, key, key_mode, confirmKeepKey, status, loaded, ...given }: ChannelUpdate,
  ): Promise<Channel> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const row = await findRow(id, transaction);
      refuseStale({ loaded, wanted: { ...given, key_mode }, stored: channelView(row, secretBox) });
      const fields: Partial<ChannelRow> = { ...definedFields(given), ...statusFields(row, status) };
      const wanted = { ...row, ...fields };
      fields.other = otherOrDefault(wanted);
      const moved = isMoved(row, wanted);
      if (isOtherUpstream(row, { ...wanted, ...fields })) fields.stream_options_refused_time = 0;
      if (moved && key === undefined) requireKeyForMove(actor, confirmKeepKey);
      if (moved || wanted.base_url !== row.base_url) {
        // Inside the same origin, the permission of the user who saved it still applies.
        Object.assign(fields, checkedDestination(wanted, moved ? actor.role >= role.root : row.private_allowed));
      }
      if (key !== undefined || key_mode !== undefined || isSetupChanged(row, wanted)) {
        const next = keyChange(row, { type: wanted.type, key, key_mode });
        for (const one of next.keys) requireWorking({ ...row, ...fields }, one);
        Object.assign(fields, next.fields);
      }
      return channelView(await save(actor, row, fields, 'channel.update', transaction), secretBox);
    });
  }

  /** A new row with the same settings and the same key, for the same destination; nothing measured is taken along. */
  async function copy(actor: Actor, id: number, { requestKey }: { requestKey?: string | undefined } = {}) {
    requireRole(actor, role.admin);
    const request = { what: `copy of channel ${id} by ${actor.id}`, requestKey, values: {} };
    const [copyId = 0] = await once(request, (note) => insertCopy(actor, id, note));
    return get(actor, copyId);
  }

  function insertCopy(actor: Actor, id: number, note: Note): Promise<number[]> {
    return database.transaction(async (transaction) => {
      const row = await findRow(id, transaction);
      const key = openSecret(secretBox, row.key_encrypted, channelKeyPlace(id));
      const { id: _id, key_encrypted: _key, used_quota, balance, test_time, response_time, ...settings } = row;
      const fields = {
        ...settings,
        name: `${row.name.slice(0, 249)}_copy`,
        status: row.status === channelStatus.disabled ? channelStatus.disabled : channelStatus.enabled,
        balance_updated_time: 0,
        other_info: '',
        key_pool: freshPool(row),
      };
      const made = [(await insert(actor, fields, key, transaction)).id];
      await note(made, transaction);
      return made;
    });
  }

  /** The key in clear, for root alone, who has just shown the own password; leaves a trace. */
  async function revealKey(actor: Actor, id: number): Promise<string> {
    requireRole(actor, role.root);
    const row = await findRow(id);
    const key = openSecret(secretBox, row.key_encrypted, channelKeyPlace(id));
    await audit.record(actor, { action: 'channel.reveal', id });
    return key;
  }

  /** The keys as they are after an edit, and the columns that change. A channel with several keys has a pool for good. */
  function keyChange(
    row: ChannelRow,
    { type, key, key_mode }: Pick<ChannelUpdate, 'key' | 'key_mode'> & { type: number },
  ): { keys: string[]; fields: Partial<ChannelRow> } {
    // A new key also takes the place of one that cannot be decrypted.
    const open = key === undefined ? openSecret : (...stored: Parameters<typeof listedKey>) => listedKey(...stored).key;
    const secret = row.key_encrypted && open(secretBox, row.key_encrypted, channelKeyPlace(row.id));
    const before = keysOf(row, secret).map((one) => one.key);
    const pool = readPool(row);
    if (!pool && !key_mode) {
      const one = oneKey(type, key ?? secret);
      return { keys: [one], fields: key === undefined ? {} : storedSecret(row.id, one) };
    }
    const keys = key === undefined ? before : poolKeys(type, key);
    const known = pool ?? newPool(key_mode ?? 'random', before.length);
    const next = poolWith({ ...known, mode: key_mode ?? known.mode }, before, keys);
    const stored = key === undefined ? {} : storedSecret(row.id, joinKeys(keys));
    return { keys, fields: { ...stored, key_pool: writePool(next) } };
  }

  function storedSecret(id: number, secret: string): Partial<ChannelRow> {
    return { key_hash: secretBox.lookupHash(secret), key_encrypted: secretBox.encrypt(secret, channelKeyPlace(id)) };
  }

  /** Base URL and proxy as they are stored, once they have been found harmless for this actor. */
  function checkedDestination(
    { base_url, setting }: Pick<ChannelRow, 'base_url' | 'setting'>,
    privateAllowed: boolean,
  ): Partial<ChannelRow> {
    const proxy = proxyOf(setting);
    if (proxy !== '') checkAddress(proxy.replace(/^socks5:/, 'http:'), privateAllowed);
    return { base_url: checkedBaseUrl(base_url, privateAllowed), private_allowed: privateAllowed };
  }

  function checkedBaseUrl(address: string, privateAllowed: boolean): string {
    if (address === '') return '';
    // The place of the model name in a custom address would be escaped as part of a URL.
    const checked = checkAddress(address.replaceAll('{model}', 'model'), privateAllowed);
    return address.includes('{model}') ? address.replace(/\/+$/, '') : checked;
  }

  const list = createChannelList({ database, secretBox });
  const state = createChannelStateService({ database, store, abilities, audit, options, now });
  const tags = createChannelTagService({ database, store });
  const keys = createChannelKeys({ store, secretBox, audit, database, now });
  const transfer = createChannelTransfer({
    database,
    secretBox,
    audit,
    create,
    update,
    checkedBaseUrl: (address) => checkedBaseUrl(address, true),
  });
  return { list, get, find, create, update, copy, revealKey, ...state, ...tags, ...keys, ...transfer };
}

export type ChannelService = ReturnType<typeof createChannelService>;

/** Automatic disabling is not a status people set: a form that sends it back changes nothing. */
function statusFields(row: ChannelRow, status: number | undefined): Partial<ChannelRow> {
  if (status === undefined || status === channelStatus.autoDisabled) return {};
  return status === channelStatus.enabled ? switchedOn(row) : { status };
}
