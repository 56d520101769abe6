import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dollarsPerMillion,
  type PriceExtras,
  prepareRates,
  priceQuota,
  priceUsage,
  type Rates,
} from '../../../core/billing/price.ts';
import { emptyUsage, type ServiceTier, type Usage } from '../../../core/canonical/usage.ts';
import { AppError } from '../../../core/errors/app-error.ts';

const plain: Rates = {
  kind: 'ratio',
  modelRatio: 1,
  completionRatio: 1,
  cacheRatio: 1,
  createCacheRatio: 1.25,
  createCacheHourRatio: 2,
  audioRatio: 1,
  audioCompletionRatio: 1,
  imageRatio: 1,
  imageCompletionRatio: 1,
  modelPrice: -1,
  groupRatio: 1,
  quotaPerUnit: 500_000,
  source: 'builtin',
};

interface Case {
  what: string;
  rates: Partial<Rates>;
  usage?: Partial<Usage>;
  extras?: PriceExtras;
  quota: number;
}

const perCall = (modelPrice: number, rest: Partial<Rates> = {}): Partial<Rates> => ({
  kind: 'price',
  modelRatio: 0,
  modelPrice,
  ...rest,
});

/** 3 US dollars per million as Anthropic's, doubled above 200,000; the response one and a half times. */
const longRates: Partial<Rates> = {
  modelRatio: 1.5,
  completionRatio: 5,
  cacheRatio: 0.1,
  longPrompt: { above: 200_000, prompt: 2, cached: 2, completion: 1.5 },
};

// Every figure worked out by hand from the relay reference, section 5.
const cases: Case[] = [
  // (1000 + 500 × 4) × 0.075 = 225
  {
    what: 'prompt and completion',
    rates: { modelRatio: 0.075, completionRatio: 4 },
    usage: { prompt: 1000, completion: 500 },
    quota: 225,
  },
  { what: 'no tokens', rates: { modelRatio: 15 }, usage: {}, quota: 0 },
  { what: 'half a unit, up', rates: { modelRatio: 0.5 }, usage: { prompt: 3 }, quota: 2 },
  { what: 'under half a unit, down', rates: { modelRatio: 0.49 }, usage: { prompt: 5 }, quota: 2 }, // 2.45
  { what: 'at least 1', rates: { modelRatio: 0.001 }, usage: { prompt: 1 }, quota: 1 },
  { what: 'a free model', rates: { modelRatio: 0 }, usage: { prompt: 9000, completion: 9000 }, quota: 0 },
  { what: 'a free group', rates: { modelRatio: 15, groupRatio: 0 }, usage: { prompt: 9000 }, quota: 0 },
  {
    what: 'at least 1 when only free parts were used',
    rates: { modelRatio: 1, cacheRatio: 0 },
    usage: { prompt: 10, cachedRead: 10 },
    quota: 1,
  },
  // rounding once: completion × ratio = 3 × 1.3333333333 = 3.9999999999, + 1 = 4.9999999999, × 0.25 = 1.249..., not round(round(4) × ...)
  {
    what: 'one rounding only',
    rates: { modelRatio: 0.25, completionRatio: 1.3333333333 },
    usage: { prompt: 1, completion: 3 },
    quota: 1,
  },
  // 1.5 × 1.3333333333 = 1.99999999995 -> 2; old code rounded 1 × 1.3333333333 to 1 first and charged round(1.5) = 2 too; 7: 13.99 against 13.5
  {
    what: 'many small completions',
    rates: { modelRatio: 1.5, completionRatio: 1.3333333333 },
    usage: { completion: 7 },
    quota: 14,
  },
  // (1000 - 400 + 400 × 0.5 + 100 × 4) × 1.25 = 1500
  {
    what: 'cached prompt',
    rates: { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 },
    usage: { prompt: 1000, cachedRead: 400, completion: 100 },
    quota: 1500,
  },
  // (2000 - 500 - 1000 + 500 × 0.1 + 1000 × 1.25 + 10 × 5) × 1.5 = 1850 × 1.5 = 2775
  {
    what: 'cache read and write',
    rates: { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 },
    usage: { prompt: 2000, cachedRead: 500, cacheWrite: 1000, completion: 10 },
    quota: 2775,
  },
  // 400 for five minutes, 600 for an hour: (2000 - 500 - 1000 + 500 × 0.1 + 400 × 1.25 + 600 × 2 + 10 × 5) × 1.5 = 2300 × 1.5
  {
    what: 'a cache written for an hour',
    rates: { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 },
    usage: { prompt: 2000, cachedRead: 500, cacheWrite: 1000, cacheWriteHour: 600, completion: 10 },
    quota: 3450,
  },
  {
    what: 'an hour above what was written at all',
    rates: { modelRatio: 1 },
    usage: { prompt: 100, cacheWrite: 50, cacheWriteHour: 80 },
    quota: 150,
  },
  // 3 × 10 dollars per thousand = 0.03 dollars = 15000, × 0.8; tokens 1000 × 1.5 × 0.8 = 1200
  {
    what: 'searches in a group',
    rates: { modelRatio: 1.5, groupRatio: 0.8, toolPrices: { web_search: 10 } },
    usage: { prompt: 1000, serverTools: { web_search: 3 } },
    quota: 13_200,
  },
  // 2 × 2.5 / 1000 × 500000 = 2500; 1 × 30 / 1000 × 500000 = 15000; 0.5 token: 1 × 0.5
  {
    what: 'several tools, rounded once with the tokens',
    rates: { modelRatio: 0.5, toolPrices: { file_search: 2.5, code_interpreter: 30 } },
    usage: { prompt: 1, serverTools: { file_search: 2, code_interpreter: 1 } },
    quota: 17_501,
  },
  {
    what: 'a tool without a price',
    rates: { modelRatio: 1, toolPrices: {} },
    usage: { prompt: 7, serverTools: { google_maps: 4 } },
    quota: 7,
  },
  // 0.001 dollars per thousand × 500000 = 0.5 each; 0.5 -> 1
  {
    what: 'a search of a free model, half a unit',
    rates: { modelRatio: 0, toolPrices: { web_search: 0.001 } },
    usage: { prompt: 9, serverTools: { web_search: 1 } },
    quota: 1,
  },
  {
    what: 'a cheap search of at least 1',
    rates: { modelRatio: 0, toolPrices: { web_search: 0.0001 } },
    usage: { serverTools: { web_search: 1 } },
    quota: 1,
  },
  {
    what: 'a price per call, which covers tools and tiers',
    rates: perCall(0.1, { toolPrices: { web_search: 10 }, tierRatios: { priority: 2 } }),
    usage: { prompt: 9, serverTools: { web_search: 5 }, serviceTiers: ['priority'] },
    quota: 50_000,
  },
  {
    what: 'a prompt of exactly the standard length',
    rates: longRates,
    usage: { prompt: 200_000, completion: 10 },
    quota: 300_075,
  },
  // (200001 - 100000) × 2 + 100000 × 0.1 × 2 + 10 × 5 × 1.5 = 220002 + 75 = 220077; × 1.5 = 330115.5
  {
    what: 'a long prompt, all of it at the higher price',
    rates: longRates,
    usage: { prompt: 200_001, cachedRead: 100_000, completion: 10 },
    quota: 330_116,
  },
  // (100 + 40 × 4) × 1 × 0.5 = 130
  {
    what: 'the flex tier',
    rates: { modelRatio: 1, completionRatio: 4, tierRatios: { flex: 0.5, priority: 2 } },
    usage: { prompt: 100, completion: 40, serviceTiers: ['flex'] },
    quota: 130,
  },
  {
    what: 'the priority tier, tools at their own price',
    rates: { modelRatio: 1, completionRatio: 4, tierRatios: { priority: 2 }, toolPrices: { web_search: 10 } },
    usage: { prompt: 100, completion: 40, serviceTiers: ['priority'], serverTools: { web_search: 1 } },
    quota: 5520,
  },
  // 1000 × 2.5 × 6 × 1.1 = 16500
  {
    what: 'fast mode within the United States',
    rates: { modelRatio: 2.5, tierRatios: { fast: 6, us: 1.1 } },
    usage: { prompt: 1000, serviceTiers: ['fast', 'us'] },
    quota: 16_500,
  },
  {
    what: 'a tier without a factor',
    rates: { modelRatio: 1, tierRatios: {} },
    usage: { prompt: 1000, serviceTiers: ['priority'] },
    quota: 1000,
  },
  // 200001 × 2 × 1.5 × 0.5 = 300001.5
  {
    what: 'a long prompt in the batch tier',
    rates: { ...longRates, tierRatios: { batch: 0.5 } },
    usage: { prompt: 200_001, serviceTiers: ['batch'] },
    quota: 300_002,
  },
  // text 20, 30 × 4; audio 100 × 40, 50 × 40 × 2: (20 + 120 + 4000 + 4000) × 1.25 = 10175
  {
    what: 'audio both ways',
    rates: { modelRatio: 1.25, completionRatio: 4, audioRatio: 40, audioCompletionRatio: 2 },
    usage: { prompt: 120, audioInput: 100, completion: 80, audioOutput: 50 },
    quota: 10_175,
  },
  // (10 × 0.3 + 6 × 0.3 × 16.6666666667) = 3 + 30.00000000006 = 33
  {
    what: 'a repeating audio ratio',
    rates: { modelRatio: 0.3, audioRatio: 16.6666666667 },
    usage: { prompt: 16, audioInput: 6 },
    quota: 33,
  },
  // (50 + 300 × 2 + 1000 × 2 × 4) × 2.5 = 8650 × 2.5
  {
    what: 'picture tokens',
    rates: { modelRatio: 2.5, completionRatio: 8, imageRatio: 2, imageCompletionRatio: 4 },
    usage: { prompt: 350, imageInput: 300, completion: 1000, imageOutput: 1000 },
    quota: 21_625,
  },
  // (50 + 300 × 2) × 2.5
  {
    what: 'picture tokens of a prompt alone',
    rates: { modelRatio: 2.5, imageRatio: 2 },
    usage: { prompt: 350, imageInput: 300 },
    quota: 1625,
  },
  // (50 + 1000 × 2 × 4) × 2.5
  {
    what: 'picture tokens of a response alone',
    rates: { modelRatio: 2.5, completionRatio: 8, imageRatio: 2, imageCompletionRatio: 4 },
    usage: { prompt: 50, completion: 1000, imageOutput: 1000 },
    quota: 20_125,
  },
  // (50 + 1000 × 2 × 4) × 2.5
  {
    what: 'audio tokens of a response alone',
    rates: { modelRatio: 2.5, completionRatio: 8, audioRatio: 2, audioCompletionRatio: 4 },
    usage: { prompt: 50, completion: 1000, audioOutput: 1000 },
    quota: 20_125,
  },
  // 1234 × 0.8219178082 × 1.3 = 1318.52054791444 -> 1319
  {
    what: 'fractions of model and group',
    rates: { modelRatio: 0.8219178082, groupRatio: 1.3 },
    usage: { prompt: 1234 },
    quota: 1319,
  },
  // 10^7 × 0.8219178082 × 1.3 = 10684931.5066 -> 10684932
  {
    what: 'the same for ten million tokens',
    rates: { modelRatio: 0.8219178082, groupRatio: 1.3 },
    usage: { prompt: 10_000_000 },
    quota: 10_684_932,
  },
  // 1.005 × 100 is 100.49999999999999 as floats, 100.5 in truth
  { what: 'a product floats would round down', rates: { modelRatio: 1.005 }, usage: { prompt: 100 }, quota: 101 },
  // 15 × 0.1 × 1 = 1.5; 0.1 × 3 = 0.30000000000000004 as floats. (5 + 5 × 3) × 0.1 × 0.25 = 0.5 -> 1
  {
    what: 'a sum that is a half in truth',
    rates: { modelRatio: 0.1, completionRatio: 3, groupRatio: 0.25 },
    usage: { prompt: 5, completion: 5 },
    quota: 1,
  },
  // 0.7 × 1.1 × 50 = 38.5 -> 39; floats give 38.50000000000001 or 38.49999999999999 by order
  {
    what: 'a half at the end of three factors',
    rates: { modelRatio: 0.7, groupRatio: 1.1 },
    usage: { prompt: 50 },
    quota: 39,
  },
  { what: 'a ratio far below one', rates: { modelRatio: 1e-7 }, usage: { prompt: 10_000_000 }, quota: 1 },
  {
    what: 'parts above their sum',
    rates: { modelRatio: 1, cacheRatio: 0.5 },
    usage: { prompt: 10, cachedRead: 40 },
    quota: 20,
  },
  // 0.1 × 500000 × 1 = 50000
  { what: 'a price per call', rates: perCall(0.1), usage: { prompt: 9, completion: 9 }, quota: 50_000 },
  { what: 'a price per call in a group', rates: perCall(0.1, { groupRatio: 0.85 }), quota: 42_500 },
  // 0.000003 × 500000 × 1.3 = 1.95, cut
  { what: 'a price per call, cut and not rounded', rates: perCall(0.000003, { groupRatio: 1.3 }), quota: 1 },
  // 0.29 × 100 is 28.999999999999996 as floats
  { what: 'a price floats would cut too low', rates: perCall(0.29, { quotaPerUnit: 100 }), quota: 29 },
  { what: 'a price per call of at least 1', rates: perCall(0.0000001), quota: 1 },
  { what: 'a free call', rates: perCall(0), usage: { prompt: 100 }, quota: 0 },
  { what: 'no calls', rates: perCall(0.1), extras: { calls: 0 }, quota: 0 },
  { what: 'three calls', rates: perCall(0.1), extras: { calls: 3 }, quota: 150_000 },
  // 0.04 × 500000 × 3 × 2 = 120000
  { what: 'two large hd pictures', rates: perCall(0.04), extras: { calls: 2, imageFactor: 3 }, quota: 120_000 },
  // 0.04 × 500000 × 0.45 × 1.1 = 9900
  {
    what: 'a small picture in a group',
    rates: perCall(0.04, { groupRatio: 1.1 }),
    extras: { imageFactor: 0.45 },
    quota: 9_900,
  },
  // 0.0025 × 8 × 500000 × 0.4 × 3 = 12000
  {
    what: 'pictures of a model with a ratio',
    rates: { modelRatio: 8 },
    extras: { calls: 3, imageFactor: 0.4 },
    quota: 12_000,
  },
];

describe('price', () => {
  it.each(cases)('of $what is $quota', ({ rates, usage, extras, quota }) => {
    const prepared = prepareRates({ ...plain, ...rates });
    const used = { ...emptyUsage, ...usage };
    expect(priceQuota(prepared, used, extras)).toBe(quota);
    expect(priceUsage(prepared, used, extras).quota).toBe(quota);
  });

  it('M8 is refused beyond the largest safe integer, never cut or wrapped', () => {
    const prepared = prepareRates({ ...plain, modelRatio: 1_000_000, completionRatio: 1_000_000 });
    expect(priceQuota(prepared, { ...emptyUsage, completion: 9_007 })).toBe(9_007_000_000_000_000);
    expect(() => priceQuota(prepared, { ...emptyUsage, completion: 9_008 })).toThrow(AppError);
    expect(() => priceUsage(prepared, { ...emptyUsage, completion: 9_008 })).toThrow('9007199254740991');
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])('M8 is refused for a count of %d', (count) => {
    const byToken = prepareRates(plain);
    const byCall = prepareRates({ ...plain, ...perCall(1) });
    for (const name of ['audioInput', 'cachedRead', 'cacheWrite'] as const)
      expect(() => priceQuota(byToken, { ...emptyUsage, [name]: count }), name).toThrow(AppError);
    for (const name of ['prompt', 'completion'] as const) {
      // What is below the sum of its parts has no text of its own.
      if (count < 0) expect(priceQuota(byToken, { ...emptyUsage, [name]: count }), name).toBe(0);
      else expect(() => priceQuota(byToken, { ...emptyUsage, [name]: count }), name).toThrow(AppError);
    }
    expect(() => priceQuota(byCall, emptyUsage, { calls: count })).toThrow(AppError);
    expect(() => priceUsage(byCall, emptyUsage, { calls: count })).toThrow(AppError);
  });

  it.each([-0.1, Number.NaN, Number.POSITIVE_INFINITY])('M8 is refused for a rate of %d', (rate) => {
    for (const name of [
      'modelRatio',
      'completionRatio',
      'audioCompletionRatio',
      'groupRatio',
      'quotaPerUnit',
    ] as const) {
      expect(() => prepareRates({ ...plain, [name]: rate })).toThrow(`rates: ${name} is ${rate}`);
    }
    expect(() => prepareRates({ ...plain, ...perCall(rate) })).toThrow('modelPrice');
    expect(() => priceQuota(prepareRates(plain), emptyUsage, { imageFactor: rate })).toThrow(AppError);
  });
});

describe('receipt', () => {
  it('names what was counted, at which rate, and the rounding', () => {
    const rates = { ...plain, modelRatio: 0.075, completionRatio: 4, cacheRatio: 0.5, groupRatio: 1.1 };
    const usage = { ...emptyUsage, prompt: 1000, cachedRead: 400, completion: 7 };
    expect(priceUsage(prepareRates(rates), usage)).toEqual({
      quota: 68,
      lines: [
        { what: 'prompt', count: 600, rate: '0.0825', amount: '49.5' },
        { what: 'cached', count: 400, rate: '0.04125', amount: '16.5' },
        { what: 'completion', count: 7, rate: '0.33', amount: '2.31' },
        { what: 'rounding', count: 1, rate: '-0.31', amount: '-0.31' },
      ],
    });
  });

  it('shows the minimum of 1 and the cut of a price', () => {
    expect(priceUsage(prepareRates({ ...plain, modelRatio: 0.001 }), { ...emptyUsage, prompt: 1 }).lines).toEqual([
      { what: 'prompt', count: 1, rate: '0.001', amount: '0.001' },
      { what: 'rounding', count: 1, rate: '0.999', amount: '0.999' },
    ]);
    const cut = prepareRates({ ...plain, ...perCall(0.000003, { groupRatio: 1.3 }) });
    expect(priceUsage(cut, emptyUsage, { calls: 1 }).lines).toEqual([
      { what: 'call', count: 1, rate: '1.95', amount: '1.95' },
      { what: 'rounding', count: 1, rate: '-0.95', amount: '-0.95' },
    ]);
  });

  it('shows the tools and says which terms its rates contain', () => {
    const rates: Rates = {
      ...plain,
      ...longRates,
      groupRatio: 0.8,
      toolPrices: { web_search: 10 },
      tierRatios: { priority: 2 },
    };
    const usage: Usage = {
      ...emptyUsage,
      prompt: 250_000,
      cacheWrite: 1000,
      cacheWriteHour: 400,
      completion: 100,
      serverTools: { web_search: 2 },
      serviceTiers: ['priority'],
    };
    expect(priceUsage(prepareRates(rates), usage)).toEqual({
      quota: 1_212_440,
      lines: [
        { what: 'prompt', count: 249_000, rate: '4.8', amount: '1195200' },
        { what: 'cacheWrite', count: 600, rate: '6', amount: '3600' },
        { what: 'cacheWriteHour', count: 400, rate: '9.6', amount: '3840' },
        { what: 'completion', count: 100, rate: '18', amount: '1800' },
        { what: 'web_search', count: 2, rate: '4000', amount: '8000' },
      ],
      terms: { longPrompt: longRates.longPrompt, tiers: [{ tier: 'priority', ratio: 2 }] },
    });
  });

  it('is empty when nothing was used', () => {
    expect(priceUsage(prepareRates(plain), emptyUsage)).toEqual({ quota: 0, lines: [] });
  });
});

describe('price of any call', () => {
  const ratio = fc.oneof(
    fc.constantFrom(0, 1, 0.1, 0.075, 1.005, 0.8219178082, 1.3333333333, 16.6666666667, 1_000_000),
    fc.double({ min: 0, max: 100, noNaN: true }),
    fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
  );
  const count = fc.integer({ min: 0, max: 10_000_000 });
  // A long prompt that cost less would make a bill fall with one token more.
  const aboveOne = fc.constantFrom(1, 1.5, 2, 2.25);
  const anyRates = fc.record({
    kind: fc.constantFrom<Rates['kind']>('ratio', 'price'),
    modelRatio: ratio,
    completionRatio: ratio,
    cacheRatio: ratio,
    createCacheRatio: ratio,
    createCacheHourRatio: ratio,
    audioRatio: ratio,
    audioCompletionRatio: ratio,
    imageRatio: ratio,
    imageCompletionRatio: ratio,
    modelPrice: ratio,
    longPrompt: fc.option(fc.record({ above: count, prompt: aboveOne, cached: aboveOne, completion: aboveOne }), {
      nil: undefined,
    }),
    toolPrices: fc.record({ web_search: ratio, file_search: ratio }, { requiredKeys: [] }),
    tierRatios: fc.record({ flex: ratio, fast: ratio }, { requiredKeys: [] }),
    groupRatio: ratio,
    quotaPerUnit: fc.constantFrom(500_000, 1, 1234.5),
    source: fc.constant<Rates['source']>('builtin'),
  });
  const richUsage = fc.record({
    prompt: count,
    completion: count,
    cachedRead: count,
    cacheWrite: count,
    reasoning: count,
    audioInput: count,
    audioOutput: count,
    imageInput: fc.option(count, { nil: undefined }),
    imageOutput: fc.option(count, { nil: undefined }),
    cacheWriteHour: fc.option(count, { nil: undefined }),
    serverTools: fc.option(fc.record({ web_search: count, file_search: count }, { requiredKeys: [] }), {
      nil: undefined,
    }),
    serviceTiers: fc.option(fc.subarray<ServiceTier>(['flex', 'priority', 'fast']), { nil: undefined }),
  });
  // Most calls: text, perhaps cached.
  const textUsage = fc.record({ prompt: count, completion: count, cachedRead: count, cacheWrite: count });
  const anyUsage = fc.oneof(
    richUsage,
    textUsage.map((usage): Usage => ({ ...emptyUsage, ...usage })),
  );
  const anyExtras = fc.record(
    { calls: fc.integer({ min: 1, max: 10 }), imageFactor: fc.constantFrom(0.4, 0.45, 1, 3) },
    { requiredKeys: [] },
  );

  /** The quota, or infinity for a price too large to charge. */
  function charged(rates: Rates, usage: Usage, extras?: PriceExtras): number {
    try {
      return priceQuota(prepareRates(rates), usage, extras);
    } catch (error) {
      if (error instanceof AppError && error.code === 'price.overflow') return Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  it('M8 is a whole number from 0 to the largest safe one, or refused', () => {
    fc.assert(
      fc.property(anyRates, anyUsage, anyExtras, (rates, usage, extras) => {
        const quota = charged(rates, usage, extras);
        return quota === Number.POSITIVE_INFINITY || (Number.isSafeInteger(quota) && quota >= 0);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is the same with and without lines, and the lines add up to it', () => {
    fc.assert(
      fc.property(anyRates, anyUsage, anyExtras, (rates, usage, extras) => {
        const quota = charged(rates, usage, extras);
        fc.pre(quota !== Number.POSITIVE_INFINITY);
        const receipt = priceUsage(prepareRates(rates), usage, extras);
        expect(receipt.quota).toBe(quota);
        expect(sumOf(receipt.lines.map((line) => line.amount))).toBe(sumOf([String(quota)]));
        for (const line of receipt.lines) {
          expect(sumOf([line.amount])).toBe(sumOf([line.rate]) * BigInt(line.count));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('never falls when more is used or a ratio rises', () => {
    const more = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(anyRates, anyUsage, anyExtras, more, (rates, usage, extras, step) => {
        const before = charged(rates, usage, extras);
        const calls = extras.calls ?? 1;
        expect(charged(rates, { ...usage, prompt: usage.prompt + step }, extras)).toBeGreaterThanOrEqual(before);
        expect(charged(rates, { ...usage, completion: usage.completion + step }, extras)).toBeGreaterThanOrEqual(
          before,
        );
        expect(charged(rates, usage, { ...extras, calls: calls + 1 })).toBeGreaterThanOrEqual(before);
        expect(charged({ ...rates, modelRatio: rates.modelRatio + 0.1 }, usage, extras)).toBeGreaterThanOrEqual(before);
        expect(charged({ ...rates, groupRatio: rates.groupRatio + 0.1 }, usage, extras)).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is the same when the rates come back from a log row', () => {
    fc.assert(
      fc.property(anyRates, anyUsage, (rates, usage) => {
        expect(charged(JSON.parse(JSON.stringify(rates)), usage)).toBe(charged(rates, usage));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('price shown per million tokens', () => {
  it('is two dollars times ratio and group ratio', () => {
    const rates = { ...plain, modelRatio: 0.075, completionRatio: 4, cacheRatio: 0.5 };
    expect(dollarsPerMillion(rates)).toEqual({ prompt: 0.15, cached: 0.075, completion: 0.6 });
    expect(dollarsPerMillion({ ...rates, groupRatio: 0.8 }).prompt).toBe(0.12);
    expect(dollarsPerMillion({ ...rates, quotaPerUnit: 1_000_000 }).prompt).toBe(0.075);
  });
});

/** Exact decimals as whole numbers of 10^-2000, by a way of its own. */
function sumOf(amounts: string[]): bigint {
  return amounts.reduce((sum, amount) => {
    const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
    const digits = BigInt(whole + fraction.padEnd(2000, '0'));
    return amount.startsWith('-') ? sum - digits : sum + digits;
  }, 0n);
}
