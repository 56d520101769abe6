import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/errors/app-error.ts';
import { readSource } from '../../../../core/integrations/price-source/read-source.ts';
import { noFacts } from '../../../../core/schemas/model-fact.ts';
import { priceLists } from '../../../support/price-lists.ts';

const read = (document: unknown) =>
  readSource('list', Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)));
const modelIn = (document: unknown, name: string) => read(document).models.find(({ model }) => model === name);
const faultsOf = (entry: Record<string, unknown>) =>
  read({ 'bad-model': { litellm_provider: 'acme', ...entry } }).faults.map(({ model, field, fault }) => [
    model,
    field,
    fault,
  ]);

describe('a price list', () => {
  it('is known by its shape', () => {
    const formats = Object.values(priceLists).map((list) => read(list).format);
    expect(formats).toEqual(['litellm', 'openrouter', 'new-api', 'ratio-config', 'models.dev']);
    expect(read(priceLists.ratioConfig.data).format).toBe('ratio-config');
    expect(read(`\uFEFF${JSON.stringify(priceLists.litellm)}`).format).toBe('litellm');
  });

  it('has the same price of a model in each format', () => {
    const price = { input: 3, cached: 0.3, output: 12 };
    for (const list of [priceLists.openrouter, priceLists.priceList, priceLists.ratioConfig]) {
      expect(modelIn(list, 'acme-large')?.price).toEqual(price);
    }
    const long = { above: 200_000, input: 6, cached: 0.6, output: 18 };
    expect(modelIn(priceLists.litellm, 'acme-large')?.price).toEqual({
      ...price,
      cache_write: 3.75,
      long_prompt: long,
    });
    expect(modelIn(priceLists.priceList, 'acme-picture')?.price).toEqual({ call: 0.04 });
    expect(modelIn(priceLists.ratioConfig, 'acme-picture')?.price).toEqual({ call: 0.04 });
  });

  it('says the context size, the modalities and the last day of a model', () => {
    expect(modelIn(priceLists.litellm, 'acme-large')?.facts).toEqual({
      context_window: 200_000,
      max_output: 8192,
      input_modalities: ['text', 'image', 'pdf'],
      output_modalities: [],
      abilities: ['tools', 'structured_output'],
      released_on: '',
      retires_on: '2027-03-01',
      is_deprecated: false,
    });
    expect(modelIn(priceLists.openrouter, 'acme-large')?.facts).toMatchObject({
      context_window: 128_000,
      max_output: 4096,
      input_modalities: ['text', 'image', 'pdf'],
      output_modalities: ['text'],
      abilities: ['tools', 'reasoning'],
      released_on: '2026-01-15',
    });
    expect(modelIn(priceLists.modelsDev, 'mistral-tiny')?.facts).toMatchObject({
      context_window: 32_000,
      input_modalities: ['text', 'audio'],
      is_deprecated: true,
    });
    expect(modelIn(priceLists.litellm, 'acme-embed')?.facts).toEqual(noFacts);
  });

  it('finds a model without the vendor in front of its name, and at its maker’s price', () => {
    expect(modelIn(priceLists.litellm, 'house-model')?.price).toEqual({ input: 1, output: 2 });
    expect(modelIn(priceLists.modelsDev, 'mistral-tiny')?.price).toMatchObject({ input: 0.25, output: 0.75 });
    expect(modelIn(priceLists.modelsDev, 'reseller/mistral-tiny')?.price).toMatchObject({ input: 9 });
    const different = [1, 2].map((price) => ({ id: `vendor-${price}/shared`, pricing: { prompt: `${price}e-6` } }));
    expect(modelIn({ data: different }, 'shared')).toBeUndefined();
  });

  it('has no output price of a model that writes nothing, and no price of one that has none', () => {
    expect(modelIn(priceLists.litellm, 'acme-embed')?.price).toEqual({ input: 0.1 });
    expect(modelIn(priceLists.priceList, 'acme-new')).toBeUndefined();
    expect(modelIn(priceLists.litellm, 'sample_spec')).toBeUndefined();
  });

  it.each([
    [0, 'zero'],
    [-1, 'negative'],
    ['NaN', 'notNumber'],
    ['free', 'notNumber'],
    [true, 'notNumber'],
    [{ usd: 1 }, 'notNumber'],
    [1e308, 'tooLarge'],
    // Per million tokens, in a field for one token.
    [2.5, 'tooLarge'],
  ])('refuses the price %s by the name of its model', (value, fault) => {
    expect(faultsOf({ input_cost_per_token: value, output_cost_per_token: 1e-6 })).toEqual([
      ['bad-model', 'input_cost_per_token', fault],
    ]);
    expect(faultsOf({ input_cost_per_token: 1e-6, output_cost_per_token: value })).toEqual([
      ['bad-model', 'output_cost_per_token', fault],
    ]);
    const list = { 'bad-model': { litellm_provider: 'acme', input_cost_per_token: value } };
    expect(modelIn(list, 'bad-model')?.price).toBeUndefined();
  });

  it('refuses an infinite number, a negative price per call and an output that is a million times the input', () => {
    const list = '{"data":[{"model_name":"a","quota_type":1,"model_price":1e999}]}';
    expect(read(list).faults).toMatchObject([{ model: 'a', field: 'model_price', fault: 'tooLarge' }]);
    const negative = { data: [{ model_name: 'b', quota_type: 1, model_price: -0.04 }] };
    expect(read(negative).faults).toMatchObject([{ model: 'b', value: '-0.04', fault: 'negative' }]);
    expect(faultsOf({ input_cost_per_token: 1e-13, output_cost_per_token: 0.01 })).toEqual([
      ['bad-model', 'output_cost_per_token', 'tooLarge'],
    ]);
  });

  it('keeps the faults of OpenRouter’s free and automatic models apart from its prices', () => {
    const { models, faults } = read(priceLists.openrouter);
    expect(faults.map(({ model, fault }) => `${model} ${fault}`)).toEqual([
      'acme/acme-free:free zero',
      'acme/acme-free:free zero',
      'openrouter/auto negative',
      'openrouter/auto negative',
    ]);
    expect(models.filter(({ price }) => price).map(({ model }) => model)).toEqual(['acme/acme-large', 'acme-large']);
  });

  it.each([
    ['', 'priceSource.unreadable'],
    ['{"a":', 'priceSource.unreadable'],
    ['{"a": NaN}', 'priceSource.unreadable'],
    ['<!doctype html><p>not found', 'priceSource.unreadable'],
    ['null', 'priceSource.unknownFormat'],
    ['[]', 'priceSource.unknownFormat'],
    ['42', 'priceSource.unknownFormat'],
    ['{"data":[{"id":"a"}]}', 'priceSource.unknownFormat'],
    ['{"models":{"gpt":1}}', 'priceSource.unknownFormat'],
    ['{"data":{"model_ratio":{}}}', 'priceSource.empty'],
  ])('says what is wrong with %j', (text, code) => {
    let error: unknown;
    try {
      read(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe(code);
    expect((error as AppError).text('en')).toContain('list');
  });

  it('survives entries of the wrong type', () => {
    const { models, faults } = read({
      good: { litellm_provider: 'a', input_cost_per_token: 1e-6 },
      text: 'x',
      list: [1],
    });
    expect(models.map(({ model }) => model)).toEqual(['good', 'text', 'list']);
    expect(faults).toEqual([]);
    const names = {
      data: [
        { id: '', pricing: { prompt: '1' } },
        { id: 'x'.repeat(300), pricing: {} },
      ],
    };
    expect(read(names).faults.map(({ fault }) => fault)).toEqual(['badName', 'badName']);
  });
});
