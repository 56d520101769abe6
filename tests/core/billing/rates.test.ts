import { describe, expect, it } from 'vitest';
import { builtinTables, imageFactor } from '../../../core/billing/default-ratios.ts';
import { listedModels } from '../../../core/billing/list-price.ts';
import { effectiveTables, type RateTables, ratesFor } from '../../../core/billing/rates.ts';
import { AppError } from '../../../core/errors/app-error.ts';

const untouched: RateTables = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: { default: 1, vip: 0.8 },
  quotaPerUnit: 500_000,
  selfUse: false,
};
const rates = (model: string, changes: Partial<RateTables> = {}, group = 'default') =>
  ratesFor({ ...untouched, ...changes }, model, group);

function isFromList(model: string): boolean {
  try {
    return rates(model).source === 'list';
  } catch {
    return false;
  }
}

function refusal(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('rates of a model with default prices', () => {
  it('come from the built-in table', () => {
    expect(rates('gpt-4o-mini')).toMatchObject({
      kind: 'ratio',
      modelRatio: 0.075,
      completionRatio: 4,
      cacheRatio: 0.5,
      createCacheRatio: 1.25,
      createCacheHourRatio: 2,
      audioRatio: 1,
      audioCompletionRatio: 4,
      imageRatio: 1,
      imageCompletionRatio: 4,
      modelPrice: -1,
      groupRatio: 1,
      quotaPerUnit: 500_000,
      source: 'builtin',
    });
    expect(rates('dall-e-3')).toMatchObject({ kind: 'price', modelPrice: 0.04, modelRatio: 0, source: 'builtin' });
    expect(rates('glm-4-flash')).toMatchObject({ kind: 'ratio', modelRatio: 0 });
    expect(rates('claude-3-opus-20240229')).toMatchObject({ cacheRatio: 0.1, createCacheRatio: 1.25 });
  });

  it('A-087 are those of the list beside this test, to the last model and figure', async () => {
    const dollars = (figure: number) => `$${Number(figure.toFixed(6))}`;
    const lines = Object.keys({ ...builtinTables.modelRatio, ...builtinTables.modelPrice }).map((model) => {
      const { kind, modelRatio, modelPrice, completionRatio, cacheRatio, createCacheRatio } = rates(model);
      if (kind === 'price') return `${model}: ${dollars(modelPrice)} a call`;
      const [prompt, completion] = [2 * modelRatio, 2 * modelRatio * completionRatio].map(dollars);
      const [read, written] = [2 * modelRatio * cacheRatio, 2 * modelRatio * createCacheRatio].map(dollars);
      return `${model}: ${prompt} in, ${completion} out, ${read} read from a cache, ${written} written to one`;
    });
    await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('builtin-price.snap');
  });

  it.each([
    ['gpt-4o-2024-05-13', 3],
    ['gpt-4o', 4],
    ['gpt-4o-all', 1], // no rule takes -all, and the table has no entry for it
    ['gpt-4-all', 2],
    ['gpt-4o-gizmo-g-abc', 3],
    ['gpt-4.5-preview', 2],
    ['gpt-4-turbo-preview', 3],
    ['gpt-4-32k', 2],
    ['o1-mini', 4],
    ['chatgpt-4o-latest', 3],
    ['claude-instant-1', 3],
    ['claude-3-5-haiku-20241022', 5],
    ['gpt-3.5-turbo', 3],
    ['gpt-3.5-turbo-0125', 3],
    ['gpt-3.5-turbo-1106', 2],
    ['gpt-3.5-turbo-16k', 1.3333333333],
    ['gemini-2.5-pro-preview-03-25', 8],
    ['gemini-2.5-pro-exp-03-25', 4],
    ['command-r-plus', 5],
    ['command-light', 4],
    ['deepseek-chat', 4],
    ['ERNIE-Speed-8K', 2],
    ['qwen-turbo', 1],
  ])('charge the completion of %s %d times', (model, ratio) => {
    expect(rates(model)).toMatchObject({ source: 'builtin', completionRatio: ratio });
  });

  it.each([
    ['gpt-4o-realtime-preview-2024-12-17', 8],
    ['gpt-4o-mini-realtime-preview', 16.6666666667],
    ['gpt-4o-realtime-preview', 20],
    ['gpt-4o-audio-preview', 40],
    ['gpt-4o-audio-preview-2024-12-17', 16],
  ])('A-244 charge the audio of %s %d times', (model, ratio) => {
    expect(rates(model)).toMatchObject({ audioRatio: ratio, audioCompletionRatio: 2 });
  });

  it('are shared by all custom GPTs of a kind', () => {
    expect(rates('gpt-4-gizmo-g-123')).toMatchObject({ kind: 'price', modelPrice: 0.1 });
    expect(rates('gpt-4o-gizmo-g-123')).toMatchObject({ kind: 'ratio', modelRatio: 2.5 });
  });

  it('come from the list prices when the table is older than the model', () => {
    // 1.25, 10 and 0.125 dollars per million
    expect(rates('gpt-5')).toMatchObject({
      source: 'list',
      modelRatio: 0.625,
      completionRatio: 8,
      cacheRatio: 0.1,
      createCacheRatio: 1,
    });
    // 3, 15, 0.3 and 3.75
    expect(rates('claude-sonnet-4-20250514')).toMatchObject({
      source: 'list',
      modelRatio: 1.5,
      completionRatio: 5,
      cacheRatio: 0.1,
      createCacheRatio: 1.25,
    });
    // 2 and 8: the list beats the guess that every gpt-4 response costs twice the prompt
    expect(rates('gpt-4.1')).toMatchObject({ source: 'list', modelRatio: 1, completionRatio: 4 });
    // 5, 10 for pictures in, 40 out
    expect(rates('gpt-image-1')).toMatchObject({ modelRatio: 2.5, imageRatio: 2, imageCompletionRatio: 4 });
    // 2.5, 32 for audio in, 64 out
    expect(rates('gpt-audio')).toMatchObject({ modelRatio: 1.25, audioRatio: 12.8, audioCompletionRatio: 2 });
    // 0.15 for text; the list does not say that sound is 10 in and 20 out.
    expect(rates('gpt-4o-mini-audio-preview')).toMatchObject({
      source: 'list',
      modelRatio: 0.075,
      audioRatio: 66.6666666667,
      audioCompletionRatio: 2,
    });
  });

  it('come from the list prices also of a vendor that no name of a model tells', () => {
    // 3 and 15; what it searches is priced by itself.
    expect(rates('sonar-pro')).toMatchObject({
      source: 'list',
      modelRatio: 1.5,
      completionRatio: 5,
      toolPrices: { search_low: 6 },
    });
    expect(rates('sonar')).toMatchObject({ source: 'list', modelRatio: 0.5, completionRatio: 1 });
    expect(refusal(() => rates('sonar-of-the-house')).code).toBe('model.unpriced');
  });

  it('do not exist for unknown models, and the error names the options', () => {
    for (const model of ['acme-large', 'constructor', '__proto__', '', 'x'.repeat(10_000)]) {
      const error = refusal(() => rates(model));
      expect([error.code, error.status, error.wireCode]).toEqual(['model.unpriced', 400, 'model_price_error']);
      expect(error.message).toMatch(/ModelRatio or ModelPrice/);
      expect(error.message.length).toBeLessThan(300);
    }
  });

  it('are high for unknown models in self use', () => {
    expect(rates('acme-large', { selfUse: true })).toMatchObject({
      source: 'selfUse',
      modelRatio: 37.5,
      completionRatio: 1,
    });
    expect(rates('gpt-4o', { selfUse: true })).toMatchObject({ source: 'builtin', modelRatio: 1.25 });
  });
});

describe('rates the operator set', () => {
  it('replace one model and leave the others', () => {
    const modelRatio = { 'gpt-4o': 3, 'acme-large': 2 };
    expect(rates('gpt-4o', { modelRatio })).toMatchObject({ source: 'operator', modelRatio: 3, completionRatio: 4 });
    expect(rates('acme-large', { modelRatio })).toMatchObject({ modelRatio: 2, completionRatio: 1, cacheRatio: 1 });
    expect(rates('gpt-4', { modelRatio })).toMatchObject({ source: 'builtin', modelRatio: 15 });
  });

  it('win over every built-in figure, also the fixed ones', () => {
    const own = { completionRatio: { 'gpt-4o': 7 }, cacheRatio: { 'gpt-4o': 0 }, createCacheRatio: { 'gpt-4o': 2 } };
    expect(rates('gpt-4o', own)).toMatchObject({ completionRatio: 7, cacheRatio: 0, createCacheRatio: 2 });
    const audio = { audioRatio: { 'gpt-4o-audio-preview': 5 }, audioCompletionRatio: { 'gpt-4o-audio-preview': 6 } };
    expect(rates('gpt-4o-audio-preview', audio)).toMatchObject({ audioRatio: 5, audioCompletionRatio: 6 });
    expect(rates('gpt-5', { completionRatio: { 'gpt-5': 9 } })).toMatchObject({ source: 'list', completionRatio: 9 });
  });

  it('make a price per call of a ratio, and the other way round', () => {
    expect(rates('gpt-4o', { modelPrice: { 'gpt-4o': 0.5 } })).toMatchObject({ kind: 'price', modelPrice: 0.5 });
    expect(rates('dall-e-3', { modelRatio: { 'dall-e-3': 16 } })).toMatchObject({ kind: 'ratio', modelRatio: 16 });
    expect(rates('gpt-4-gizmo-g-1', { modelRatio: { 'gpt-4-gizmo-*': 20 } })).toMatchObject({ modelRatio: 20 });
  });

  it('may hold the whole built-in map without changing a price per call', () => {
    const { modelRatio } = effectiveTables(untouched);
    expect(rates('gpt-4-gizmo-g-1', { modelRatio })).toMatchObject({ kind: 'price', modelPrice: 0.1 });
  });

  it('take the vendor proportions when only ModelRatio is set for a newer model', () => {
    expect(rates('gpt-5', { modelRatio: { 'gpt-5': 1 } })).toMatchObject({
      source: 'operator',
      modelRatio: 1,
      completionRatio: 8,
      cacheRatio: 0.1,
    });
  });

  it('of a newer model change none of the proportions its vendor has', () => {
    const listed = [...listedModels(), 'gpt-realtime', 'gpt-audio-1.5'].filter((model) => isFromList(model));
    expect(listed.length).toBeGreaterThan(100);
    for (const model of listed) {
      // Steps for long prompts are the operator's own to set.
      const { longPrompt: _, source: __, ...before } = rates(model);
      const own = rates(model, { modelRatio: { [model]: before.modelRatio } });
      expect({ model, ...own }).toMatchObject({ model, ...before });
    }
  });

  it('may be 0', () => {
    expect(rates('gpt-4o', { modelRatio: { 'gpt-4o': 0 } })).toMatchObject({ kind: 'ratio', modelRatio: 0 });
    expect(rates('gpt-4o', { modelPrice: { 'gpt-4o': 0 } })).toMatchObject({ kind: 'price', modelPrice: 0 });
  });

  it('know the group', () => {
    expect(rates('gpt-4o', {}, 'vip').groupRatio).toBe(0.8);
    expect(rates('gpt-4o', {}, 'unheard-of').groupRatio).toBe(1);
    expect(rates('gpt-4o', {}, 'constructor').groupRatio).toBe(1);
  });
});

describe('effective tables', () => {
  it('show the built-in entries under those of the operator', () => {
    const tables = effectiveTables({
      ...untouched,
      modelRatio: { 'gpt-4o': 3, 'acme-large': 2, 'dall-e-3': 16 },
      modelPrice: { mj_imagine: 1 },
    });
    expect(tables.modelRatio).toMatchObject({ 'gpt-4o': 3, 'acme-large': 2, 'gpt-4': 15 });
    expect(tables.modelPrice).toMatchObject({ mj_imagine: 1, suno_music: 0.1 });
    expect(tables.modelPrice).not.toHaveProperty('dall-e-3');
    expect(tables.groupRatio).toEqual({ default: 1, vip: 0.8 });
    expect(Object.keys(effectiveTables(untouched).modelRatio).length).toBeGreaterThan(150);
  });
});

describe('image factor', () => {
  it.each([
    ['dall-e-2', '256x256', undefined, 0.4],
    ['dall-e-2', '512x512', undefined, 0.45],
    ['dall-e-2', undefined, undefined, 1],
    ['dall-e-3', '1024x1024', 'standard', 1],
    ['dall-e-3', '1024x1024', 'hd', 2],
    ['dall-e-3', '1024x1792', 'standard', 2],
    ['dall-e-3', '1792x1024', 'hd', 3],
    ['dall-e-2', '1024x1024', 'hd', 1],
    ['gpt-image-1', '1536x1024', 'high', 1],
    ['constructor', 'constructor', 'hd', 1],
  ])('%s %s %s is %d', (model, size, quality, factor) => {
    expect(imageFactor(model, size, quality)).toBe(factor);
  });
});
