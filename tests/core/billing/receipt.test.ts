import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PriceExtras, prepareRates, priceQuota } from '../../../core/billing/price.ts';
import { ratesFor } from '../../../core/billing/rates.ts';
import { readBill, receiptOf, writeBill } from '../../../core/billing/receipt.ts';
import type { Usage } from '../../../core/canonical/usage.ts';

const tables = {
  modelRatio: { cheap: 0.075, free: 0 },
  modelPrice: { fixed: 0.04 },
  completionRatio: { cheap: 4.3 },
  cacheRatio: { cheap: 0.5 },
  audioRatio: { cheap: 16 },
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
