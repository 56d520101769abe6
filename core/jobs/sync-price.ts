import type { OptionService } from '../services/option/option.ts';
import type { ScheduledSync } from '../services/pricing/scheduled-sync.ts';
import type { Job } from './job.ts';

interface SyncPriceDependencies {
  scheduledSync: ScheduledSync;
  options: Pick<OptionService, 'get'>;
}

/** Takes prices from the list that the settings name. Off until PriceSyncHours is set. */
export function syncPriceJob({ scheduledSync, options }: SyncPriceDependencies): Job {
  return {
    name: 'sync-price',
    schedule() {
      const hours = options.get('PriceSyncHours');
      return hours > 0 ? { everySeconds: hours * 3600 } : undefined;
    },
    run: async () => ({ ...(await scheduledSync.run()) }),
  };
}
