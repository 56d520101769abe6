import { describe, expect, it } from 'vitest';
import { ratiosOfDollars } from '../../../core/billing/dollar-ratio.ts';

describe('prices in dollars', () => {
  it.each([
    [
      { input: 2.5, output: 10, cached: 1.25 },
      { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 },
    ],
    [
      { input: 0.15, output: 0.6 },
      { modelRatio: 0.075, completionRatio: 4 },
    ],
    [
      { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
      { modelRatio: 1.5, cacheRatio: 0.1, createCacheRatio: 1.25 },
    ],
    [{ output: 8 }, { completionRatio: 4 }],
    [
      { input: 0, output: 0 },
      { modelRatio: 0, completionRatio: 1 },
    ],
  ])('%o are the ratios %o', (dollars, ratios) => {
    expect(ratiosOfDollars(dollars, 500_000, 2)).toMatchObject(ratios);
  });

  it('follow what a dollar is worth here', () => {
    expect(ratiosOfDollars({ input: 2 }, 1_000_000, undefined)).toMatchObject({ modelRatio: 2 });
  });

  it('need an input price above 0 that they are a multiple of', () => {
    expect(ratiosOfDollars({ output: 8 }, 500_000, undefined)).toBeUndefined();
    expect(ratiosOfDollars({ input: 0, output: 8 }, 500_000, 2)).toBeUndefined();
  });
});
