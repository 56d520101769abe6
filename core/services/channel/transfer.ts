import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { type Channel, type ChannelCreate, type ChannelUpdate, channelUpdateSchema } from '../../schemas/channel.ts';
import { type ChannelEntry, channelDocument } from '../../schemas/channel-document.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { channelKeyPlace } from '../routing.ts';
import { listedKey } from '../secret.ts';
import { joinKeys, poolKeys, readPool } from './key-pool.ts';
import { requireWorking } from './problem.ts';
import { oneKey, otherOrDefault } from './rule.ts';
import { channelView } from './view.ts';

interface ChannelTransferDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record'>;
  create(actor: Actor, input: ChannelCreate, options: { status: 1 | 2 }): Promise<Channel[]>;
  update(actor: Actor, input: ChannelUpdate): Promise<Channel>;
  checkedBaseUrl(address: string): string;
}

/** What an entry of a file means for this installation. */
export interface ImportStep {
  entry: ChannelEntry;
  /** The channel of that name that is there already. */
  id: number | undefined;
  /** Fields that differ from it; none = it is as the file says. */
  changed: string[];
}

interface ChannelExport {
  document: object;
  /** Names of the channels whose keys are missing because they cannot be decrypted. */
  unreadable: string[];
}

/** Channels written to a file, and made from one. Channels are told apart by their names. */
export function createChannelTransfer(dependencies: ChannelTransferDependencies) {
  const { database, secretBox, audit, create, update, checkedBaseUrl } = dependencies;

  /** In the order of their ids. Keys are for root alone, and leave a trace; a channel whose key cannot be decrypted is named and has none. */
  async function exportAll(actor: Actor, ids: number[], { withKeys }: { withKeys: boolean }): Promise<ChannelExport> {
    requireRole(actor, withKeys ? role.root : role.admin);
    const rows = await database.channels.findAll({ where: { id: ids }, order: [['id', 'ASC']], raw: true });
    const unreadable: string[] = [];
    const plainKey = ({ id, name, key_encrypted }: ChannelRow) => {
      const { key, key_problem } = listedKey(secretBox, key_encrypted, channelKeyPlace(id));
      if (key_problem === undefined) return { plainKey: key };
      unreadable.push(name);
      return {};
    };
    const channels = rows.map((row) => ({ ...channelView(row, secretBox), ...(withKeys && plainKey(row)) }));
    await audit.record(actor, { action: 'channel.export', id: '', after: { count: rows.length, keys: withKeys } });
    return { document: channelDocument(channels), unreadable };
  }

  /**
   * Writes nothing. Several channels may share a name: the first of a name in the file is the oldest of that name here, and so on.
   * Throws for an entry that no channel could be made of.
   */
  async function plan(actor: Actor, entries: ChannelEntry[]): Promise<ImportStep[]> {
    requireRole(actor, role.admin);
    const names = [...new Set(entries.map(({ values }) => values.name))];
    const rows = await database.channels.findAll({ where: { name: names }, order: [['id', 'ASC']], raw: true });
    return entries.map((entry) => {
      const at = rows.findIndex(({ name }) => name === entry.values.name);
      const [row] = at < 0 ? [] : rows.splice(at, 1);
      return { entry, id: row?.id, changed: row ? differences(row, entry) : [] };
    });
  }

  /** What would be refused however the channel of that name looks; throws the first reason. */
  function check({ values, given }: ChannelEntry, isNew: boolean): void {
    const keys = values.key === '' ? [] : keysIn(values, values.key_mode !== undefined);
    if (isNew && keys.length === 0) throw new AppError('channel.keyMissing');
    if (isNew) for (const key of keys) requireWorking({ ...blankSetup, ...values, other: otherOf(values) }, key);
    if (given.includes('base_url')) checkedBaseUrl(values.base_url ?? '');
  }

  function differences(row: ChannelRow, entry: ChannelEntry): string[] {
    const wanted = valuesOf(entry);
    const current = { ...row, status: row.status === channelStatus.disabled ? row.status : channelStatus.enabled };
    const { key, key_mode } = entry.values;
    const mode = readPool(row)?.mode;
    const isChanged = (field: Exclude<keyof ChannelCreate, 'key' | 'key_mode'> | 'status') =>
      wanted[field] !== current[field];
    const changed = entry.given.filter((field) =>
      field === 'key_mode' ? key_mode !== undefined && key_mode !== mode : field !== 'key' && isChanged(field),
    );
    const isSameKey = key === '' || secretBox.lookupHashes(secretIn(entry.values, row)).includes(row.key_hash);
    return isSameKey ? changed : [...changed, 'key'];
  }

  /** As the row would contain them. */
  function valuesOf({ values: { key_mode: _mode, ...values }, status }: ChannelEntry): Partial<ChannelRow> {
    return { ...values, status, base_url: checkedBaseUrl(values.base_url ?? ''), other: otherOf(values) };
  }

  /** Makes the channel, or changes what differs. */
  async function apply(actor: Actor, { entry, id, changed }: ImportStep, { keepKey = false } = {}): Promise<Channel> {
    if (id === undefined) {
      const [channel] = await create(actor, entry.values, { status: entry.status });
      if (channel) return channel;
      throw new AppError('channel.keyMissing');
    }
    const { values, status } = entry;
    const fields = Object.entries({ ...values, status }).filter(([name]) => changed.includes(name));
    return update(actor, channelUpdateSchema.parse({ ...Object.fromEntries(fields), id, confirmKeepKey: keepKey }));
  }

  return { exportAll, planImport: plan, checkImport: check, applyImport: apply };
}

function keysIn({ type, key }: Pick<ChannelCreate, 'type' | 'key'>, isPool: boolean): string[] {
  return isPool ? poolKeys(type, key) : [oneKey(type, key)];
}

/** The keys of an entry as the row would contain them. */
function secretIn({ key, key_mode }: ChannelCreate, row: ChannelRow): string {
  return joinKeys(keysIn({ type: row.type, key }, key_mode !== undefined || row.key_pool !== ''));
}

const blankSetup = { base_url: '', openai_organization: '', setting: '' };

const otherOf = ({ type, other = '' }: ChannelCreate) => otherOrDefault({ type, other });
