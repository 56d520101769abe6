import type { ServerTool, ServiceTier, Usage } from '../canonical/usage.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongPrompt } from '../schemas/option/json.ts';
import { type Decimal, decimalOf, digitsAtScale, multiply, powerOfTen, withoutNoughts } from './decimal.ts';

/** All that prices one call, as plain numbers: the log row stores them, so that a bill can be computed again from the log. */
export interface Rates {
  kind: 'ratio' | 'price';
  /** 1 = 2 US dollars per million prompt tokens, when 500,000 quota are one dollar. */
  modelRatio: number;
  completionRatio: number;
  cacheRatio: number;
  createCacheRatio: number;
  /** For what is kept an hour; against the price of the prompt, too. */
  createCacheHourRatio: number;
  audioRatio: number;
  /** Against the price of audio input. */
  audioCompletionRatio: number;
  imageRatio: number;
  /** Against the price of image input. */
  imageCompletionRatio: number;
  /** US dollars per call; -1 when the model is priced by ratio. */
  modelPrice: number;
  /** For prompts beyond a length; absent when every length has one price. */
  longPrompt?: LongPrompt;
  /** US dollars per thousand uses of a tool that the upstream ran. */
  toolPrices?: Partial<Record<ServerTool, number>>;
  /** Factors on the price of tokens; a tier without one has the standard price. */
  tierRatios?: Partial<Record<ServiceTier, number>>;
  groupRatio: number;
  quotaPerUnit: number;
  source: 'operator' | 'builtin' | 'list' | 'selfUse';
}

export const countedKinds = [
  'prompt',
  'cached',
  'cacheWrite',
  'cacheWriteHour',
  'audioInput',
  'imageInput',
  'completion',
  'audioOutput',
  'imageOutput',
] as const;
export type CountedKind = (typeof countedKinds)[number];

/** Rates as whole numbers at one scale: what a token of each kind costs is `perToken[kind] / unit` quota. */
export interface PreparedRates {
  kind: Rates['kind'];
  perToken: Record<CountedKind, bigint>;
  scale: number;
  unit: bigint;
  /** Those of text as plain numbers, when all of them are whole numbers that a float holds exactly. */
  plain: PlainRates | undefined;
  /** Quota for one call, or for one picture of a model that has only a ratio. */
  perCall: Decimal;
  /** Prompts above this many tokens have a price of their own. */
  longAbove: number;
  rates: Rates;
  /** The same rates for a long prompt or another service tier, made when the first such call comes. */
  variants: Map<string, PreparedRates>;
}

interface PlainRates {
  prompt: number;
  cached: number;
  cacheWrite: number;
  completion: number;
  unit: number;
}

export interface PriceTerms {
  longPrompt?: LongPrompt;
  tiers?: { tier: ServiceTier; ratio: number }[];
}

// A picture of a model without ModelPrice costs 0.0025 US dollars times its ratio (relay reference, 8.4).
const dollarsPerPictureAndRatio = 0.0025;

/** The expensive part of pricing, done once per model and group. Refuses a rate that is not a number from 0 up. */
export function prepareRates(rates: Rates): PreparedRates {
  return prepareFor(rates, {});
}

function prepareFor(rates: Rates, terms: PriceTerms): PreparedRates {
  const exact = exactRates(rates, terms);
  const scale = Math.max(...countedKinds.map((kind) => exact[kind].scale));
  const perToken = {} as Record<CountedKind, bigint>;
  for (const kind of countedKinds) perToken[kind] = digitsAtScale(exact[kind], scale);
  const dollar = dollarQuota(rates);
  const perCall =
    rates.kind === 'price'
      ? multiply(readRate(rates, 'modelPrice'), dollar)
      : multiply(decimalOf(dollarsPerPictureAndRatio), readRate(rates, 'modelRatio'), dollar);
  const unit = powerOfTen(scale);
  const longAbove = rates.longPrompt?.above ?? Number.POSITIVE_INFINITY;
  const plain = asPlain(perToken, unit);
  return { kind: rates.kind, perToken, scale, unit, plain, perCall, longAbove, rates, variants: new Map() };
}

/** Quota per token of each kind. */
function exactRates(rates: Rates, { longPrompt, tiers = [] }: PriceTerms): Record<CountedKind, Decimal> {
  const read = (entry: NumberRate) => readRate(rates, entry);
  const base = multiply(
    read('modelRatio'),
    read('groupRatio'),
    ...tiers.map(({ ratio }) => factor('tierRatios', ratio)),
  );
  const input = longPrompt ? multiply(base, factor('longPrompt', longPrompt.prompt)) : base;
  const cached = longPrompt ? multiply(base, factor('longPrompt', longPrompt.cached)) : base;
  const output = longPrompt ? multiply(base, factor('longPrompt', longPrompt.completion)) : base;
  const [audio, image] = [read('audioRatio'), read('imageRatio')];
  const exact = {
    prompt: input,
    cached: multiply(cached, read('cacheRatio')),
    cacheWrite: multiply(input, read('createCacheRatio')),
    cacheWriteHour: multiply(input, read('createCacheHourRatio')),
    audioInput: multiply(input, audio),
    imageInput: multiply(input, image),
    completion: multiply(output, read('completionRatio')),
    audioOutput: multiply(output, audio, read('audioCompletionRatio')),
    imageOutput: multiply(output, image, read('imageCompletionRatio')),
  };
  for (const kind of countedKinds) exact[kind] = withoutNoughts(exact[kind]);
  return exact;
}

type NumberRate = Exclude<keyof Rates, 'kind' | 'source' | 'longPrompt' | 'toolPrices' | 'tierRatios'>;

function readRate(rates: Rates, entry: NumberRate): Decimal {
  return factor(entry, rates[entry]);
}

export function factor(entry: string, value: number): Decimal {
  if (!(Number.isFinite(value) && value >= 0)) {
    throw new AppError('price.invalidRatio', { option: 'rates', entry, value: String(value) });
  }
  return decimalOf(value);
}

/** Quota of one US dollar in this group. */
export function dollarQuota(rates: Rates): Decimal {
  return multiply(readRate(rates, 'quotaPerUnit'), readRate(rates, 'groupRatio'));
}

function asPlain({ prompt, cached, cacheWrite, completion }: Record<CountedKind, bigint>, unit: bigint) {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  if ([prompt, cached, cacheWrite, completion, unit].some((value) => value > largest)) return undefined;
  const [text, written] = [Number(prompt), Number(cacheWrite)];
  return {
    prompt: text,
    cached: Number(cached),
    cacheWrite: written,
    completion: Number(completion),
    unit: Number(unit),
  };
}

/** Terms of this call that differ from the standard price; undefined when none do. */
export function termsOf(rates: Rates, usage: Usage): PriceTerms | undefined {
  const { longPrompt, tierRatios = {} } = rates;
  const isLong = longPrompt !== undefined && usage.prompt > longPrompt.above;
  const tiers = (usage.serviceTiers ?? []).flatMap((tier) => {
    const ratio = tierRatios[tier];
    return ratio === undefined || ratio === 1 ? [] : [{ tier, ratio }];
  });
  if (rates.kind === 'price' || (!isLong && tiers.length === 0)) return undefined;
  return { ...(isLong && { longPrompt }), ...(tiers.length > 0 && { tiers }) };
}

/** Tiers are few and known names, so there are few variants. */
export function variantOf(prepared: PreparedRates, terms: PriceTerms): PreparedRates {
  const key = [terms.longPrompt ? 'long' : '', ...(terms.tiers ?? []).map(({ tier }) => tier)].join('+');
  const known = prepared.variants.get(key);
  if (known) return known;
  const made = prepareFor(prepared.rates, terms);
  prepared.variants.set(key, made);
  return made;
}
