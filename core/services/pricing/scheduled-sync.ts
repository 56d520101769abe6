import { AppError } from '../../errors/app-error.ts';
import { systemActor } from '../../schemas/actor.ts';
import { maxApplied, type PriceDiffRow } from '../../schemas/price-sync.ts';
import type { OptionService } from '../option/option.ts';
import type { ListedModels } from './listed-model.ts';
import { isSamePrice } from './price-diff.ts';
import type { PriceSync } from './price-sync.ts';
import type { SyncNotice } from './sync-notice.ts';

interface ScheduledSyncDependencies {
  options: Pick<OptionService, 'get' | 'load'>;
  priceSync: PriceSync;
  listedModels: ListedModels;
  syncNotice: Pick<SyncNotice, 'synced' | 'failed'>;
}

export interface SyncOutcome {
  applied: number;
  held: number;
}

/** Takes what the rules allow from the list that the settings name, and tells root of it and of the rest. */
export function createScheduledSync({ options, priceSync, listedModels, syncNotice }: ScheduledSyncDependencies) {
  async function run(): Promise<SyncOutcome> {
    const source = options.get('PriceSyncSource');
    try {
      return await sync(source);
    } catch (error) {
      if (error instanceof AppError) syncNotice.failed(source, error);
      throw error;
    }
  }

  async function sync(source: string): Promise<SyncOutcome> {
    const reading = await priceSync.read(systemActor, { source });
    const before = await listedModels.read();
    const { changes } = await priceSync.find(reading, { scope: 'known', models: [] });
    const allowed = changes.filter(({ row }) => row.held === null).slice(0, maxApplied);
    const seen = allowed.map(({ row: { model, old, next } }) => ({ model, old, next }));
    const models = await priceSync.apply(systemActor, reading, seen, { origin: 'job', isUnasked: true });
    await priceSync.remember(reading);
    const rows = changes.map(({ row }) => row);
    const held = rows.filter(({ held }) => held !== null);
    // What was held before at the same price has been told already.
    const isNews = ({ model }: PriceDiffRow) => {
      const [was, is] = [before.get(model), reading.find(model)?.price];
      return was?.source !== reading.source || !was.price || !is || !isSamePrice(was.price, is);
    };
    const applied = new Set(models);
    syncNotice.synced(reading.source, {
      applied: rows.filter(({ model }) => applied.has(model)),
      held: held.filter(isNews),
    });
    return { applied: models.length, held: held.length };
  }

  return { run };
}

export type ScheduledSync = ReturnType<typeof createScheduledSync>;
