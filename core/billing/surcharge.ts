import type { ServerTool, ServerToolUse, ServiceTier } from '../canonical/usage.ts';
import { serverTools, serviceTiers } from '../schemas/surcharge.ts';
import type { RatioMap } from './default-ratios.ts';

/**
 * US dollars per thousand uses. Entries are `tool` or `tool:model`, a model may end in `*`. From the vendors' price pages,
 * September to November 2026: OpenAI (search 10, older search with models that do not reason 25, file search 2.50, a container
 * 0.03 each, pictures of gpt-image-1 by quality and size), Anthropic (search 10), Google (14 per 1,000 queries, 35 per 1,000
 * grounded responses, maps 25), xAI (search 5, live search 25 per 1,000 sources), Perplexity (responses by model and context;
 * deep research 5 per 1,000 queries, 2 and 3 per million tokens of citations and reasoning).
 */
const builtinToolPrice: RatioMap = {
  web_search: 10,
  'web_search:grok-*': 5,
  web_search_preview: 25,
  file_search: 2.5,
  code_interpreter: 30,
  'code_interpreter:grok-*': 5,
  image_low: 11,
  image_low_wide: 16,
  image_medium: 42,
  image_medium_wide: 63,
  image_high: 167,
  image_high_wide: 250,
  google_search: 14,
  google_search_answer: 35,
  google_maps: 25,
  x_search: 5,
  search_source: 25,
  'search_low:sonar': 5,
  'search_medium:sonar': 8,
  'search_high:sonar': 12,
  'search_low:sonar-reasoning': 5,
  'search_medium:sonar-reasoning': 8,
  'search_high:sonar-reasoning': 12,
  'search_low:sonar-pro': 6,
  'search_medium:sonar-pro': 10,
  'search_high:sonar-pro': 14,
  // On top of the fee by context: 14, 18 and 22 together.
  'search_pro:sonar-pro': 8,
  'search_low:sonar-reasoning-pro': 6,
  'search_medium:sonar-reasoning-pro': 10,
  'search_high:sonar-reasoning-pro': 14,
  'search_query:sonar-deep-research': 5,
  'citation_token:sonar-deep-research': 0.002,
  'reasoning_token:sonar-deep-research': 0.003,
};

/**
 * Factors on the price of tokens. Entries are `tier` or `tier:model`; without one the list price stands, so a tier that is paid
 * for in another way (Anthropic's and OpenAI's committed capacity) and a look-alike's own tier names change nothing. From the
 * vendors' price pages, November 2026; where only prices are given, priority price by list price.
 */
const builtinTierRatio: RatioMap = {
  'flex:gpt-*': 0.5,
  // Open weights: other vendors serve them, and their tiers cost the same.
  'flex:gpt-oss*': 1,
  'priority:gpt-oss*': 1,
  'flex:o3*': 0.5,
  'flex:o4-*': 0.5,
  'flex:gemini-*': 0.5,
  'batch:gpt-*': 0.5,
  'batch:o3*': 0.5,
  'batch:o4-*': 0.5,
  'batch:claude-*': 0.5,
  'batch:gemini-*': 0.5,
  'priority:gpt-*': 2,
  'priority:gpt-5.5*': 2.5,
  'priority:gpt-5-mini*': 1.8,
  'priority:gpt-4.1*': 1.75,
  'priority:gpt-4.1-nano*': 2,
  'priority:gpt-4o*': 1.7,
  'priority:gpt-4o-2024-05-13': 1.75,
  'priority:gpt-4o-mini*': 1.6666666667,
  'priority:o3*': 1.75,
  'priority:o4-mini*': 1.8181818182,
  'priority:gemini-*': 1.8,
  'fast:claude-*': 2,
  'fast:claude-opus-4-6*': 6,
  'fast:claude-opus-4-7*': 6,
  'us:claude-opus-4-6*': 1.1,
  'us:claude-opus-4-7*': 1.1,
  'us:claude-opus-4-8*': 1.1,
  'us:claude-opus-5*': 1.1,
  'us:claude-sonnet-4-6*': 1.1,
  'us:claude-sonnet-5*': 1.1,
  'us:claude-haiku-5*': 1.1,
  'us:claude-fable-5*': 1.1,
  'us:claude-mythos-5*': 1.1,
};

/** What each tool of an upstream costs with a model; any entry of the operator counts before the built-in ones. */
export function toolPricesFor(own: RatioMap | undefined, model: string): ServerToolUse {
  return pricesOf<ServerTool>(serverTools, [own, builtinToolPrice], model);
}

/** The factors of the tiers that have one. */
export function tierRatiosFor(own: RatioMap | undefined, model: string): Partial<Record<ServiceTier, number>> {
  return pricesOf<ServiceTier>(serviceTiers, [own, builtinTierRatio], model);
}

function pricesOf<N extends string>(names: readonly N[], maps: (RatioMap | undefined)[], model: string) {
  const prices: Partial<Record<N, number>> = {};
  for (const name of names) {
    const price = maps.map((map) => map && entryOf(map, name, model)).find((entry) => entry !== undefined);
    if (price !== undefined) prices[name] = price;
  }
  return prices;
}

/** The entry for the model, else for the longest beginning of its name, else for all models. */
function entryOf(map: RatioMap, name: string, model: string): number | undefined {
  const exact = `${name}:${model}`;
  if (Object.hasOwn(map, exact)) return map[exact];
  let best: string | undefined;
  for (const key of Object.keys(map)) {
    const fits = key.startsWith(`${name}:`) && key.endsWith('*') && exact.startsWith(key.slice(0, -1));
    if (fits && key.length > (best?.length ?? 0)) best = key;
  }
  if (best !== undefined) return map[best];
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
