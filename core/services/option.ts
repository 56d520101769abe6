import type { Transaction } from 'sequelize';
import { builtinTables } from '../billing/default-ratios.ts';
import { effectiveTables } from '../billing/rates.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { maskKey } from '../lib/mask-key.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { OptionFault } from '../schemas/option/kind.ts';
import {
  definitionOf,
  isHiddenOption,
  isOptionKey,
  type OptionDetail,
  type OptionEntry,
  type OptionItem,
  type OptionKey,
  type OptionSet,
  type OptionValues,
  optionKeys,
  priceOptionKeys,
} from '../schemas/option.ts';
import { requireRole } from './actor.ts';
import type { AuditService } from './audit.ts';
import { markHourlySums } from './ledger-mark.ts';
import { checkNeeded, checkNeededAddress, isCalledAddress, strandedSecrets } from './option-guard.ts';
import { openSecret } from './secret.ts';

export interface OptionService {
  /** Reads the whole table; `get` answers from memory from then on. Rows that no longer fit are left out and named. */
  load(): Promise<{ unreadable: string[] }>;
  get<K extends OptionKey>(key: K): OptionValues[K];
  list(actor: Actor): OptionItem[];
  /** As consoles read them: without what is hidden. */
  entries(actor: Actor): OptionEntry[];
  /** As the settings page reads them: what is set, and which prices are the operator's own. */
  details(actor: Actor): OptionDetail[];
  getOne(actor: Actor, key: string): OptionItem;
  set(actor: Actor, key: string, value: string, confirm?: OptionConfirm): Promise<OptionChange>;
  /** All or none: an address and the secret that goes there are changed together. */
  setMany(actor: Actor, entries: OptionSet[], confirm?: OptionConfirm): Promise<OptionChange>;
  reset(actor: Actor, key: string): Promise<OptionChange>;
  /** Whether this value would change anything; throws what `set` throws of a key or value that is none. */
  differs(actor: Actor, entry: OptionSet): boolean;
  /** Whether a value of the operator's own is stored. */
  has(key: OptionKey): boolean;
  /**
   * Values that fit their kind, in the transaction of whatever brings them, without the checks of one value against another;
   * `load` afterwards.
   */
  put(actor: Actor, entries: OptionSet[], transaction: Transaction): Promise<void>;
  /** Called with the keys whose value changed, by whatever process; returns the way to stop. */
  onChange(listener: (keys: OptionKey[]) => void): () => void;
}

export interface OptionConfirm {
  /** The stored secret goes to the new address as well. */
  keepSecret?: boolean;
}

export interface OptionChange {
  /** What was asked for, as it is now. */
  items: OptionItem[];
  /** Secrets that were deleted because nothing is left that they were for. */
  cleared: OptionKey[];
}

export interface OptionServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record'>;
  /** Throws `outbound.refused` for an address that nothing of ours may call. */
  checkAddress(address: string): void;
  now?: Clock;
}

interface Stored {
  text: string;
  value: unknown;
}

export const optionPlace = (key: OptionKey) => `options.value.${key}`;

export function createOptionService(dependencies: OptionServiceDependencies): OptionService {
  const { database, secretBox, audit, checkAddress, now = nowSeconds } = dependencies;
  let stored = new Map<OptionKey, Stored>();
  const listeners = new Set<(keys: OptionKey[]) => void>();

  function get<K extends OptionKey>(key: K): OptionValues[K] {
    return (stored.get(key)?.value ?? definitionOf(key).default) as OptionValues[K];
  }

  async function load(): Promise<{ unreadable: string[] }> {
    const next = new Map<OptionKey, Stored>();
    const unreadable: string[] = [];
    for (const { key, value } of await database.options.findAll({ raw: true })) {
      const row = isOptionKey(key) ? readRow(secretBox, key, value) : undefined;
      if (row && isOptionKey(key)) next.set(key, row);
      else unreadable.push(key);
    }
    replace(next);
    return { unreadable };
  }

  function replace(next: Map<OptionKey, Stored>): void {
    const keys = optionKeys.filter((key) => next.get(key)?.text !== stored.get(key)?.text);
    // A value that did not change stays the same object, so what was made from it stays valid.
    for (const [key, row] of next) {
      const former = stored.get(key);
      if (former?.text === row.text) next.set(key, former);
    }
    stored = next;
    if (keys.length > 0) for (const listener of listeners) listener(keys);
  }

  function item(key: OptionKey): OptionItem {
    const definition = definitionOf(key);
    return {
      key,
      value: definition.secret ? '' : shownText(key, stored.get(key)?.text, get),
      kind: definition.kind,
      card: definition.card,
      secret: definition.secret,
      has: stored.has(key),
    };
  }

  async function setMany(actor: Actor, entries: OptionSet[], confirm: OptionConfirm = {}): Promise<OptionChange> {
    requireRole(actor, role.root);
    const changes = entries.map(({ key, value }) => ({ key: knownKey(key), value }));
    // A console sends back the blank it was shown for what is hidden: that changes nothing.
    const wanted = changes.filter(({ key, value }) => !(isHiddenOption(key) && value === ''));
    const next = new Map(wanted.map(({ key, value }) => [key, readOrRefuse(key, value)]));
    const wantedOrCurrent = <K extends OptionKey>(key: K) => (next.get(key)?.value ?? get(key)) as OptionValues[K];
    for (const [key, { value, text }] of next) {
      checkNeeded(key, value, wantedOrCurrent);
      if (isCalledAddress(key) && text !== '') checkAddress(text);
      checkNeededAddress(key, text, (other) => (next.get(other) ?? stored.get(other) ?? { text: '' }).text !== '');
    }
    const isConfirmed = confirm.keepSecret ?? false;
    const changed = new Set(next.keys());
    const cleared = strandedSecrets({ before: get, after: wantedOrCurrent, changed, isConfirmed });
    await store(actor, next, cleared);
    return { items: changes.map(({ key }) => item(key)), cleared };
  }

  /** All of it or nothing: what is set, and what goes back to its default. */
  async function store(actor: Actor, next: ReadonlyMap<OptionKey, Stored>, dropped: OptionKey[]): Promise<void> {
    const defaults = dropped.map((key): [OptionKey, Stored] => [key, { text: '', value: definitionOf(key).default }]);
    await database.transaction(async (transaction) => {
      for (const [key, row] of next) await write(actor, key, row, transaction);
      for (const key of dropped) await drop(actor, key, transaction);
      await markWhenSumsChange(new Map([...next, ...defaults]), transaction);
    });
    const merged = new Map([...stored, ...next]);
    for (const key of dropped) merged.delete(key);
    replace(merged);
  }

  async function write(actor: Actor, key: OptionKey, row: Stored, transaction: Transaction): Promise<void> {
    const value = definitionOf(key).secret ? secretBox.encrypt(row.text, optionPlace(key)) : row.text;
    await database.options.upsert({ key, value }, { transaction });
    await recordChange(actor, 'option.set', key, row.text, transaction);
  }

  async function drop(actor: Actor, key: OptionKey, transaction: Transaction): Promise<void> {
    await database.options.destroy({ where: { key }, transaction });
    await recordChange(actor, 'option.reset', key, undefined, transaction);
  }

  async function reset(actor: Actor, name: string): Promise<OptionChange> {
    requireRole(actor, role.root);
    const key = knownKey(name);
    const after = <K extends OptionKey>(other: K) =>
      (other === key ? definitionOf(other).default : get(other)) as OptionValues[K];
    const cleared = strandedSecrets({ before: get, after, changed: new Set([key]), isConfirmed: false });
    await store(actor, new Map(), [key, ...cleared]);
    return { items: [item(key)], cleared };
  }

  async function recordChange(
    actor: Actor,
    action: string,
    key: OptionKey,
    after: string | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const shown = (text: string | undefined) => (definitionOf(key).secret && text ? maskKey(text) : text);
    const event = { action, id: key, before: { value: shown(stored.get(key)?.text) }, after: { value: shown(after) } };
    await audit.record(actor, event, transaction);
  }

  /** While sums or logs are off for part of an hour, that hour's sums and log rows cannot be compared. */
  async function markWhenSumsChange(next: ReadonlyMap<OptionKey, Stored>, transaction: Transaction): Promise<void> {
    const isNew = (key: OptionKey) => next.has(key) && next.get(key)?.value !== get(key);
    if (!isNew('LogConsumeEnabled') && !isNew('DataExportEnabled')) return;
    const hasSums = (next.get('DataExportEnabled')?.value ?? get('DataExportEnabled')) === true;
    await markHourlySums(database, hasSums ? { changedAt: now() } : 'stopped', transaction);
  }

  return {
    load,
    get,
    list(actor) {
      requireRole(actor, role.root);
      return optionKeys.map(item);
    },
    entries(actor) {
      requireRole(actor, role.root);
      return optionKeys.filter((key) => !isHiddenOption(key)).map((key) => ({ key, value: item(key).value }));
    },
    details(actor) {
      requireRole(actor, role.root);
      return optionKeys.map((key) => {
        const { value, secret, has } = item(key);
        return { key, value, has, own: secret ? '' : (stored.get(key)?.text ?? '') };
      });
    },
    getOne(actor, key) {
      requireRole(actor, role.root);
      return item(knownKey(key));
    },
    set: (actor, key, value, confirm) => setMany(actor, [{ key, value }], confirm),
    setMany,
    reset,
    differs(actor, { key: name, value }) {
      requireRole(actor, role.root);
      const key = knownKey(name);
      const { text } = readOrRefuse(key, value);
      return text !== (stored.get(key)?.text ?? definitionOf(key).write(definitionOf(key).default));
    },
    has: (key) => stored.has(key),
    async put(actor, entries, transaction) {
      requireRole(actor, role.root);
      const next = new Map(entries.map(({ key, value }) => [knownKey(key), readOrRefuse(knownKey(key), value)]));
      for (const [key, row] of next) await write(actor, key, row, transaction);
      await markWhenSumsChange(next, transaction);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function knownKey(key: string): OptionKey {
  if (!isOptionKey(key)) throw new AppError('option.unknown', { key: key.slice(0, 100) });
  return key;
}

function readRow(secretBox: SecretBox, key: OptionKey, value: string): Stored | undefined {
  const text = definitionOf(key).secret ? openSecret(secretBox, value, optionPlace(key)) : value;
  const reading = definitionOf(key).read(text);
  return 'value' in reading ? { text, value: reading.value } : undefined;
}

function readOrRefuse(key: OptionKey, text: string): Stored {
  const reading = definitionOf(key).read(text);
  if ('fault' in reading) throw refusal(key, reading.fault);
  const value = withoutBuiltins(key, reading.value);
  return { text: definitionOf(key).write(value), value };
}

function refusal(key: OptionKey, { code, ...details }: OptionFault): AppError {
  return new AppError(`option.${code}`, { key, ...details });
}

const builtins: Partial<Record<OptionKey, Readonly<Record<string, number>>>> = {
  ModelRatio: builtinTables.modelRatio,
  ModelPrice: builtinTables.modelPrice,
  CompletionRatio: builtinTables.completionRatio,
  CacheRatio: builtinTables.cacheRatio,
};

/** Older consoles save the whole price map they were shown: only what differs from the built-in table is the operator's own. */
function withoutBuiltins(key: OptionKey, value: unknown): unknown {
  const builtin = builtins[key];
  if (!builtin) return value;
  const own: Record<string, unknown> = Object.create(null);
  for (const [model, number] of Object.entries(value as object)) {
    if (!Object.hasOwn(builtin, model) || builtin[model] !== number) own[model] = number;
  }
  return own;
}

function shownText(key: OptionKey, text: string | undefined, get: OptionService['get']): string {
  const definition = definitionOf(key);
  if (priceOptionKeys.some((priceKey) => priceKey === key)) return JSON.stringify(shownPrices(key, get));
  return text ?? definition.unsetText ?? definition.write(definition.default);
}

function shownPrices(key: OptionKey, get: OptionService['get']): Readonly<Record<string, number>> | undefined {
  const tables = effectiveTables({
    modelRatio: get('ModelRatio'),
    modelPrice: get('ModelPrice'),
    completionRatio: get('CompletionRatio'),
    cacheRatio: get('CacheRatio'),
    groupRatio: get('GroupRatio'),
    quotaPerUnit: get('QuotaPerUnit'),
    selfUse: get('SelfUseModeEnabled'),
  });
  const shown: Partial<Record<OptionKey, Readonly<Record<string, number>>>> = {
    ModelRatio: tables.modelRatio,
    ModelPrice: tables.modelPrice,
    CompletionRatio: tables.completionRatio,
    CacheRatio: tables.cacheRatio,
  };
  return shown[key];
}
