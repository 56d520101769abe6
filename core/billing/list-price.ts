import { createRequire } from 'node:module';
import type { ModelPrice } from '@pydantic/genai-prices';
import type { LongPrompt } from '../schemas/option/json.ts';

/** A vendor's public price, as ratios; a figure the list does not have is undefined. */
export interface ListRatios {
  modelRatio: number;
  completionRatio: number | undefined;
  cacheRatio: number | undefined;
  createCacheRatio: number | undefined;
  createCacheHourRatio: number | undefined;
  audioRatio: number | undefined;
  audioCompletionRatio: number | undefined;
  imageRatio: number | undefined;
  imageCompletionRatio: number | undefined;
  longPrompt: LongPrompt | undefined;
}

type PriceList = typeof import('@pydantic/genai-prices');

let loaded: PriceList | undefined;

/** Looks a model up in the price list that ships with the program; undefined when it is not there or not priced by tokens. */
export function listRatiosFor(model: string): ListRatios | undefined {
  const found = priceList().calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { timestamp: noon(new Date()) });
  return found ? ratiosOf(found.model_price) : undefined;
}

/** Tokens of prompt and completion together that fit into a call; undefined where the list does not have the model or its size. */
export function contextWindowOf(model: string): number | undefined {
  return priceList().calcPrice({ input_tokens: 0, output_tokens: 0 }, model)?.model.context_window;
}

// Loading takes about 40 ms, so it waits until a model needs it; required, not imported, so that the lookup stays synchronous.
function priceList(): PriceList {
  loaded ??= createRequire(import.meta.url)('@pydantic/genai-prices') as PriceList;
  return loaded;
}

// Some vendors charge by the hour of the day: noon UTC gives one response for the whole day, and not the night discount.
function noon(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12));
}

function ratiosOf(prices: ModelPrice): ListRatios | undefined {
  // Keys ending in _mtok are US dollars per million tokens.
  const input = dollars(prices, 'input_mtok');
  const output = dollars(prices, 'output_mtok');
  const audioInput = dollars(prices, 'input_audio_mtok');
  const imageInput = dollars(prices, 'input_image_mtok');
  // Without an input price there is nothing the other prices could be a multiple of, unless all is free.
  if (input === undefined || (input === 0 && output)) return undefined;
  return {
    modelRatio: tidy(input / 2),
    completionRatio: share(output, input),
    cacheRatio: share(dollars(prices, 'cache_read_mtok'), input),
    createCacheRatio: share(dollars(prices, 'cache_write_mtok'), input),
    createCacheHourRatio: share(dollars(prices, 'cache_write_1h_mtok'), input),
    audioRatio: share(audioInput, input),
    audioCompletionRatio: share(dollars(prices, 'output_audio_mtok') ?? output, audioInput ?? input),
    imageRatio: share(imageInput, input),
    imageCompletionRatio: share(dollars(prices, 'output_image_mtok') ?? output, imageInput ?? input),
    longPrompt: longPromptOf(prices),
  };
}

/** The price of a prompt of usual length. */
function dollars(prices: ModelPrice, key: string): number | undefined {
  const price = prices[key];
  return typeof price === 'object' ? price.base : price;
}

/** No list price has more than one step for long prompts; a price without one stays as it is. */
function longPromptOf(prices: ModelPrice): LongPrompt | undefined {
  const { input_mtok: input } = prices;
  const step = typeof input === 'object' ? input.tiers[0] : undefined;
  if (!step) return undefined;
  const prompt = stepFactor(prices, 'input_mtok');
  const completion = stepFactor(prices, 'output_mtok');
  return { above: step.start, prompt, cached: stepFactor(prices, 'cache_read_mtok', prompt), completion };
}

function stepFactor(prices: ModelPrice, key: string, fallback = 1): number {
  const price = prices[key];
  if (price === undefined) return fallback;
  const step = typeof price === 'object' ? price.tiers[0] : undefined;
  return typeof price === 'object' && step && price.base > 0 ? tidy(step.price / price.base) : 1;
}

function share(part: number | undefined, whole: number): number | undefined {
  if (part === undefined) return undefined;
  return whole === 0 ? 1 : tidy(part / whole);
}

// Ten decimals, as the built-in table has them: 0.6 / 0.15 shall be 4.
function tidy(ratio: number): number {
  return Number(ratio.toFixed(10));
}
