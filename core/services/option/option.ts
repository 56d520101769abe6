import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import {
  isHiddenOption,
  isOptionKey,
  type OptionDetail,
  type OptionEntry,
  type OptionItem,
  type OptionKey,
  type OptionSet,
  type OptionValues,
  optionKeys,
} from '../../schemas/option.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { type CommitChoices, createOptionChange, type OptionPlan } from './change.ts';
import {
  differsFrom,
  knownKey,
  laidOutAs,
  optionDetail,
  optionItem,
  type ReadOption,
  reader,
  readOrRefuse,
  type StoredOption,
  type StoredOptions,
  valuesOf,
} from './value.ts';

export interface OptionService {
  /** Reads the whole table; `get` reads from memory from then on. Rows that no longer fit are left out and named. */
  /** `mayMissSecrets`, from then on: one that cannot be decrypted counts as not set, so that it can be set again. */
  load(choices?: { mayMissSecrets?: boolean }): Promise<{ unreadable: string[] }>;
  get<K extends OptionKey>(key: K): OptionValues[K];
  list(actor: Actor): OptionItem[];
  /** As consoles read them: without what is hidden. */
  entries(actor: Actor): OptionEntry[];
  /** As the settings page reads them: what is set, and which prices are the operator's own. */
  details(actor: Actor): OptionDetail[];
  getOne(actor: Actor, key: string): OptionItem;
  set(actor: Actor, key: string, value: string, confirm?: OptionConfirm): Promise<OptionChange>;
  /** All or none: an address and the secret that goes there are changed together. An entry with a version is refused when stale. */
  setMany(actor: Actor, entries: OptionSet[], confirm?: OptionConfirm): Promise<OptionChange>;
  /**
   * Makes new values from the stored ones, with no other change in between; returns the keys whose value is another now. `work`
   * may be called with values that this process has not read before.
   */
  change(
    actor: Actor,
    work: (get: ReadOption) => Partial<OptionValues>,
    choices?: Pick<CommitChoices, 'from' | 'alsoWrite'>,
  ): Promise<OptionKey[]>;
  reset(actor: Actor, key: string): Promise<OptionChange>;
  /** All or none. */
  resetMany(actor: Actor, keys: string[]): Promise<OptionChange>;
  /** Whether this value would change anything; throws what `set` throws for an invalid key or value. */
  differs(actor: Actor, entry: OptionSet): boolean;
  /** Whether a value of the operator's own is stored. */
  has(key: OptionKey): boolean;
  /**
   * Values that fit their kind, in the transaction of whatever brings them, without the checks of one value against another;
   * `load` afterward.
   */
  put(actor: Actor, entries: OptionSet[], transaction: Transaction): Promise<void>;
  /** Called with the keys whose value changed, by whatever process; returns the way to stop. */
  onChange(listener: (keys: OptionKey[]) => void): () => void;
}

export type OptionConfirm = Pick<CommitChoices, 'keepSecret' | 'from'>;

export interface OptionChange {
  /** What was asked for, as it is now. */
  items: OptionItem[];
  /** Secrets that were deleted because nothing is left that they were for. */
  cleared: OptionKey[];
}

export interface OptionServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record' | 'recordAll'>;
  /** Throws `outbound.refused` for an address that nothing of ours may call. */
  checkAddress(address: string): void;
  now?: Clock;
}

export function createOptionService({ now = nowSeconds, ...dependencies }: OptionServiceDependencies): OptionService {
  let isLenient = false;
  const changes = createOptionChange({ ...dependencies, now, mayMissSecrets: () => isLenient });
  let stored: StoredOptions = new Map<OptionKey, StoredOption>();
  let values = valuesOf(stored);
  /** Grows with every change of ours: what was read before it is out of date. */
  let generation = 0;
  const listeners = new Set<(keys: OptionKey[]) => void>();

  const get: ReadOption = <K extends OptionKey>(key: K) => values.get(key) as OptionValues[K];

  async function load({ mayMissSecrets = isLenient } = {}): Promise<{ unreadable: string[] }> {
    isLenient = mayMissSecrets;
    const seen = generation;
    const { stored: next, unreadable } = await changes.readAll(stored);
    if (seen !== generation) return load();
    replace(next);
    return { unreadable };
  }

  function replace(next: StoredOptions): void {
    const keys = optionKeys.filter((key) => next.get(key)?.text !== stored.get(key)?.text);
    stored = next;
    values = valuesOf(next);
    if (keys.length > 0) for (const listener of listeners) listener(keys);
  }

  async function commit(
    actor: Actor,
    plan: (before: StoredOptions) => OptionPlan,
    choices?: CommitChoices,
  ): Promise<OptionKey[]> {
    requireRole(actor, role.root);
    const { stored: next, cleared } = await changes.commit(actor, stored, plan, choices);
    generation++;
    replace(next);
    return cleared;
  }

  async function setMany(actor: Actor, entries: OptionSet[], confirm: OptionConfirm = {}): Promise<OptionChange> {
    const cleared = await commit(actor, () => ({ set: entries }), confirm);
    return { items: entries.map(({ key }) => optionItem(knownKey(key), stored)), cleared };
  }

  const change: OptionService['change'] = async (actor, work, choices) => {
    let changed: OptionKey[] = [];
    await commit(
      actor,
      (before) => {
        const set = Object.entries(work(reader(before))).flatMap(([name, value]) => {
          const key = knownKey(name);
          const entry = { key, value: laidOutAs(key, value, before.get(key)?.text) };
          return differsFrom(before, key, entry.value) ? [entry] : [];
        });
        changed = set.map(({ key }) => key);
        return { set, isPartial: true };
      },
      choices,
    );
    return changed;
  };

  async function resetMany(actor: Actor, names: string[]): Promise<OptionChange> {
    const keys = names.map(knownKey);
    const cleared = await commit(actor, () => ({ reset: keys }));
    return { items: keys.map((key) => optionItem(key, stored)), cleared };
  }

  return {
    load,
    get,
    list(actor) {
      requireRole(actor, role.root);
      return optionKeys.map((key) => optionItem(key, stored));
    },
    entries(actor) {
      requireRole(actor, role.root);
      return optionKeys
        .filter((key) => !isHiddenOption(key))
        .map((key) => ({ key, value: optionItem(key, stored).value }));
    },
    details(actor) {
      requireRole(actor, role.root);
      return optionKeys.map((key) => optionDetail(key, stored));
    },
    getOne(actor, key) {
      requireRole(actor, role.root);
      // Asked for by name: not found, as a channel or a user would be. A file that names one is bad input.
      if (!isOptionKey(key)) throw new AppError('option.notFound', { key: key.slice(0, 100) });
      return optionItem(key, stored);
    },
    set: (actor, key, value, confirm) => setMany(actor, [{ key, value }], confirm),
    setMany,
    change,
    reset: (actor, key) => resetMany(actor, [key]),
    resetMany,
    differs(actor, entry) {
      requireRole(actor, role.root);
      const key = knownKey(entry.key);
      return differsFrom(stored, key, readOrRefuse(key, entry.value).text);
    },
    has: (key) => stored.has(key),
    async put(actor, entries, transaction) {
      requireRole(actor, role.root);
      await changes.put(actor, stored, entries, transaction);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
