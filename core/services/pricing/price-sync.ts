import { AppError } from '../../errors/app-error.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import { finishInTurns } from '../../lib/steps.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import {
  maxApplied,
  maxDiffRows,
  type PriceDiff,
  type PriceOrigin,
  type PriceSyncApply,
  type PriceSyncPreview,
  type PriceSyncRehearse,
  type SeenChange,
  shownFaults,
} from '../../schemas/price-sync.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { ServedModels } from '../model/served-model.ts';
import type { OptionService } from '../option/option.ts';
import type { ReadOption } from '../option/value.ts';
import type { ListedModels } from './listed-model.ts';
import { createDiff, diffSteps, type FoundChanges, isSamePrice, type PlannedChange } from './price-diff.ts';
import { entriesOfPrice, figuresIn, mapsWith, ownEntriesText, type PriceEntries } from './price-figure.ts';
import { type PriceReading, readPrices } from './price-reading.ts';
import type { PriceRehearsals } from './price-rehearsal.ts';
import { rateTablesOf } from './pricing.ts';
import { modelsInScope } from './sync-scope.ts';

export interface PriceSyncDependencies {
  options: Pick<OptionService, 'get' | 'change'>;
  servedModels: Pick<ServedModels, 'read'>;
  listedModels: ListedModels;
  audit: Pick<AuditService, 'record'>;
  outbound: Pick<Outbound, 'fetchBytes'>;
  priceRehearsals: Pick<PriceRehearsals, 'rehearse'>;
  /** For the whole call to a source. */
  timeoutMs?: number | undefined;
}

export interface ApplyOptions {
  origin: PriceOrigin;
  /** Leaves out what the rules protect or what has changed meanwhile; else that is an error and nothing is changed. */
  isUnasked?: boolean;
}

export type PriceSync = ReturnType<typeof createPriceSync>;

/** Takes prices from a list, in two steps: what would change, and the change itself. */
export function createPriceSync(dependencies: PriceSyncDependencies) {
  const { options, servedModels, listedModels, audit, outbound, priceRehearsals, timeoutMs } = dependencies;

  async function read(actor: Actor, input: Pick<PriceSyncPreview, 'source' | 'content'>): Promise<PriceReading> {
    requireRole(actor, role.root);
    return readPrices(input, { outbound, timeoutMs });
  }

  async function find(reading: PriceReading, { scope, models }: Pick<PriceSyncPreview, 'scope' | 'models'>) {
    const served = await servedModels.read();
    const applied = await appliedTexts();
    const names = modelsInScope(options.get, { reading, served, scope, patterns: models });
    const context = { get: options.get, reading, served, applied };
    return { names, ...(await finishInTurns(diffSteps(names, context))) };
  }

  async function appliedTexts(): Promise<ReadonlyMap<string, string>> {
    listedModels.forget();
    return new Map([...(await listedModels.read())].map(([model, { applied }]) => [model, applied]));
  }

  /** Changes nothing. */
  async function compare(
    actor: Actor,
    reading: PriceReading,
    choice: Pick<PriceSyncPreview, 'scope' | 'models'>,
  ): Promise<PriceDiff> {
    requireRole(actor, role.root);
    const { names, ...found } = await find(reading, choice);
    return diffOf(reading, names, found);
  }

  /** Everything that was seen, or nothing: a price that is another one by now is not overwritten. */
  async function apply(
    actor: Actor,
    reading: PriceReading,
    changes: readonly SeenChange[],
    { origin, isUnasked = false }: ApplyOptions,
  ): Promise<string[]> {
    requireRole(actor, role.root);
    if (changes.length > maxApplied) throw new AppError('priceSync.tooMany', { max: maxApplied });
    const served = await servedModels.read();
    const applied = await appliedTexts();
    const planned = new Map<string, PriceEntries>();
    await options.change(
      actor,
      (get) => {
        planned.clear();
        const changeOf = createDiff({ get, reading, served, applied });
        for (const seen of changes) {
          const change = changeOf(seen.model);
          const isCurrent = change && isAsSeen(change, seen);
          if (isUnasked && (!isCurrent || change.row.held)) continue;
          if (!isCurrent) throw new AppError('priceSync.moved', { model: seen.model });
          planned.set(seen.model, change.entries);
        }
        return mapsWith(get, planned);
      },
      {
        from: { origin, list: reading.source },
        // A price without this mark would count as the operator's own, which a sync leaves alone.
        async alsoWrite(get, transaction) {
          const models = [...planned.keys()];
          if (models.length === 0) return;
          await listedModels.markApplied(reading.source, textsOf(get, models), transaction);
          const after = { list: reading.source, models: models.length };
          await audit.record(
            actor,
            { action: 'priceSync.apply', id: reading.source.slice(0, 200), after },
            transaction,
          );
        },
      },
    );
    listedModels.forget();
    return [...planned.keys()];
  }

  /** What the list says besides prices, and the prices of models that are not served yet. */
  async function remember(reading: PriceReading): Promise<void> {
    const served = await servedModels.read();
    const scope = reading.format === 'packaged' ? 'known' : 'all';
    const names = modelsInScope(options.get, { reading, served, scope, patterns: [] });
    await listedModels.store(reading, names);
  }

  return {
    read,
    find,
    compare,
    apply,
    remember,
    async preview(actor: Actor, input: PriceSyncPreview): Promise<PriceDiff> {
      return compare(actor, await read(actor, input), input);
    },
    async applySeen(actor: Actor, { changes, ...input }: PriceSyncApply): Promise<{ models: string[] }> {
      const reading = await read(actor, input);
      const models = await apply(actor, reading, changes, { origin: 'sync' });
      await remember(reading);
      return { models };
    },
    /** What the requests of the last days would have cost at the prices that were seen. */
    rehearse(actor: Actor, { changes, days }: PriceSyncRehearse) {
      requireRole(actor, role.root);
      const quotaPerUnit = options.get('QuotaPerUnit');
      const tables = rateTablesOf(options.get);
      const planned = new Map(
        changes.map(({ model, next }) => {
          const hasStep = figuresIn(tables, model)?.rates.longPrompt !== undefined;
          return [model, entriesOfPrice(model, next, { quotaPerUnit, step: hasStep ? null : undefined })];
        }),
      );
      return priceRehearsals.rehearse(actor, { options: mapsWith(options.get, planned), days });
    },
  };
}

const isAsSeen = ({ row }: PlannedChange, { old, next }: SeenChange) =>
  isSamePrice(row.next, next) && (row.old && old ? isSamePrice(row.old, old) : row.old === old);

const textsOf = (get: ReadOption, models: readonly string[]) =>
  new Map(models.map((model) => [model, ownEntriesText(get, model)]));

function diffOf(reading: PriceReading, names: readonly string[], found: FoundChanges): PriceDiff {
  const isMeant = new Set(names);
  const faults = reading.faults.filter(({ model }) => isMeant.has(model) || isMeant.has(bareName(model)));
  const rows = found.changes.map(({ row }) => row).sort(byService);
  return {
    source: reading.source,
    format: reading.format,
    listed: reading.listed,
    rows: rows.slice(0, maxDiffRows),
    total: rows.length,
    same: found.same,
    missing: found.missing,
    faults: shownFaults(faults),
    fault_count: faults.length,
  };
}

const bareName = (model: string) => model.slice(model.lastIndexOf('/') + 1);

const byService = (one: PlannedChange['row'], other: PlannedChange['row']) =>
  Number(other.groups.length > 0) - Number(one.groups.length > 0) || one.model.localeCompare(other.model);
