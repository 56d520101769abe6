import { describe, expect, it } from 'vitest';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { formatCost, formatQuota, formatQuotas } from '../../../core/billing/quota.ts';

const perUnit = 500_000;

describe('quota as written by people', () => {
  it.each([
    ['500000', 500_000],
    ['0', 0],
    ['500k', 500_000],
    ['500K', 500_000],
    ['1.5m', 1_500_000],
    ['0.0005k', undefined],
    ['2b', 2_000_000_000],
    ['$1', 500_000],
    [' $10 ', 5_000_000],
    ['$0.02', 10_000],
    ['$1.1', 550_000],
    ['$2k', 1_000_000_000],
    ['$0.000001', 1], // half a unit is rounded up
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', undefined],
    ['$99999999999999999', undefined],
    ['1.5', undefined],
    ['-1', undefined],
    ['', undefined],
    ['$', undefined],
    ['1e9', undefined],
    ['1,000', undefined],
    ['NaN', undefined],
    ['500kk', undefined],
    ['1'.repeat(10_000), undefined],
  ])('%s', (text, quota) => {
    if (quota === undefined) expect(() => parseQuota(text, perUnit)).toThrow('Invalid input: quota');
    else expect(parseQuota(text, perUnit)).toBe(quota);
  });

  it('follows the size of a dollar', () => {
    expect(parseQuota('$1', 1_000)).toBe(1_000);
    expect(parseQuota('$1', 0.5)).toBe(1);
  });
});

describe('quota as shown', () => {
  it.each([
    [0, '0'],
    [9_999, '9999'],
    [10_000, '10000'],
    [10_001, '10k'],
    [12_345, '12.3k'],
    [250_000, '250k'],
    [1_000_000, '1000k'],
    [1_000_001, '1M'],
    [1_550_000, '1.6M'],
    [25_000_000, '25M'],
    [1_000_000_001, '1B'],
    [12_340_000_000, '12.3B'],
    [-12_345, '-12.3k'],
  ])('%d is %s', (quota, text) => {
    expect(formatQuota(quota, { inCurrency: false, quotaPerUnit: perUnit })).toBe(text);
  });

  it.each([
    [0, '$0.00'],
    [500_000, '$1.00'],
    [502_500, '$1.01'], // 1.005 as a float would show 1.00
    [2_499, '$0.005'],
    [5_000, '$0.01'],
    [5_500, '$0.011'],
    [7_500, '$0.02'],
    [1_050, '$0.0021'],
    [200, '$0.0004'],
    [225, '$0.00045'],
    [1, '$0.000002'],
    [500_000_000, '$1000.00'],
    [-250_000, '-$0.50'],
    [-1, '-$0.000002'],
    [9_007_199_254_740_991, '$18014398509.48'],
  ])('%d is %s in currency', (quota, text) => {
    expect(formatQuota(quota, { inCurrency: true, quotaPerUnit: perUnit })).toBe(text);
  });

  it.each([
    [6_850, '$0.0137'],
    [2_850, '$0.0057'],
    [225, '$0.00045'],
    [1, '$0.000002'],
    [250_000, '$0.50'],
    [617_283, '$1.23'],
    [-6_850, '-$0.0137'],
    [0, '$0.00'],
  ])('costs of calls keep the fractions of a cent: %d', (quota, text) => {
    expect(formatCost(quota, { inCurrency: true, quotaPerUnit: perUnit })).toBe(text);
  });

  it('tells two amounts apart that are compared', () => {
    const inDollars = { inCurrency: true, quotaPerUnit: perUnit };
    expect(formatQuotas([1_050, 200], inDollars)).toEqual(['$0.0021', '$0.0004']);
    expect(formatQuotas([500_100, 500_000], inDollars)).toEqual(['$1.0002', '$1.00']);
    expect(formatQuotas([7, 7], inDollars)).toEqual(['$0.000014', '$0.000014']);
    expect(formatQuotas([10_001, 10_002], { inCurrency: false, quotaPerUnit: perUnit })).toEqual(['10001', '10002']);
  });

  it('stays in units when a dollar has no size', () => {
    expect(formatQuota(5, { inCurrency: true, quotaPerUnit: 0 })).toBe('5');
  });
});
