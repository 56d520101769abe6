import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { lockName } from '../../database/named-lock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { maskKey } from '../../lib/mask-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import {
  definitionOf,
  isHiddenOption,
  isOptionKey,
  type OptionConflict,
  type OptionKey,
  type OptionSet,
} from '../../schemas/option.ts';
import type { PriceOrigin } from '../../schemas/price-sync.ts';
import type { AuditService } from '../audit.ts';
import { markHourlySums } from '../ledger/ledger-mark.ts';
import { priceChanges } from '../pricing/price-change.ts';
import { rateTablesOf } from '../pricing/pricing.ts';
import {
  checkDefaultGroup,
  checkNeeded,
  checkPaymentAddress,
  checkStillNeeded,
  isCalledAddress,
  strandedSecrets,
} from './guard.ts';
import {
  differsFrom,
  knownKey,
  optionDetail,
  optionPlace,
  type ReadOption,
  reader,
  readOrRefuse,
  readRow,
  type StoredOption,
  type StoredOptions,
  versionOf,
} from './value.ts';

export interface OptionChangeDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'record' | 'recordAll'>;
  /** Throws `outbound.refused` for an address that nothing of ours may call. */
  checkAddress(address: string): void;
  now: Clock;
  /** Whether a secret that cannot be decrypted counts as not set. */
  mayMissSecrets(): boolean;
}

/** A change that is worked out from the options as they are stored at that moment. */
export interface OptionPlan {
  set?: OptionSet[];
  reset?: OptionKey[];
  /** Entries of maps are changed: what a whole form needs before it is saved does not count. */
  isPartial?: boolean;
}

/** Where new prices come from: how they got here, and the list they were taken from. */
export interface ChangeOrigin {
  origin: PriceOrigin;
  list?: string;
}

export interface CommitChoices {
  /** The stored secret goes to the new address as well. */
  keepSecret?: boolean | undefined;
  /** For the history of prices; a person at the console, or the command line, when left out. */
  from?: ChangeOrigin | undefined;
  /** What is stored with the new values or not at all. */
  alsoWrite?: ((get: ReadOption, transaction: Transaction) => Promise<void>) | undefined;
}

export interface OptionOutcome {
  /** Everything that is stored afterward. */
  stored: StoredOptions;
  /** Secrets that were deleted because nothing is left that they were for. */
  cleared: OptionKey[];
}

type Written = Pick<StoredOption, 'text' | 'value'>;

/** Reads and changes the options in one transaction, one change at a time over all processes: no edit is lost. */
export function createOptionChange(dependencies: OptionChangeDependencies) {
  const { database, secretBox, audit, checkAddress, now, mayMissSecrets } = dependencies;

  /** `known`: rows this process has read already, so that only new texts are parsed. */
  async function readAll(known: StoredOptions, transaction?: Transaction) {
    const stored = new Map<OptionKey, StoredOption>();
    const unreadable: string[] = [];
    for (const { key, value } of await database.options.findAll({ raw: true, transaction })) {
      const row = isOptionKey(key) ? (sameRow(known, key, value) ?? readOrKeep(known, key, value)) : undefined;
      if (row && isOptionKey(key)) stored.set(key, row);
      else unreadable.push(key);
    }
    return { stored, unreadable };
  }

  /**
   * A secret that cannot be decrypted any more stays in force as it was read before: one damaged row must not keep every other change
   * away. A start without it is refused, because what it protects would be open.
   */
  function readOrKeep(known: StoredOptions, key: OptionKey, column: string): StoredOption | undefined {
    try {
      return readRow(secretBox, key, column);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'secret.unreadable') throw error;
      if (known.has(key) || mayMissSecrets()) return known.get(key);
      throw new AppError('option.unreadable', { key }, { cause: error });
    }
  }

  function commit(
    actor: Actor,
    known: StoredOptions,
    plan: (stored: StoredOptions) => OptionPlan,
    { keepSecret = false, from, alsoWrite }: CommitChoices = {},
  ): Promise<OptionOutcome> {
    return database.transaction(async (transaction) => {
      await lockName(database, 'options', transaction);
      const { stored } = await readAll(known, transaction);
      const { set = [], reset = [], isPartial = false } = plan(stored);
      await refuseStale(set, stored, transaction);
      const next = readEntries(set);
      const cleared = check({ next, reset, stored, isPartial }, keepSecret);
      const dropped = [...reset, ...cleared];
      const change = { actor, stored, transaction };
      const after = new Map(stored);
      const origin = from ?? { origin: actor.id > 0 ? 'console' : 'cli' };
      for (const [key, row] of next) after.set(key, await write(change, key, row));
      for (const key of dropped) {
        await drop(change, key);
        after.delete(key);
      }
      await recordPrices(change, after, origin);
      await markWhenSumsChange(stored, after, transaction);
      await alsoWrite?.(reader(after), transaction);
      return { stored: after, cleared };
    });
  }

  /** Values that fit their kind, without the checks of one value against another. */
  async function put(actor: Actor, known: StoredOptions, entries: OptionSet[], transaction: Transaction) {
    await lockName(database, 'options', transaction);
    const { stored } = await readAll(known, transaction);
    const after = new Map(stored);
    const change = { actor, stored, transaction };
    for (const [key, row] of readEntries(entries)) after.set(key, await write(change, key, row));
    await recordPrices(change, after, { origin: 'import' });
    await markWhenSumsChange(stored, after, transaction);
  }

  function readEntries(entries: OptionSet[]): Map<OptionKey, Written> {
    // A console sends back the blank it was shown for what is hidden: that changes nothing.
    const wanted = entries
      .map(({ key, value }) => ({ key: knownKey(key), value }))
      .filter(({ key, value }) => !(isHiddenOption(key) && value === ''));
    return new Map(wanted.map(({ key, value }) => [key, readOrRefuse(key, value)]));
  }

  /** A caller that names the version its change was made from gets an error when that is no longer the stored one. */
  async function refuseStale(entries: OptionSet[], stored: StoredOptions, transaction: Transaction): Promise<void> {
    const stale = entries.flatMap(({ key: name, value, version }) => {
      const key = knownKey(name);
      const row = stored.get(key);
      // Two people who wrote the same do not block each other.
      return version === undefined || version === (row?.version ?? '') || row?.text === value ? [] : [key];
    });
    if (stale.length === 0) return;
    const conflicts: OptionConflict[] = [];
    for (const key of stale) conflicts.push({ ...optionDetail(key, stored), ...(await lastChange(key, transaction)) });
    const names = [...new Set(conflicts.map(({ changed_by }) => changed_by).filter(Boolean))].join(', ');
    throw new AppError('option.stale', { keys: stale.join(', '), names: names || 'system' }, { data: { conflicts } });
  }

  async function lastChange(key: OptionKey, transaction: Transaction) {
    const where = { object_kind: 'option', object_id: key };
    const row = await database.audits.findOne({ where, order: [['id', 'DESC']], raw: true, transaction });
    return { changed_by: row?.actor_name ?? '', changed_at: row?.created_at ?? 0 };
  }

  /** Returns the secrets that are left without an address. */
  function check({ next, reset, stored, isPartial }: Wanted, isConfirmed: boolean): OptionKey[] {
    const before = reader(stored);
    const wanted = new Map(stored) as Map<OptionKey, StoredOption>;
    for (const key of reset) wanted.delete(key);
    for (const [key, row] of next) wanted.set(key, { ...row, version: '' });
    const after = reader(wanted);
    for (const [key, { value, text }] of next) {
      checkNeeded(key, value, after);
      if (isCalledAddress(key) && text !== '') checkAddress(text);
    }
    checkStillNeeded(before, after);
    checkDefaultGroup(before, after);
    const differs = (key: OptionKey, text: string) => differsFrom(stored, key, text);
    if (!isPartial) checkPaymentAddress({ next, before, after, differs });
    const changed = new Set([...next.keys(), ...reset]);
    return strandedSecrets({ before, after, changed, isConfirmed });
  }

  interface Wanted {
    next: ReadonlyMap<OptionKey, Written>;
    reset: OptionKey[];
    stored: StoredOptions;
    isPartial: boolean;
  }

  interface Change {
    actor: Actor;
    /** As it was before. */
    stored: StoredOptions;
    transaction: Transaction;
  }

  async function write(change: Change, key: OptionKey, row: Written): Promise<StoredOption> {
    const { transaction } = change;
    const value = definitionOf(key).secret ? secretBox.encrypt(row.text, optionPlace(key)) : row.text;
    await database.options.upsert({ key, value }, { transaction });
    await record(change, 'option.set', key, row.text);
    return { ...row, version: versionOf(value) };
  }

  async function drop(change: Change, key: OptionKey): Promise<void> {
    const { transaction } = change;
    await database.options.destroy({ where: { key }, transaction });
    await record(change, 'option.reset', key, undefined);
  }

  async function record(
    { actor, stored, transaction }: Change,
    action: string,
    key: OptionKey,
    after: string | undefined,
  ): Promise<void> {
    const shown = (text: string | undefined) => (definitionOf(key).secret && text ? maskKey(text) : text);
    const event = { action, id: key, before: { value: shown(stored.get(key)?.text) }, after: { value: shown(after) } };
    await audit.record(actor, event, transaction);
  }

  /** The history of each model's price, in dollars; the settings themselves are whole tables. */
  async function recordPrices(
    { actor, stored, transaction }: Change,
    after: StoredOptions,
    from: ChangeOrigin,
  ): Promise<void> {
    const tablesOf = (options: StoredOptions) => rateTablesOf(reader(options));
    const events = priceChanges(tablesOf(stored), tablesOf(after)).map(({ model, before, after: now }) => ({
      action: 'price.change',
      id: model,
      before: { ...before },
      after: { ...now, ...from },
    }));
    await audit.recordAll(actor, events, transaction);
  }

  /** While sums or logs are off for part of an hour, that hour's sums and log rows cannot be compared. */
  async function markWhenSumsChange(
    before: StoredOptions,
    after: StoredOptions,
    transaction: Transaction,
  ): Promise<void> {
    const [was, is] = [reader(before), reader(after)];
    const isNew = (key: 'LogConsumeEnabled' | 'DataExportEnabled') => was(key) !== is(key);
    if (!isNew('LogConsumeEnabled') && !isNew('DataExportEnabled')) return;
    await markHourlySums(database, is('DataExportEnabled') ? { changedAt: now() } : 'stopped', transaction);
  }

  return { readAll, commit, put };
}

/** A value that did not change stays the same object, so what was made from it stays valid. */
function sameRow(known: StoredOptions, key: OptionKey, column: string): StoredOption | undefined {
  const row = known.get(key);
  return row?.version === versionOf(column) ? row : undefined;
}
