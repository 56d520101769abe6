import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RateTables } from '../../../../core/billing/rates.ts';
import { createPricing } from '../../../../core/services/pricing/pricing.ts';

const tables: RateTables = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: { default: 1 },
  quotaPerUnit: 500_000,
  selfUse: false,
};

describe('prices in force', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const at = (moment: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) });
  /** Google's introductory price ends with the year 2026. */
  const model = 'gemini-3.8-flash';

  it('follow a price of the vendor that begins on a date, without a restart', () => {
    at('2026-12-31T23:59:59Z');
    const pricing = createPricing(() => tables);
    expect(pricing.find(model, 'default').rates).toMatchObject({ source: 'list', modelRatio: 0.375 });
    at('2027-01-01T00:00:00Z');
    expect(pricing.find(model, 'default').rates).toMatchObject({ source: 'list', modelRatio: 0.75 });
    expect(createPricing(() => tables).find(model, 'default').rates.modelRatio).toBe(0.75);
  });

  it('are prepared once a day', () => {
    at('2026-12-30T00:00:00Z');
    const pricing = createPricing(() => tables);
    const first = pricing.find(model, 'default');
    at('2026-12-30T23:59:59Z');
    expect(pricing.find(model, 'default')).toBe(first);
  });
});
