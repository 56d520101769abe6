import type { ChangeFeed } from '../database/change-feed.ts';
import type { Database } from '../database/connect.ts';
import { followChanges } from '../database/follow-changes.ts';
import type { ChannelRow } from '../database/models/channel.ts';
import { splitList } from '../lib/comma-list.ts';
import { nearNames } from '../lib/near-name.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { ChannelTarget } from '../providers/adapter.ts';
import { servesModel } from '../providers/registry.ts';
import { isBilledField } from '../schemas/channel-json.ts';
import type { ChannelKeyMode } from '../schemas/channel-key.ts';
import { isOn, keysOf, labelOf, type PoolKey, readPool } from './channel/key-pool.ts';

/** A channel as the relay uses it: parsed once, kept in memory, never written. */
export interface RoutedChannel extends ChannelTarget {
  name: string;
  tag: string;
  priority: number;
  weight: number;
  auto_ban: boolean;
  modelMapping: ReadonlyMap<string, string>;
  statusMapping: ReadonlyMap<number, number>;
  /** Keys that replace those of the outgoing body, as JSON text; billing keys are refused when saved. */
  paramOverride: ReadonlyMap<string, string>;
  privateAllowed: boolean;
  /** Tokens of the largest prompt it is given; 0 = no limit. */
  maxInputTokens: number;
  /** Unix seconds at which the upstream refused `stream_options`; 0 = never. */
  streamOptionsRefusedAt: number;
  models: readonly string[];
  testModel: string;
  /** The id of the key among several; 0 for a channel with one. */
  keyId: number;
  /** How records name that key, such as `#2 …9f3c`; '' for a channel with one. */
  keyLabel: string;
  /** Of a channel with several keys: the same channel with each of them. */
  pool: ChannelPool | undefined;
}

export interface ChannelPool {
  mode: ChannelKeyMode;
  /** In the order in which they were added; those that are off too. */
  all: readonly RoutedChannel[];
  on: readonly RoutedChannel[];
}

/** Channels of one group and model, highest priority first. */
export type Tiers = readonly (readonly RoutedChannel[])[];

export interface Routing {
  /** Empty when nothing serves the model in this group now. */
  tiers(group: string, model: string): Tiers;
  /** Whether a channel of the group names the model, enabled or not. */
  isKnown(group: string, model: string): boolean;
  /** Whether abilities and channels disagree about it: a repair is due (`tollgate channel fix`). */
  isBroken(group: string, model: string): boolean;
  channel(id: number): { channel: RoutedChannel; enabled: boolean } | undefined;
  channels(): Iterable<{ channel: RoutedChannel; enabled: boolean }>;
  /** Models that an enabled channel of the group can serve, sorted. */
  models(group: string): string[];
  /** Up to three of those whose name is near. */
  near(group: string, model: string): string[];
  /** Resolves when the changes seen so far are in force. */
  settled(): Promise<void>;
}

interface Snapshot {
  channels: Map<number, { channel: RoutedChannel; enabled: boolean }>;
  tiers: Map<string, Map<string, Tiers>>;
  known: Map<string, Set<string>>;
  /** Models by group about which abilities and channels disagree; empty in a sound database. */
  broken: Map<string, Set<string>>;
}

interface RoutingDependencies {
  database: Database;
  feed: ChangeFeed;
  secretBox: SecretBox;
  onError(error: unknown): void;
}

const channelEnabled = 1;
/** Families of custom assistants share one ability row each (relay reference, section 3). */
const wildcardFamilies = ['gpt-4-gizmo', 'gpt-4o-gizmo'];
const none: Tiers = [];

/** Channels and abilities in memory; built again from the database whenever one of them changes anywhere. */
export async function createRouting({ database, feed, secretBox, onError }: RoutingDependencies): Promise<Routing> {
  let snapshot: Snapshot = { channels: new Map(), tiers: new Map(), known: new Map(), broken: new Map() };

  async function load(): Promise<Snapshot> {
    const [channels, abilities] = await Promise.all([
      database.channels.findAll({ raw: true }),
      database.abilities.findAll({ where: { enabled: true }, raw: true }),
    ]);
    return build(channels, abilities, (row) => openKey(row, secretBox, onError));
  }

  const { settled } = await followChanges(feed, {
    subjects: ['channels', 'abilities'],
    async read() {
      snapshot = await load();
    },
    onError,
  });

  return {
    settled,
    tiers: (group, model) => snapshot.tiers.get(group)?.get(abilityModel(model)) ?? none,
    isKnown: (group, model) => snapshot.known.get(group)?.has(abilityModel(model)) ?? false,
    isBroken: (group, model) => snapshot.broken.get(group)?.has(abilityModel(model)) ?? false,
    channel: (id) => snapshot.channels.get(id),
    channels: () => snapshot.channels.values(),
    models: (group) => servedIn(snapshot, group).sort(),
    near: (group, model) => nearNames(servedIn(snapshot, group), model),
  };
}

/** Those of channels that no adapter serves are not advertised: a call would end in an error. */
function servedIn({ tiers }: Snapshot, group: string): string[] {
  const isServable = ([model, list]: [string, Tiers]) =>
    list.some((tier) => tier.some(({ type, modelMapping }) => servesModel(type, modelMapping.get(model) ?? model)));
  return [...(tiers.get(group) ?? [])].filter(isServable).map(([model]) => model);
}

export function abilityModel(model: string): string {
  const family = wildcardFamilies.find((prefix) => model.startsWith(prefix));
  return family ? `${family}-*` : model;
}

function build(
  rows: ChannelRow[],
  abilities: { group: string; model: string; channel_id: number }[],
  keyOf: (row: ChannelRow) => string | undefined,
): Snapshot {
  const channels: Snapshot['channels'] = new Map();
  const known: Snapshot['known'] = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined) channels.set(row.id, readState(row, key));
    for (const group of splitList(row.group)) {
      const models = known.get(group) ?? new Set<string>();
      for (const model of splitList(row.models)) models.add(model);
      known.set(group, models);
    }
  }
  const lists = new Map<string, Map<string, RoutedChannel[]>>();
  const stored = new Set(rows.map(({ id }) => id));
  const broken: Snapshot['broken'] = new Map();
  for (const { group, model, channel_id } of abilities) {
    const found = channels.get(channel_id);
    if (!stored.has(channel_id)) broken.set(group, (broken.get(group) ?? new Set()).add(model));
    if (!found?.enabled) continue;
    const models = lists.get(group) ?? new Map<string, RoutedChannel[]>();
    models.set(model, [...(models.get(model) ?? []), found.channel]);
    lists.set(group, models);
  }
  const tiers: Snapshot['tiers'] = new Map();
  for (const [group, models] of lists) {
    tiers.set(group, new Map([...models].map(([model, list]) => [model, intoTiers(list)])));
  }
  // What an enabled channel lists and no ability leads to.
  for (const row of rows) {
    if (!channels.get(row.id)?.enabled) continue;
    for (const group of splitList(row.group)) {
      for (const model of splitList(row.models))
        if (!tiers.get(group)?.has(model)) broken.set(group, (broken.get(group) ?? new Set()).add(model));
    }
  }
  return { channels, tiers, known, broken };
}

function intoTiers(channels: RoutedChannel[]): Tiers {
  const byPriority = new Map<number, RoutedChannel[]>();
  for (const channel of channels)
    byPriority.set(channel.priority, [...(byPriority.get(channel.priority) ?? []), channel]);
  return [...byPriority.entries()].sort(([a], [b]) => b - a).map(([, tier]) => tier);
}

/** A key that does not open (the master key was exchanged) takes its channel out of service, not the server. */
function openKey(row: ChannelRow, secretBox: SecretBox, onError: (error: unknown) => void): string | undefined {
  if (row.key_encrypted === '') return '';
  try {
    return secretBox.decrypt(row.key_encrypted, channelKeyPlace(row.id));
  } catch (error) {
    onError(error);
    return undefined;
  }
}

function readState(row: ChannelRow, secret: string): { channel: RoutedChannel; enabled: boolean } {
  const channel = readChannel(row, secret);
  return { channel, enabled: row.status === channelEnabled && channel.pool?.on.length !== 0 };
}

/** With the first of several keys that is on. */
export function readChannel(row: ChannelRow, secret: string): RoutedChannel {
  const keys = keysOf(row, secret);
  const first = keys.find(isOn) ?? keys[0];
  const channel = channelOf(row, first?.key ?? '');
  const mode = readPool(row)?.mode;
  if (!mode) return channel;
  const all = keys.map((key) => withPoolKey(channel, key));
  const pool = { mode, all, on: all.filter((_one, index) => keys[index] && isOn(keys[index])) };
  for (const one of [channel, ...all]) one.pool = pool;
  return channel;
}

function withPoolKey(channel: RoutedChannel, { id, key }: PoolKey & { key: string }): RoutedChannel {
  return { ...channel, key, keyId: id, keyLabel: labelOf(id, key) };
}

/** The channel with the key of that id, on or off, or with the first that is on when it is gone. */
export function withKey(channel: RoutedChannel, keyId = 0): RoutedChannel {
  const { pool } = channel;
  return pool ? (pool.all.find((one) => one.keyId === keyId) ?? pool.on[0] ?? pool.all[0] ?? channel) : channel;
}

function channelOf(row: ChannelRow, key: string): RoutedChannel {
  const setting = readObject(row.setting);
  return {
    id: row.id,
    type: row.type,
    key,
    base_url: row.base_url,
    other: row.other,
    openai_organization: row.openai_organization,
    setting,
    name: row.name,
    tag: row.tag,
    priority: row.priority,
    weight: row.weight,
    auto_ban: row.auto_ban === 1,
    modelMapping: new Map(Object.entries(readObject(row.model_mapping)).map(([from, to]) => [from, String(to)])),
    statusMapping: new Map(
      Object.entries(readObject(row.status_code_mapping)).map(([from, to]) => [Number(from), Number(to)]),
    ),
    paramOverride: new Map(
      Object.entries(readObject(row.param_override))
        .filter(([name]) => !isBilledField(name))
        .map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    privateAllowed: Boolean(row.private_allowed),
    maxInputTokens: row.max_input_tokens,
    streamOptionsRefusedAt: row.stream_options_refused_time,
    models: splitList(row.models),
    testModel: row.test_model,
    keyId: 0,
    keyLabel: '',
    pool: undefined,
  };
}

/** Saved values were checked; an imported row may still contain anything, and must not keep the others from loading. */
export function readObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** Where a channel key is stored, as the encryption binds it. */
export function channelKeyPlace(id: number): string {
  return `channels.key_encrypted.${id}`;
}
