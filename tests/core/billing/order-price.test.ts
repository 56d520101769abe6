import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderPrice, quotaOfUnits } from '../../../core/billing/order-price.ts';

const terms = { inCurrency: true, quotaPerUnit: 500_000, price: 7.3, groupRatio: 1 };

describe('the price of an order', () => {
  it.each([
    ['10 units', 10, {}, { quota: 5_000_000n, moneyCents: 7300n, units: 10n }],
    ['with a discount', 10, { groupRatio: 0.9 }, { quota: 5_000_000n, moneyCents: 6570n, units: 10n }],
    ['rounded half up', 1, { price: 0.005 }, { quota: 500_000n, moneyCents: 1n, units: 1n }],
    ['below a cent', 1, { price: 0.0049 }, { quota: 500_000n, moneyCents: 0n, units: 1n }],
    ['of a broken rate', 3, { quotaPerUnit: 1.5 }, { quota: 4n, moneyCents: 2190n, units: 3n }],
    ['of floats that would drift', 3, { price: 1.1 }, { quota: 1_500_000n, moneyCents: 330n, units: 3n }],
  ])('in currency: %s', (_what, amount, change, price) => {
    expect(orderPrice(amount, { ...terms, ...change })).toEqual(price);
  });

  it('in quota units is exact: who pays for 1.9 units gets 1.9', () => {
    const price = orderPrice(950_000, { ...terms, inCurrency: false });
    expect(price).toEqual({ quota: 950_000n, moneyCents: 1387n, units: 1n });
  });

  it('is the same money in either unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 99_999 }), (amount, milli) => {
        const same = { ...terms, price: milli / 1000 };
        const inCurrency = orderPrice(amount, same);
        const inQuota = orderPrice(amount * same.quotaPerUnit, { ...same, inCurrency: false });
        expect(inQuota).toEqual(inCurrency);
      }),
    );
  });

  it('never asks for less quota than the smallest order', () => {
    expect(quotaOfUnits(1, 500_000)).toBe(500_000n);
    expect(quotaOfUnits(3, 1.5)).toBe(5n);
  });
});
