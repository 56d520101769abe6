import { createRequire } from 'node:module';
import type { ModelPrice, Provider } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { prepareRates, priceQuota } from '../../../core/billing/price.ts';
import { type RateTables, ratesFor } from '../../../core/billing/rates.ts';
import { emptyUsage, type Usage } from '../../../core/canonical/usage.ts';

const untouched: RateTables = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: { default: 1 },
  quotaPerUnit: 500_000,
  selfUse: true,
};
const rates = (model: string, changes: Partial<RateTables> = {}) =>
  ratesFor({ ...untouched, ...changes }, model, 'default');
const quota = (model: string, usage: Partial<Usage>, changes: Partial<RateTables> = {}) =>
  priceQuota(prepareRates(rates(model, changes)), { ...emptyUsage, ...usage });

describe('a cache written for an hour', () => {
  it('costs what the vendor lists: twice the prompt of Claude', () => {
    // 3 dollars per million is 1.5 quota a token; for an hour 6 dollars.
    expect(quota('claude-sonnet-4-6', { prompt: 1000, cacheWrite: 1000 })).toBe(1875);
    expect(quota('claude-sonnet-4-6', { prompt: 1000, cacheWrite: 1000, cacheWriteHour: 1000 })).toBe(3000);
    expect(rates('claude-3-opus-20240229')).toMatchObject({ createCacheRatio: 1.25, createCacheHourRatio: 2 });
  });

  it('follows the operator: 1.6 times the ratio for five minutes, or a ratio of its own', () => {
    const createCacheRatio = { 'claude-sonnet-4-6': 1.5 };
    expect(rates('claude-sonnet-4-6', { createCacheRatio })).toMatchObject({ createCacheHourRatio: 2.4 });
    const createCacheHourRatio = { 'claude-sonnet-4-6': 3 };
    expect(rates('claude-sonnet-4-6', { createCacheRatio, createCacheHourRatio })).toMatchObject({
      createCacheRatio: 1.5,
      createCacheHourRatio: 3,
    });
  });
});

describe('a long prompt', () => {
  it.each([
    // US dollars per million, from the list: prompt, cached, completion, above this length.
    ['claude-sonnet-4-5', 200_000, [6, 0.6, 22.5]],
    ['gemini-2.5-pro', 200_000, [2.5, 0.25, 15]],
    ['gemini-3-pro-preview', 200_000, [4, 0.4, 18]],
    ['gpt-5.4', 271_999, [5, 0.5, 22.5]],
    ['gpt-5.5', 271_999, [10, 1, 45]],
  ])('of %s costs more above %d tokens, to the cent', (model, above, [prompt = 0, cached = 0, completion = 0]) => {
    const usage = { prompt: above + 1, cachedRead: 100_000, completion: 1000 };
    // A dollar per million is half a quota.
    const exact = ((above + 1 - 100_000) * prompt + 100_000 * cached + 1000 * completion) / 2;
    expect(Math.abs(quota(model, usage) - exact)).toBeLessThanOrEqual(0.5);
    const defaultValue = quota(model, { ...usage, prompt: above });
    expect(quota(model, usage) / defaultValue).toBeGreaterThan(1.5);
  });

  it('has no other price where the operator set a ratio, unless they set factors', () => {
    const modelRatio = { 'gemini-2.5-pro': 1 };
    const usage = { prompt: 300_000 };
    expect(quota('gemini-2.5-pro', usage, { modelRatio })).toBe(300_000);
    const longPrompt = { 'gemini-2.5-pro': { above: 250_000, prompt: 1.5, cached: 1.5, completion: 1 } };
    expect(quota('gemini-2.5-pro', usage, { modelRatio, longPrompt })).toBe(450_000);
    expect(quota('gemini-2.5-pro', { prompt: 250_000 }, { modelRatio, longPrompt })).toBe(250_000);
  });

  it('has one step at most in the list, beginning at one length for all its prices', () => {
    const { findProvider } = createRequire(import.meta.url)('@pydantic/genai-prices') as PriceList;
    for (const providerId of ['openai', 'anthropic', 'google', 'x-ai', 'aws', 'azure', 'openrouter', 'mistral']) {
      for (const { id, prices } of findProvider({ providerId })?.models ?? []) {
        const all: ModelPrice[] = Array.isArray(prices) ? prices.map((entry) => entry.prices) : [prices];
        const steps = all.flatMap((price) =>
          Object.values(price).flatMap((one) => (typeof one === 'object' ? [one.tiers] : [])),
        );
        expect([id, Math.max(0, ...steps.map((tiers) => tiers.length))]).toEqual([id, Math.min(1, steps.length)]);
        expect(new Set(steps.map((tiers) => tiers[0]?.start)).size, id).toBeLessThanOrEqual(all.length);
      }
    }
  });
});

interface PriceList {
  findProvider(options: { providerId: string }): Provider | undefined;
}

describe('a tool the upstream ran', () => {
  it.each([
    // 500 quota a use for every dollar per thousand.
    ['gpt-5.4', { web_search: 1 }, 5_000],
    ['gpt-4o', { web_search_preview: 1 }, 12_500],
    ['gpt-5.4', { file_search: 2 }, 2_500],
    ['gpt-5.4', { code_interpreter: 1 }, 15_000],
    ['gpt-5.4', { image_low: 1 }, 5_500],
    ['gpt-5.4', { image_high_wide: 1 }, 125_000],
    ['claude-opus-4-6', { web_search: 3 }, 15_000],
    ['gemini-3-pro-preview', { google_search: 2 }, 14_000],
    ['gemini-2.5-pro', { google_search_answer: 1 }, 17_500],
    ['gemini-2.5-pro', { google_maps: 1 }, 12_500],
    ['grok-4', { web_search: 1 }, 2_500],
  ])('costs its list price: %s, %o', (model, serverTools, price) => {
    expect(quota(model, { serverTools })).toBe(price);
  });

  it('costs what the operator says, most precise entry first', () => {
    const toolPrice = { web_search: 4, 'web_search:gpt-5*': 6, 'web_search:gpt-5.4*': 8, 'web_search:gpt-5.4-pro': 9 };
    const price = (model: string) => rates(model, { toolPrice }).toolPrices?.web_search;
    expect(['grok-4', 'gpt-5', 'gpt-5.4-mini', 'gpt-5.4-pro'].map(price)).toEqual([4, 6, 8, 9]);
    expect(quota('gpt-5.4', { serverTools: { web_search: 1 } }, { toolPrice: { web_search: 0 } })).toBe(0);
  });

  it('agrees with the price list for OpenAI and Anthropic', () => {
    const { findProvider } = createRequire(import.meta.url)('@pydantic/genai-prices') as PriceList;
    for (const providerId of ['openai', 'anthropic']) {
      for (const { id, prices } of findProvider({ providerId })?.models ?? []) {
        const all: ModelPrice[] = Array.isArray(prices) ? prices.map((entry) => entry.prices) : [prices];
        for (const { web_searches_kcount: search = 10, storage_searches_kcount: file = 2.5 } of all) {
          const { toolPrices } = rates('acme');
          expect([id, search, file]).toEqual([id, toolPrices?.web_search, toolPrices?.file_search]);
        }
      }
    }
  });
});

describe('a service tier', () => {
  it.each([
    // US dollars per million prompt tokens, from the vendors' pages.
    ['gpt-5.5', 'priority', 12.5],
    ['gpt-5.4', 'priority', 5],
    ['gpt-5.4', 'flex', 1.25],
    ['gpt-5-mini', 'priority', 0.45],
    ['gpt-4.1', 'priority', 3.5],
    ['gpt-4.1-nano', 'priority', 0.2],
    ['gpt-4o', 'priority', 4.25],
    ['o3', 'priority', 3.5],
    ['gemini-2.5-flash', 'flex', 0.15],
    ['gemini-2.5-flash', 'priority', 0.54],
    ['claude-opus-4-6', 'fast', 30],
    ['claude-opus-4-8', 'fast', 10],
    ['claude-opus-4-6', 'batch', 2.5],
    ['claude-opus-4-6', 'us', 5.5],
    ['claude-sonnet-4-5', 'us', 3],
    // Anthropic's priority is capacity paid for beforehand.
    ['claude-opus-4-6', 'priority', 5],
  ] as const)('%s %s costs %d dollars per million', (model, tier, dollars) => {
    expect(quota(model, { prompt: 100_000, serviceTiers: [tier] })).toBe(dollars * 50_000);
  });

  it('changes nothing for a look-alike that uses the same word', () => {
    expect(rates('acme-large', { selfUse: true }).tierRatios).toEqual({});
    const modelRatio = { 'gpt-oss-120b': 1 };
    expect(quota('gpt-oss-120b', { prompt: 100, serviceTiers: ['flex'] }, { modelRatio })).toBe(100);
  });

  it('has the factor the operator says', () => {
    const serviceTierRatio = { 'flex:gpt-5.4': 0.7, priority: 1 };
    expect(quota('gpt-5.4', { prompt: 1000, serviceTiers: ['flex'] }, { serviceTierRatio })).toBe(875);
    expect(quota('gpt-5.4', { prompt: 1000, serviceTiers: ['priority'] }, { serviceTierRatio })).toBe(1250);
  });
});
