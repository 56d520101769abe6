import pricing from './default-pricing.json' with { type: 'json' };

export type RatioMap = Readonly<Record<string, number>>;

/** One line of an ordered list: the first that fits a name decides. Absent conditions always hold. */
interface CompletionRule {
  exact?: string;
  exact_any_case?: string;
  prefix?: string;
  suffix?: string;
  contains?: string;
  except_prefixes?: string[];
  except_suffixes?: string[];
  ratio: number;
  /** A fixed ratio is the vendor's own; one that is not fixed is a guess from the model's family. */
  fixed: boolean;
}

interface AudioRule {
  contains: string[];
  suffix?: string;
  ratio: number;
}

const completionRules: readonly CompletionRule[] = pricing.completion_rules;
const audioRules: readonly AudioRule[] = pricing.audio_rules;
const hdQuality: Readonly<Record<string, RatioMap>> = pricing.image_hd_quality;

/** The prices that are known without any option. */
export const builtinTables = {
  modelRatio: pricing.model_ratio as RatioMap,
  modelPrice: pricing.model_price as RatioMap,
  completionRatio: pricing.completion_ratio as RatioMap,
  cacheRatio: pricing.cache_ratio as RatioMap,
  createCacheRatio: pricing.create_cache_ratio as RatioMap,
};

export const defaultCacheRatio = pricing.cache_ratio_default;
export const defaultCreateCacheRatio = pricing.create_cache_ratio_default;
export const defaultAudioCompletionRatio = pricing.audio_completion_ratio;
/** For any model without a price while SelfUseModeEnabled is on. */
export const selfUseRatio = pricing.self_use_ratio;

/** The entry for a name, or the one its family shares. Own keys only: a model may be called `constructor`. */
export function entryFor(map: RatioMap | undefined, model: string): number | undefined {
  if (!map) return undefined;
  if (Object.hasOwn(map, model)) return map[model];
  const family = gizmoFamily(model);
  return family !== undefined && Object.hasOwn(map, family) ? map[family] : undefined;
}

export function completionRuleFor(model: string): { ratio: number; fixed: boolean } {
  return completionRules.find((rule) => fits(rule, model)) ?? { ratio: 1, fixed: false };
}

/** Only realtime and audio models have an audio price of their own; others charge audio tokens as text. */
export function audioRuleFor(model: string): number | undefined {
  const rule = audioRules.find(
    ({ contains, suffix = '' }) => contains.every((part) => model.includes(part)) && model.endsWith(suffix),
  );
  return rule?.ratio;
}

/** What size and quality make of the price of one picture. */
export function imageFactor(model: string, size = '1024x1024', quality = 'standard'): number {
  const sizeFactor = entryFor(pricing.image_size, size) ?? 1;
  const hd = quality === 'hd' && Object.hasOwn(hdQuality, model) ? hdQuality[model] : undefined;
  return sizeFactor * (entryFor(hd, size) ?? 1);
}

// Every custom GPT is a model name of its own; all of one kind share a price.
function gizmoFamily(model: string): string | undefined {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*';
  return undefined;
}

function fits(rule: CompletionRule, model: string): boolean {
  return (
    (rule.exact === undefined || model === rule.exact) &&
    (rule.exact_any_case === undefined || model.toLowerCase() === rule.exact_any_case) &&
    model.startsWith(rule.prefix ?? '') &&
    model.endsWith(rule.suffix ?? '') &&
    model.includes(rule.contains ?? '') &&
    !rule.except_prefixes?.some((prefix) => model.startsWith(prefix)) &&
    !rule.except_suffixes?.some((suffix) => model.endsWith(suffix))
  );
}
