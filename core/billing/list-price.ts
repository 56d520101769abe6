import { createRequire } from 'node:module';
import type { ModelPrice, PriceCalculation } from '@pydantic/genai-prices';
import { type ModelFacts, modalities, noFacts } from '../schemas/model-fact.ts';
import type { LongPrompt } from '../schemas/option/json.ts';
import type { ListedPrice } from '../schemas/price-sync.ts';

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
export const listRatiosFor = (model: string): ListRatios | undefined => listEntryOf(model)?.ratios;

/** What the list says of a model besides its ratios. */
export interface ListEntry {
  facts: ModelFacts;
  /** Undefined where it is not priced by tokens, or costs nothing. */
  price: ListedPrice | undefined;
  ratios: ListRatios | undefined;
}

const maxEntries = 20_000;
/** A look-up takes half a millisecond; prices may change with the day. */
const known = { day: 0, entries: new Map<string, ListEntry | undefined>() };

/** Undefined where the list does not have the model. */
export function listEntryOf(model: string): ListEntry | undefined {
  const today = noon(new Date());
  if (known.day !== today.getTime() || known.entries.size >= maxEntries) {
    known.day = today.getTime();
    known.entries.clear();
  }
  if (known.entries.has(model)) return known.entries.get(model);
  const found = find(model, today);
  const prices = found?.model_price;
  const entry = found && prices && { facts: factsOf(found), price: pricesOf(prices), ratios: ratiosOf(prices) };
  known.entries.set(model, entry ?? undefined);
  return entry ?? undefined;
}

function find(model: string, timestamp: Date): PriceCalculation | undefined {
  const { calcPrice } = priceList();
  const nothing = { input_tokens: 0, output_tokens: 0 };
  const found = calcPrice(nothing, model, { timestamp });
  if (found) return found;
  for (const providerId of unnamedMakers()) {
    const named = calcPrice(nothing, model, { timestamp, providerId });
    if (named) return named;
  }
  return undefined;
}

let unnamed: readonly string[] | undefined;

/** The list does not know them by the name of a model: they are asked for each that it finds nowhere else. */
function unnamedMakers(): readonly string[] {
  unnamed ??= makers.filter((providerId) => !priceList().findProvider({ providerId })?.model_match);
  return unnamed;
}

/** Tokens of prompt and completion together that fit into a call; undefined where the list does not have the model or its size. */
export const contextWindowOf = (model: string): number | undefined =>
  listEntryOf(model)?.facts.context_window || undefined;

/** Vendors of models of their own, by the ids of the list. */
const makers = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
  'moonshotai',
  'perplexity',
  'minimax',
];

/** The names the list has of its own; more names fit its patterns. */
export function listedModels(): string[] {
  const ids = makers.flatMap(
    (providerId) =>
      priceList()
        .findProvider({ providerId })
        ?.models.map(({ id }) => id) ?? [],
  );
  return [...new Set(ids)];
}

function factsOf({ model, model_price: prices }: PriceCalculation): ModelFacts {
  const has = (part: string) => Object.keys(prices).some((key) => key.includes(part));
  // The list names no modalities, but it has prices for them.
  const inputs = modalities.filter((one) => has(`input_${one}_`));
  const outputs = modalities.filter((one) => has(`output_${one}_`));
  const isKnown = inputs.length + outputs.length > 0;
  return {
    ...noFacts,
    context_window: model.context_window ?? 0,
    is_deprecated: model.deprecated ?? false,
    ...(isKnown && { input_modalities: ['text', ...inputs], output_modalities: ['text', ...outputs] }),
  };
}

function pricesOf(prices: ModelPrice): ListedPrice | undefined {
  const [input, output] = [dollars(prices, 'input_mtok'), dollars(prices, 'output_mtok')];
  if (!input) return undefined;
  const [cached, cacheWrite] = [dollars(prices, 'cache_read_mtok'), dollars(prices, 'cache_write_mtok')];
  const step = longPromptOf(prices);
  const long = step && {
    above: step.above,
    input: tidy(input * step.prompt),
    cached: tidy((cached ?? input) * step.cached),
    output: tidy((output ?? input) * step.completion),
  };
  return {
    input,
    ...(cached && { cached }),
    ...(cacheWrite && { cache_write: cacheWrite }),
    ...(output && { output }),
    ...(long && { long_prompt: long }),
  };
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
