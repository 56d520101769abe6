import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PriceExtras, prepareRates, priceQuota } from '../../../core/billing/price.ts';
import { ratesFor } from '../../../core/billing/rates.ts';
import { readBill, receiptOf, surchargeFields, writeBill } from '../../../core/billing/receipt.ts';
import { emptyUsage, type ServiceTier, type Usage } from '../../../core/canonical/usage.ts';

const tables = {
  modelRatio: { cheap: 0.075, free: 0 },
  modelPrice: { fixed: 0.04 },
  completionRatio: { cheap: 4.3 },
  cacheRatio: { cheap: 0.5 },
  audioRatio: { cheap: 16 },
  createCacheHourRatio: { cheap: 2.25 },
  longPrompt: { cheap: { above: 50_000, prompt: 2, cached: 1.75, completion: 1.5 } },
  toolPrice: { web_search: 10, 'file_search:ch*': 2.5 },
  serviceTierRatio: { flex: 0.5, fast: 6, 'us:cheap': 1.1 },
  groupRatio: { default: 1, vip: 0.8219178082 },
  quotaPerUnit: 500_000,
  selfUse: false,
};

const count = fc.integer({ min: 0, max: 100_000 });
const usage: fc.Arbitrary<Usage> = fc.record({
  prompt: count,
  completion: count,
  cachedRead: fc.oneof(fc.constant(0), count),
  cacheWrite: fc.oneof(fc.constant(0), count),
  reasoning: fc.oneof(fc.constant(0), count),
  audioInput: fc.oneof(fc.constant(0), count),
  audioOutput: fc.oneof(fc.constant(0), count),
  cacheWriteHour: fc.option(count, { nil: undefined }),
  serverTools: fc.option(fc.record({ web_search: count, file_search: count }, { requiredKeys: [] }), {
    nil: undefined,
  }),
  serviceTiers: fc.option(fc.subarray<ServiceTier>(['flex', 'priority', 'fast', 'us']), { nil: undefined }),
});
const extras: fc.Arbitrary<PriceExtras> = fc.oneof(
  fc.constant({}),
  fc.record({ calls: fc.integer({ min: 0, max: 10 }), imageFactor: fc.constantFrom(0.4, 1, 2) }),
);

describe('the bill in a log row', () => {
  it('gives the charge again, to the unit, whatever was left out of it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('cheap', 'free', 'fixed', 'dall-e-3'),
        fc.constantFrom('default', 'vip'),
        usage,
        extras,
        (model, group, used, more) => {
          const rates = ratesFor(tables, model, group);
          const charged = priceQuota(prepareRates(rates), used, more);
          const stored = JSON.stringify({ bill: writeBill({ rates, usage: used, extras: more }) });
          expect(receiptOf(stored)?.quota).toBe(charged);
          expect(readBill(stored)?.usage).toMatchObject({ prompt: used.prompt, completion: used.completion });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is absent, not an error, in rows that another program wrote', () => {
    for (const other of ['', 'null', '{}', '{"bill":', '{"bill":{"rates":1}}'])
      expect(receiptOf(other)).toBeUndefined();
  });
});

describe('the fields of a log row for what differs from the standard price', () => {
  const used: Usage = { ...emptyUsage, prompt: 60_000, completion: 10 };

  it('name the hour cache, the tools, the tier and the long prompt', () => {
    const rates = ratesFor(tables, 'cheap', 'default');
    const usage: Usage = {
      ...used,
      cacheWrite: 20,
      cacheWriteHour: 5,
      serverTools: { web_search: 2, file_search: 1 },
      serviceTiers: ['fast', 'us'],
    };
    expect(surchargeFields(rates, usage)).toEqual({
      cache_creation_tokens_1h: 5,
      cache_creation_ratio_1h: 2.25,
      web_search: true,
      web_search_call_count: 2,
      web_search_price: 10,
      file_search: true,
      file_search_call_count: 1,
      file_search_price: 2.5,
      service_tier: 'fast+us',
      service_tier_ratio: { fast: 6, us: 1.1 },
      long_prompt: { above: 50_000, prompt: 2, cached: 1.75, completion: 1.5 },
    });
  });

  it('are not there for a plain call, nor in the bill', () => {
    const rates = ratesFor(tables, 'gpt-4o', 'default');
    expect(surchargeFields(rates, used)).toBeUndefined();
    expect(writeBill({ rates, usage: used, extras: {} })).toEqual({
      rates: { modelRatio: 1.25, completionRatio: 4, groupRatio: 1, quotaPerUnit: 500_000, source: 'builtin' },
      usage: { prompt: 60_000, completion: 10 },
    });
  });

  it('of a row written before there were any leave its receipt as it was', () => {
    const bill = {
      rates: { modelRatio: 2, groupRatio: 1, quotaPerUnit: 500_000 },
      usage: { prompt: 7, cacheWrite: 3 },
    };
    expect(receiptOf(JSON.stringify({ bill }))?.quota).toBe(14);
  });
});
