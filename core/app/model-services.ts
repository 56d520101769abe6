import { createLimitService } from '../services/limit/limit.ts';
import { createModelService } from '../services/model/model.ts';
import { createModelSettings } from '../services/model/model-setting.ts';
import { createServedModels } from '../services/model/served-model.ts';
import { createListedModels } from '../services/pricing/listed-model.ts';
import { createPriceHistory } from '../services/pricing/price-history.ts';
import { createPriceList } from '../services/pricing/price-list.ts';
import { createPriceOffers } from '../services/pricing/price-offer.ts';
import { createPriceRehearsal } from '../services/pricing/price-rehearsal.ts';
import { createPriceSettings } from '../services/pricing/price-setting.ts';
import { createPriceSync } from '../services/pricing/price-sync.ts';
import { createPricing, rateTablesOf } from '../services/pricing/pricing.ts';
import { createScheduledSync } from '../services/pricing/scheduled-sync.ts';
import { createSyncNotice } from '../services/pricing/sync-notice.ts';
import { createRehearsalService } from '../services/rehearsal.ts';
import { createSearchService } from '../services/search.ts';
import type { CommonServices } from './common-services.ts';
import { type Installation, warn } from './installation.ts';
import type { NoticeServices } from './notice-services.ts';

/** Models that are served, what they cost, and what limits calls to them. */
export function createModelServices({
  now,
  logger,
  database,
  outbound,
  options,
  audit,
  userGroups,
  notices,
}: Installation & CommonServices & Pick<NoticeServices, 'notices'>) {
  const pricing = createPricing(() => rateTablesOf(options.get));
  options.onChange(() => pricing.forget());
  const servedModels = createServedModels({ database });
  const models = createModelService({ servedModels, userGroups });
  const listedModels = createListedModels({ now, database });
  const priceRehearsals = createPriceRehearsal({ now, database, options });
  const priceSync = createPriceSync({ options, servedModels, listedModels, audit, outbound, priceRehearsals });
  const syncNotice = createSyncNotice({ database, notices, onError: warn(logger, 'root could not be told') });
  return {
    pricing,
    servedModels,
    models,
    limits: createLimitService({ now, database, audit, models, timeZone: () => options.get('LimitTimeZone') }),
    search: createSearchService({ database, models }),
    modelSettings: createModelSettings(options),
    priceList: createPriceList({ servedModels, userGroups, pricing, listedModels }),
    listedModels,
    priceRehearsals,
    priceSettings: createPriceSettings({ options, pricing, servedModels, listedModels }),
    priceSync,
    priceOffers: createPriceOffers({ database, options, servedModels, listedModels }),
    priceHistory: createPriceHistory({ audit }),
    scheduledSync: createScheduledSync({ options, priceSync, listedModels, syncNotice }),
    syncNotice,
    rehearsals: createRehearsalService({ database, options, servedModels }),
  };
}

export type ModelServices = ReturnType<typeof createModelServices>;
