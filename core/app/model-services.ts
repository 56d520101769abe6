import { createModelService } from '../services/model/model.ts';
import { createModelSettings } from '../services/model/model-setting.ts';
import { createServedModels } from '../services/model/served-model.ts';
import { createPriceList } from '../services/pricing/price-list.ts';
import { createPriceRehearsal } from '../services/pricing/price-rehearsal.ts';
import { createPriceSettings } from '../services/pricing/price-setting.ts';
import { createPricing, rateTablesOf } from '../services/pricing/pricing.ts';
import { createRehearsalService } from '../services/rehearsal.ts';
import { createSearchService } from '../services/search.ts';
import type { CommonServices } from './common-services.ts';
import type { Installation } from './installation.ts';

/** Models that are served, and what they cost. */
export function createModelServices({ now, database, options, userGroups }: Installation & CommonServices) {
  const pricing = createPricing(() => rateTablesOf(options.get));
  options.onChange(() => pricing.forget());
  const servedModels = createServedModels({ database });
  const models = createModelService({ servedModels, userGroups });
  return {
    pricing,
    servedModels,
    models,
    search: createSearchService({ database, models }),
    modelSettings: createModelSettings(options),
    priceList: createPriceList({ servedModels, userGroups, pricing }),
    priceRehearsals: createPriceRehearsal({ now, database, options }),
    priceSettings: createPriceSettings({ options, pricing, servedModels }),
    rehearsals: createRehearsalService({ database, options, servedModels }),
  };
}

export type ModelServices = ReturnType<typeof createModelServices>;
