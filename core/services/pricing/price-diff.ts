import { isStep, type Steps } from '../../lib/steps.ts';
import type { HeldReason, ListedPrice, PriceDiffRow } from '../../schemas/price-sync.ts';
import type { ReadOption } from '../option/value.ts';
import { entriesOfPrice, figuresIn, ownEntriesText, type PriceEntries, tablesWith } from './price-figure.ts';
import type { PriceReading } from './price-reading.ts';
import { rateTablesOf } from './pricing.ts';

/** What may be changed unasked. */
export interface SyncRules {
  /** Prices that a person set, too. */
  ownPrices: boolean;
  /** In percent of the old price, up or down. */
  maxPercent: number;
  /** Models that have no price. */
  newPrices: boolean;
}

const syncRulesOf = (get: ReadOption): SyncRules => ({
  ownPrices: get('PriceSyncOwnPrices'),
  maxPercent: get('PriceSyncMaxPercent'),
  newPrices: get('PriceSyncNewPrices'),
});

export interface DiffContext {
  get: ReadOption;
  reading: PriceReading;
  served: ReadonlyMap<string, readonly string[]>;
  /** The entries a sync stored, as texts by model. */
  applied: ReadonlyMap<string, string>;
}

export interface PlannedChange {
  row: PriceDiffRow;
  entries: PriceEntries;
}

/** Says for one model after the other what a list changes: undefined where the list has no price, null where the price stays. */
export function createDiff({ get, reading, served, applied }: DiffContext) {
  const tables = rateTablesOf(get);
  const rules = syncRulesOf(get);
  return (model: string): PlannedChange | null | undefined => {
    const listed = reading.find(model)?.price;
    if (!listed) return undefined;
    const now = figuresIn(tables, model);
    const entries = entriesOfPrice(model, listed, {
      quotaPerUnit: tables.quotaPerUnit,
      step: reading.saysSteps ? null : now?.rates.longPrompt,
    });
    const next = figuresIn(tablesWith(tables, model, entries), model);
    if (!next) return undefined;
    const old = now && now.rates.source !== 'selfUse' ? now.figures : null;
    if (old && isSamePrice(old, next.figures)) return null;
    const change = old && largestChange(old, next.figures);
    const isOwn = isOwnPrice(get, applied, model);
    return {
      row: {
        model,
        old,
        old_source: now?.rates.source ?? 'none',
        next: next.figures,
        change,
        held: heldReason({ old, change, isOwn }, rules),
        groups: [...(served.get(model) ?? [])],
      },
      entries,
    };
  };
}

export interface FoundChanges {
  changes: PlannedChange[];
  /** Models whose price stays. */
  same: number;
  /** Served, and not in the list. */
  missing: string[];
}

export function* diffSteps(models: readonly string[], context: DiffContext): Steps<FoundChanges> {
  const changeOf = createDiff(context);
  const found: FoundChanges = { changes: [], same: 0, missing: [] };
  for (const [index, model] of models.entries()) {
    if (isStep(index)) yield;
    const change = changeOf(model);
    if (change) found.changes.push(change);
    else if (change === null) found.same += 1;
    else if (context.served.has(model)) found.missing.push(model);
  }
  return found;
}
/** An entry that a sync stored and that has not changed since is not the operator's own. */
function isOwnPrice(get: ReadOption, applied: ReadonlyMap<string, string>, model: string): boolean {
  const own = ownEntriesText(get, model);
  return own !== '' && own !== applied.get(model);
}

function heldReason(
  { old, change, isOwn }: { old: ListedPrice | null; change: number | null; isOwn: boolean },
  { ownPrices, maxPercent, newPrices }: SyncRules,
): HeldReason | null {
  if (isOwn && !ownPrices) return 'own';
  if (!old) return newPrices ? null : 'new';
  if (change === null) return 'kind';
  return Math.abs(change) > maxPercent ? 'tooMuch' : null;
}

const plainKeys = ['input', 'cached', 'cache_write', 'output', 'call'] as const;

/** Ratios have ten decimals, so a price comes back with a small error. */
const isSame = (one: number, other: number) => Math.abs(one - other) <= Math.abs(one) * 1e-6;

export function isSamePrice(one: ListedPrice, other: ListedPrice): boolean {
  const figures = (price: ListedPrice) => [
    ...plainKeys.map((key) => price[key] ?? -1),
    ...(price.long_prompt ? Object.values(price.long_prompt) : []),
  ];
  const [ones, others] = [figures(one), figures(other)];
  return ones.length === others.length && ones.every((value, index) => isSame(value, others[index] ?? -1));
}

/** Null where a price by tokens becomes one per call, or the other way round. */
function largestChange(old: ListedPrice, next: ListedPrice): number | null {
  if ((old.call === undefined) !== (next.call === undefined)) return null;
  const pairs = [...plainKeys.map((key) => [old[key], next[key]]), ...longPairs(old, next)];
  const percents = pairs.flatMap(([was, is]) => {
    if (was === undefined || is === undefined || isSame(was, is)) return [];
    return [was > 0 ? (is / was - 1) * 100 : noughtPercent];
  });
  const largest = percents.sort((a, b) => Math.abs(b) - Math.abs(a))[0] ?? 0;
  return Number(largest.toFixed(2));
}

/** From nothing to something is beyond every limit. */
const noughtPercent = 1_000_000;

/** A prompt beyond the step costs the plain price where there is no step. */
function longPairs(old: ListedPrice, next: ListedPrice): [number | undefined, number | undefined][] {
  const long = (price: ListedPrice, key: 'input' | 'cached' | 'output') => (price.long_prompt ?? price)[key];
  return (['input', 'cached', 'output'] as const).map((key) => [long(old, key), long(next, key)]);
}
