import { selfUseRatio } from '../../billing/default-ratios.ts';
import { neutralRates } from '../../billing/receipt.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Actor } from '../../schemas/actor.ts';
import type { ModelFacts } from '../../schemas/model-fact.ts';
import type { PriceList, PriceRow } from '../../schemas/price-list.ts';
import { isPaidByJob } from '../../schemas/video-price.ts';
import type { UserGroups } from '../group/user-group.ts';
import { makerOf } from '../model/maker.ts';
import type { ServedModels } from '../model/served-model.ts';
import type { ListedModels } from './listed-model.ts';
import type { Pricing } from './pricing.ts';

interface PriceListDependencies {
  servedModels: Pick<ServedModels, 'read'>;
  userGroups: UserGroups;
  pricing: Pick<Pricing, 'find' | 'findJob'>;
  listedModels: Pick<ListedModels, 'facts'>;
}

export interface PriceListService {
  /** For all readers, signed in or not; the ratios of groups are those the reader may choose. */
  read(reader: Actor | undefined): Promise<PriceList>;
}

export function createPriceList({
  servedModels,
  userGroups,
  pricing,
  listedModels,
}: PriceListDependencies): PriceListService {
  return {
    async read(reader) {
      const [served, usable, factsOf] = await Promise.all([
        servedModels.read(),
        userGroups.usableTo(reader),
        listedModels.facts(),
      ]);
      const entries = Object.entries(usable);
      return {
        data: [...served].map(([model, groups]) => ({ ...rowOf(pricing, model, groups), ...factsOf(model) })),
        group_ratio: Object.fromEntries(entries.map(([group, { ratio }]) => [group, ratio])),
        usable_group: Object.fromEntries(entries.map(([group, { desc }]) => [group, desc])),
      };
    },
  };
}

function rowOf(
  pricing: Pick<Pricing, 'find' | 'findJob'>,
  model: string,
  groups: readonly string[],
): Omit<PriceRow, keyof ModelFacts> {
  const { kind, modelPrice, modelRatio, completionRatio, source, ...rates } = figuresOf(pricing, model, groups);
  return {
    model_name: model,
    quota_type: kind === 'price' ? 1 : 0,
    model_ratio: modelRatio,
    model_price: kind === 'price' ? modelPrice : 0,
    owner_by: '',
    maker: makerOf(model) ?? '',
    completion_ratio: completionRatio,
    cache_ratio: rates.cacheRatio,
    create_cache_ratio: rates.createCacheRatio,
    audio_ratio: rates.audioRatio,
    audio_completion_ratio: rates.audioCompletionRatio,
    create_cache_hour_ratio: rates.createCacheHourRatio,
    image_ratio: rates.imageRatio,
    image_completion_ratio: rates.imageCompletionRatio,
    long_prompt: rates.longPrompt ?? null,
    tier_ratios: Object.fromEntries(Object.entries(rates.tierRatios ?? {}).filter(([tier]) => tier !== 'batch')),
    enable_groups: [...groups],
    price_source: source,
  };
}

/** A model's own figures are the same in every group. */
function figuresOf(pricing: Pick<Pricing, 'find' | 'findJob'>, model: string, [group = '']: readonly string[]) {
  try {
    return (isPaidByJob(model) ? pricing.findJob : pricing.find)(model, group).rates;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'model.unpriced')) throw error;
    // Shown at the ratio such a model is served at in self-use mode: 0 would read as free.
    const none = { ...neutralRates, longPrompt: undefined, tierRatios: {} };
    return { ...none, modelRatio: selfUseRatio, source: 'none' } as const;
  }
}
