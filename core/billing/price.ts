import type { Usage } from '../canonical/usage.ts';
import { AppError } from '../errors/app-error.ts';
import { type Decimal, decimalOf, decimalText, digitsAtScale, divideHalfUp, multiply, powerOfTen } from './decimal.ts';

/** All that prices one call, as plain numbers: the log row stores them, so that a bill can be computed again from the log. */
export interface Rates {
  kind: 'ratio' | 'price';
  /** 1 = 2 US dollars per million prompt tokens, when 500,000 quota are one dollar. */
  modelRatio: number;
  completionRatio: number;
  cacheRatio: number;
  createCacheRatio: number;
  audioRatio: number;
  /** Against the price of audio input. */
  audioCompletionRatio: number;
  imageRatio: number;
  /** Against the price of image input. */
  imageCompletionRatio: number;
  /** US dollars per call; -1 when the model is priced by ratio. */
  modelPrice: number;
  groupRatio: number;
  quotaPerUnit: number;
  source: 'operator' | 'builtin' | 'list' | 'selfUse';
}

const countedKinds = [
  'prompt',
  'cached',
  'cacheWrite',
  'audioInput',
  'imageInput',
  'completion',
  'audioOutput',
  'imageOutput',
] as const;
type CountedKind = (typeof countedKinds)[number];

/** Rates as whole numbers at one scale: what a token of each kind costs is `perToken[kind] / unit` quota. */
export interface PreparedRates {
  kind: Rates['kind'];
  perToken: Record<CountedKind, bigint>;
  scale: number;
  unit: bigint;
  /** The same as plain numbers, when all of them are whole numbers that a float holds exactly. */
  plain: { perToken: Record<CountedKind, number>; unit: number } | undefined;
  /** Quota for one call, or for one picture of a model that has only a ratio. */
  perCall: Decimal;
}

export interface PriceExtras {
  /** Calls, pictures or tasks paid at once; 1 when left out. */
  calls?: number;
  /** Size and quality of a picture. When set, a model with only a ratio is paid by picture: leave it out when tokens were reported. */
  imageFactor?: number;
}

/** `count` times `rate` is `amount`, and the amounts of a receipt add up to its quota exactly. */
export interface PriceLine {
  /** `rounding` is what the one rounding, or the minimum of 1, added or took. */
  what: CountedKind | 'call' | 'rounding';
  count: number;
  /** Quota per unit, as an exact decimal. */
  rate: string;
  amount: string;
}

export interface Receipt {
  quota: number;
  lines: PriceLine[];
}

// A picture of a model without ModelPrice costs 0.0025 US dollars times its ratio (relay reference, 8.4).
const dollarsPerPictureAndRatio = 0.0025;

/** The expensive part of pricing, done once per model and group. Refuses a rate that is not a number from 0 up. */
export function prepareRates(rates: Rates): PreparedRates {
  const read = (entry: Exclude<keyof Rates, 'kind' | 'source'>): Decimal => {
    const value = rates[entry];
    if (!(Number.isFinite(value) && value >= 0)) {
      throw new AppError('price.invalidRatio', { option: 'rates', entry, value: String(value) });
    }
    return decimalOf(value);
  };
  const group = read('groupRatio');
  const dollar = multiply(read('quotaPerUnit'), group);
  const base = multiply(read('modelRatio'), group);
  const audio = multiply(base, read('audioRatio'));
  const image = multiply(base, read('imageRatio'));
  const exact: Record<CountedKind, Decimal> = {
    prompt: base,
    cached: multiply(base, read('cacheRatio')),
    cacheWrite: multiply(base, read('createCacheRatio')),
    audioInput: audio,
    imageInput: image,
    completion: multiply(base, read('completionRatio')),
    audioOutput: multiply(audio, read('audioCompletionRatio')),
    imageOutput: multiply(image, read('imageCompletionRatio')),
  };
  const scale = Math.max(...countedKinds.map((kind) => exact[kind].scale));
  const perToken = {} as Record<CountedKind, bigint>;
  for (const kind of countedKinds) perToken[kind] = digitsAtScale(exact[kind], scale);
  const perCall =
    rates.kind === 'price'
      ? multiply(read('modelPrice'), dollar)
      : multiply(decimalOf(dollarsPerPictureAndRatio), read('modelRatio'), dollar);
  const unit = powerOfTen(scale);
  return { kind: rates.kind, perToken, scale, unit, plain: asPlain(perToken, unit), perCall };
}

function asPlain(perToken: Record<CountedKind, bigint>, unit: bigint): PreparedRates['plain'] {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  if (unit > largest || countedKinds.some((kind) => perToken[kind] > largest)) return undefined;
  const plain = {} as Record<CountedKind, number>;
  for (const kind of countedKinds) plain[kind] = Number(perToken[kind]);
  return { perToken: plain, unit: Number(unit) };
}

/** What a call costs in quota: exact arithmetic, one rounding at the end. */
export function priceQuota(prepared: PreparedRates, usage: Usage, extras: PriceExtras = {}): number {
  if (isPerCall(prepared, extras)) {
    const calls = extras.calls ?? 1;
    const rate = callRate(prepared, extras);
    return callQuota(wholeCount(calls) * rate.digits, rate, calls);
  }
  const counts = splitUsage(usage);
  const quick = plainQuota(prepared, counts);
  if (quick !== undefined) return quick;
  let exact = 0n;
  for (const kind of countedKinds) {
    if (counts[kind] !== 0) exact += wholeCount(counts[kind]) * prepared.perToken[kind];
  }
  return tokenQuota(exact, prepared, counts);
}

/**
 * The same in floats, a tenth of the work, as long as every step is exact: whole numbers up to 2^53 are. A product or sum beyond
 * that leaves the range for good, because nothing is negative; then, and for the minimum of 1, the answer is undefined.
 */
function plainQuota({ plain }: PreparedRates, counts: Record<CountedKind, number>): number | undefined {
  if (!plain) return undefined;
  const { perToken, unit } = plain;
  let exact = 0;
  for (const kind of countedKinds) {
    const count = counts[kind];
    if (count === 0) continue;
    if (!Number.isSafeInteger(count) || count < 0) return undefined;
    exact += count * perToken[kind];
  }
  if (!(exact <= Number.MAX_SAFE_INTEGER)) return undefined;
  const rest = exact % unit;
  // What is divided is a multiple of the unit, so the division is exact; halves go up.
  const quota = (exact - rest) / unit + (rest * 2 >= unit ? 1 : 0);
  return quota === 0 ? undefined : quota;
}

/** The same quota with the lines that lead to it, for a receipt or a price page. */
export function priceUsage(prepared: PreparedRates, usage: Usage, extras: PriceExtras = {}): Receipt {
  if (isPerCall(prepared, extras)) {
    const calls = extras.calls ?? 1;
    const rate = callRate(prepared, extras);
    const amount = wholeCount(calls) * rate.digits;
    const lines = calls === 0 ? [] : [priceLine('call', calls, rate)];
    return receipt(callQuota(amount, rate, calls), lines, { digits: amount, scale: rate.scale });
  }
  const counts = splitUsage(usage);
  const used = countedKinds.filter((kind) => counts[kind] !== 0);
  const lines = used.map((kind) =>
    priceLine(kind, counts[kind], { digits: prepared.perToken[kind], scale: prepared.scale }),
  );
  const exact = used.reduce((sum, kind) => sum + wholeCount(counts[kind]) * prepared.perToken[kind], 0n);
  return receipt(tokenQuota(exact, prepared, counts), lines, { digits: exact, scale: prepared.scale });
}

/** US dollars per million tokens as the price page shows them; display only, charges never pass through here. */
export function dollarsPerMillion(rates: Rates): { prompt: number; cached: number; completion: number } {
  const prompt = (rates.modelRatio * rates.groupRatio * 1_000_000) / rates.quotaPerUnit;
  const tidy = (value: number) => Number(value.toPrecision(12));
  return {
    prompt: tidy(prompt),
    cached: tidy(prompt * rates.cacheRatio),
    completion: tidy(prompt * rates.completionRatio),
  };
}

function isPerCall(prepared: PreparedRates, extras: PriceExtras): boolean {
  return prepared.kind === 'price' || extras.imageFactor !== undefined;
}

function callRate(prepared: PreparedRates, { imageFactor = 1 }: PriceExtras): Decimal {
  if (!(Number.isFinite(imageFactor) && imageFactor >= 0)) throw new AppError('price.overflow');
  return imageFactor === 1 ? prepared.perCall : multiply(prepared.perCall, decimalOf(imageFactor));
}

/** The parts that have a rate of their own, each token in exactly one of them. */
function splitUsage(usage: Usage): Record<CountedKind, number> {
  const {
    prompt,
    completion,
    cachedRead,
    cacheWrite,
    audioInput,
    audioOutput,
    imageInput = 0,
    imageOutput = 0,
  } = usage;
  return {
    // An upstream that reports parts above their sum is charged for the parts.
    prompt: Math.max(prompt - cachedRead - cacheWrite - audioInput - imageInput, 0),
    cached: cachedRead,
    cacheWrite,
    audioInput,
    imageInput,
    completion: Math.max(completion - audioOutput - imageOutput, 0),
    audioOutput,
    imageOutput,
  };
}

function wholeCount(count: number): bigint {
  if (!Number.isSafeInteger(count) || count < 0) throw new AppError('price.overflow');
  return BigInt(count);
}

/** Halves up; at least 1 for any token of a model that is not free (relay reference, 5). */
function tokenQuota(exact: bigint, { perToken, unit }: PreparedRates, counts: Record<CountedKind, number>): number {
  const quota = divideHalfUp(exact, unit);
  const isPaid = quota === 0n && perToken.prompt > 0n && countedKinds.some((kind) => counts[kind] > 0);
  return inRange(isPaid ? 1n : quota);
}

/** A fixed price is cut, not rounded; at least 1 when it is not 0 (relay reference, 5). */
function callQuota(exact: bigint, rate: Decimal, calls: number): number {
  const quota = exact / powerOfTen(rate.scale);
  return inRange(quota === 0n && rate.digits > 0n && calls > 0 ? 1n : quota);
}

function inRange(quota: bigint): number {
  if (quota > BigInt(Number.MAX_SAFE_INTEGER)) throw new AppError('price.overflow');
  return Number(quota);
}

function priceLine(what: PriceLine['what'], count: number, rate: Decimal): PriceLine {
  const amount = { digits: BigInt(count) * rate.digits, scale: rate.scale };
  return { what, count, rate: decimalText(rate), amount: decimalText(amount) };
}

function receipt(quota: number, lines: PriceLine[], exact: Decimal): Receipt {
  const rest = { digits: BigInt(quota) * powerOfTen(exact.scale) - exact.digits, scale: exact.scale };
  return rest.digits === 0n ? { quota, lines } : { quota, lines: [...lines, priceLine('rounding', 1, rest)] };
}
