import type { ServerTool, Usage } from '../canonical/usage.ts';
import { AppError } from '../errors/app-error.ts';
import { type Decimal, decimalOf, decimalText, digitsAtScale, divideHalfUp, multiply, powerOfTen } from './decimal.ts';
import {
  type CountedKind,
  countedKinds,
  dollarQuota,
  factor,
  type PreparedRates,
  type PriceTerms,
  type Rates,
  termsOf,
  variantOf,
} from './prepared-rates.ts';

// All that a console needs to price a call comes from this file.
export { type PreparedRates, type PriceTerms, prepareRates, type Rates } from './prepared-rates.ts';

export interface PriceExtras {
  /** Calls, pictures or tasks paid at once; 1 when left out. */
  calls?: number;
  /** Size and quality of a picture. When set, a model with only a ratio is paid by picture: leave it out when tokens were reported. */
  imageFactor?: number;
}

/** `count` times `rate` is `amount`, and the amounts of a receipt add up to its quota exactly. */
export interface PriceLine {
  /** `rounding` is what the one rounding, or the minimum of 1, added or took. */
  what: CountedKind | ServerTool | 'call' | 'rounding';
  count: number;
  /** Quota per unit, as an exact decimal. */
  rate: string;
  amount: string;
}

export interface Receipt {
  quota: number;
  lines: PriceLine[];
  /** What the rates of the lines already contain, where that is not the standard price. */
  terms?: PriceTerms;
}

/** What a call costs in quota: exact arithmetic, one rounding at the end. */
export function priceQuota(prepared: PreparedRates, usage: Usage, extras: PriceExtras = {}): number {
  if (isPerCall(prepared, extras)) {
    const calls = extras.calls ?? 1;
    const rate = callRate(prepared, extras);
    return callQuota(wholeCount(calls) * rate.digits, rate, calls);
  }
  if (usage.serverTools || usage.serviceTiers || usage.prompt > prepared.longAbove) {
    return priceUsage(prepared, usage, extras).quota;
  }
  const quick = plainQuota(prepared, usage);
  if (quick !== undefined) return quick;
  const counts = splitUsage(usage);
  let exact = 0n;
  for (const kind of countedKinds) {
    if (counts[kind] !== 0) exact += wholeCount(counts[kind]) * prepared.perToken[kind];
  }
  return inRange(atLeastOne(divideHalfUp(exact, prepared.unit), isPaid(prepared, counts)));
}

/**
 * The same for calls of text alone, in floats, a small part of the work, as long as every step is exact: whole numbers up to 2^53
 * are. A product or sum beyond that leaves the range for good, because nothing is negative; then, and for the minimum of 1, the
 * result is undefined.
 */
function plainQuota({ plain }: PreparedRates, usage: Usage): number | undefined {
  const { prompt, completion, cachedRead, cacheWrite } = usage;
  if (!plain || usage.audioInput !== 0 || usage.audioOutput !== 0) return undefined;
  if (usage.imageInput || usage.imageOutput || usage.cacheWriteHour) return undefined;
  if (!isCount(prompt) || !isCount(completion) || !isCount(cachedRead) || !isCount(cacheWrite)) return undefined;
  const text = Math.max(prompt - cachedRead - cacheWrite, 0);
  const exact =
    text * plain.prompt + cachedRead * plain.cached + cacheWrite * plain.cacheWrite + completion * plain.completion;
  if (!(exact <= Number.MAX_SAFE_INTEGER)) return undefined;
  const rest = exact % plain.unit;
  // What is divided is a multiple of the unit, so the division is exact; halves go up.
  const quota = (exact - rest) / plain.unit + (rest * 2 >= plain.unit ? 1 : 0);
  return quota === 0 ? undefined : quota;
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
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
  const terms = termsOf(prepared.rates, usage);
  const tokens = terms ? variantOf(prepared, terms) : prepared;
  const counts = splitUsage(usage);
  const used = countedKinds.filter((kind) => counts[kind] !== 0);
  const entries = [
    ...used.map((kind): Entry => [kind, counts[kind], { digits: tokens.perToken[kind], scale: tokens.scale }]),
    ...toolEntries(prepared.rates, usage),
  ];
  const exact = sumOf(entries);
  const paid = isPaid(tokens, counts) || exact.digits > 0n;
  const quota = inRange(atLeastOne(divideHalfUp(exact.digits, powerOfTen(exact.scale)), paid));
  const lines = entries.map(([what, count, rate]) => priceLine(what, count, rate));
  return { ...receipt(quota, lines, exact), ...(terms && { terms }) };
}

type Entry = [what: PriceLine['what'], count: number, rate: Decimal];

function toolEntries(rates: Rates, { serverTools = {} }: Usage): Entry[] {
  const uses = Object.entries(serverTools) as [ServerTool, number][];
  return uses.flatMap(([tool, count]): Entry[] => {
    const price = rates.toolPrices?.[tool];
    if (price === undefined || count === 0) return [];
    // Priced by the thousand.
    const { digits, scale } = multiply(factor('toolPrices', price), dollarQuota(rates));
    return [[tool, count, { digits, scale: scale + 3 }]];
  });
}

function sumOf(entries: Entry[]): Decimal {
  const scale = Math.max(0, ...entries.map(([, , rate]) => rate.scale));
  const digits = entries.reduce((sum, [, count, rate]) => sum + wholeCount(count) * digitsAtScale(rate, scale), 0n);
  return { digits, scale };
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
    cacheWriteHour = 0,
    audioInput,
    audioOutput,
    imageInput = 0,
    imageOutput = 0,
  } = usage;
  const hour = Math.min(cacheWriteHour, cacheWrite);
  return {
    // An upstream that reports parts above their sum is charged for the parts.
    prompt: Math.max(prompt - cachedRead - cacheWrite - audioInput - imageInput, 0),
    cached: cachedRead,
    cacheWrite: cacheWrite - hour,
    cacheWriteHour: hour,
    audioInput,
    imageInput,
    completion: Math.max(completion - audioOutput - imageOutput, 0),
    audioOutput,
    imageOutput,
  };
}

function wholeCount(count: number): bigint {
  if (!isCount(count)) throw new AppError('price.overflow');
  return BigInt(count);
}

/** Any token of a model that is not free. */
function isPaid({ perToken }: PreparedRates, counts: Record<CountedKind, number>): boolean {
  return perToken.prompt > 0n && countedKinds.some((kind) => counts[kind] > 0);
}

/** What is paid for costs at least 1 (relay reference, 5). */
function atLeastOne(quota: bigint, paid: boolean): bigint {
  return quota === 0n && paid ? 1n : quota;
}

/** A fixed price is cut, not rounded; at least 1 when it is not 0 (relay reference, 5). */
function callQuota(exact: bigint, rate: Decimal, calls: number): number {
  const quota = exact / powerOfTen(rate.scale);
  return inRange(atLeastOne(quota, rate.digits > 0n && calls > 0));
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
