import { describe, expect, it } from 'vitest';
import { modelObject } from '../../../core/http/relay/model-object.ts';
import { allPresetModels, presetModels } from '../../../core/providers/preset-models.ts';
import { adapterFor } from '../../../core/providers/registry.ts';
import { channelTypeOf, findChannelType } from '../../../core/schemas/channel-type.ts';
import { channelTypes } from '../../../core/schemas/channel-type-list.ts';

describe('channel types', () => {
  it('are found by number and by name', () => {
    expect(channelTypeOf(3)).toMatchObject({ name: 'azure', label: 'Azure OpenAI', needsBaseUrl: true });
    expect(findChannelType('Azure')).toBe(findChannelType('3'));
    for (const nothing of [0, 28, 32, -1, 1.5]) expect(channelTypeOf(nothing)).toBeUndefined();
    for (const nothing of ['28', '-1', 'nobody', '', 'constructor']) expect(findChannelType(nothing)).toBeUndefined();
  });

  it.each([
    [3, '2023-06-01-preview'],
    [18, 'v2.1'],
  ])('type %d: %s when the other field is left empty', (type, value) => {
    expect(channelTypeOf(type)?.other?.default).toBe(value);
  });

  it('have one number and one name each', () => {
    expect(new Set(channelTypes.map(({ number }) => number)).size).toBe(channelTypes.length);
    expect(new Set(channelTypes.map(({ name }) => name)).size).toBe(channelTypes.length);
  });

  it.each([
    [15, 'APIKey|SecretKey'],
    [18, 'APPID|APISecret|APIKey'],
    [22, 'APIKey-AppId'],
    [23, 'AppId|SecretId|SecretKey'],
    [33, 'Ak|Sk|Region'],
    [41, 'service account JSON'],
    [1, undefined],
  ])('type %d: keys of the form %s', (type, format) => {
    expect(channelTypeOf(type)?.keyFormat).toBe(format);
  });

  it('agree with their adapters', () => {
    for (const { number, name, label, defaultBaseUrl } of channelTypes) {
      const adapter = adapterFor(number);
      if (adapter)
        expect({ number, name: adapter.name, label: adapter.label, defaultBaseUrl: adapter.defaultBaseUrl }).toEqual({
          number,
          name,
          label,
          defaultBaseUrl,
        });
    }
  });
});

describe('preset models', () => {
  it('are offered by type', () => {
    expect(presetModels(1)).toContain('gpt-4o-mini');
    expect(presetModels(25)).toEqual(['moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k']);
    expect(presetModels(999)).toEqual([]);
    for (const type of Object.keys(allPresetModels())) expect(findChannelType(type)).toBeDefined();
  });

  it('say who owns a model in the list a client reads', () => {
    expect(modelObject('gpt-4o')).toMatchObject({
      id: 'gpt-4o',
      object: 'model',
      created: 1626777600,
      owned_by: 'openai',
      root: 'gpt-4o',
      parent: null,
    });
    expect(modelObject('mistral-large-latest').owned_by).toBe('mistral');
    expect(modelObject('my-own').owned_by).toBe('custom');
    expect(modelObject('gpt-4o').permission[0]).toMatchObject({
      object: 'model_permission',
      allow_view: true,
      is_blocking: false,
    });
  });
});
