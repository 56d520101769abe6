import { isPricedBySecond, largeVideoFactor } from '../../../../core/schemas/video-price.ts';
import type { PriceRow } from '../../api/pricing.ts';

export const units = ['1M', '1K'] as const;
export type Unit = (typeof units)[number];

const tokensIn: Record<Unit, number> = { '1M': 1_000_000, '1K': 1000 };

/** In quota, as everything is counted; the caller converts it to money. */
export type ModelPrice = { perCall: number } | VideoPrices | TokenPrices;

/** Of one second, and of one that is larger than the price is meant for. */
interface VideoPrices {
  perSecond: number;
  perLargeSecond: number;
}

/** What has no price of its own is left out: it costs what text in the prompt or in the response does. */
interface TokenPrices {
  prompt: number;
  completion: number;
  cached?: number;
  cacheWrite?: number;
  cacheWriteHour?: number;
  imageInput?: number;
  imageOutput?: number;
  audioInput?: number;
  audioOutput?: number;
  /** Of calls whose prompt has more than `above` tokens. */
  long?: { above: number; prompt: number; cached: number; completion: number };
  /** By the service tier that a request asks for. */
  tiers?: { tier: string; prompt: number; completion: number }[];
}

interface PriceTerms {
  groupRatio: number;
  unit: Unit;
  quotaPerUnit: number;
}

/** What so many tokens, or one call, cost in a group. Undefined while there is no price and calls are refused. */
export function priceOf(row: PriceRow, { groupRatio, unit, quotaPerUnit }: PriceTerms): ModelPrice | undefined {
  if (row.price_source === 'none') return undefined;
  if (row.quota_type === 1) {
    const once = row.model_price * quotaPerUnit * groupRatio;
    if (isPricedBySecond(row.model_name)) return { perSecond: once, perLargeSecond: once * largeVideoFactor };
    return { perCall: once };
  }
  const prompt = row.model_ratio * groupRatio * tokensIn[unit];
  const { cache_ratio, create_cache_ratio, create_cache_hour_ratio, audio_ratio, image_ratio } = row;
  const completion = prompt * row.completion_ratio;
  const imageOutput = prompt * image_ratio * row.image_completion_ratio;
  return {
    prompt,
    completion,
    ...(cache_ratio !== 1 && { cached: prompt * cache_ratio }),
    ...(create_cache_ratio !== 1 && { cacheWrite: prompt * create_cache_ratio }),
    ...(audio_ratio !== 1 && {
      audioInput: prompt * audio_ratio,
      audioOutput: prompt * audio_ratio * row.audio_completion_ratio,
    }),
    // Other vendors keep what was written for one time only.
    ...(row.maker === 'Anthropic' &&
      create_cache_ratio !== create_cache_hour_ratio && { cacheWriteHour: prompt * create_cache_hour_ratio }),
    ...(image_ratio !== 1 && { imageInput: prompt * image_ratio }),
    // Without a price of its own a picture that is drawn costs what text does.
    ...(Math.abs(imageOutput - completion) > completion * 1e-9 && imageOutput > 0 && { imageOutput }),
    ...(row.long_prompt && {
      long: {
        above: row.long_prompt.above,
        prompt: prompt * row.long_prompt.prompt,
        cached: prompt * cache_ratio * row.long_prompt.cached,
        completion: completion * row.long_prompt.completion,
      },
    }),
    tiers: Object.entries(row.tier_ratios)
      .filter(([, ratio]) => ratio !== 1)
      .map(([tier, ratio]) => ({ tier, prompt: prompt * ratio, completion: completion * ratio })),
  };
}
