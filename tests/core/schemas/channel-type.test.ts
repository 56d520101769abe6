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
  ])('G-068 type %d: %s when the other field is left empty', (type, value) => {
    expect(channelTypeOf(type)?.other?.default).toBe(value);
  });

  it('have one number and one name each', () => {
    expect(new Set(channelTypes.map(({ number }) => number)).size).toBe(channelTypes.length);
    expect(new Set(channelTypes.map(({ name }) => name)).size).toBe(channelTypes.length);
  });

  it.each([
    ['G-274', 1, 'OpenAI'],
    ['G-275', 2, 'Midjourney Proxy'],
    ['G-276', 3, 'Azure OpenAI'],
    ['G-277', 4, 'Ollama'],
    ['G-278', 5, 'Midjourney Proxy Plus'],
    ['G-279', 8, 'Custom'],
    ['G-280', 11, 'Google PaLM2'],
    ['G-281', 14, 'Anthropic Claude'],
    ['G-282', 15, 'Baidu Wenxin'],
    ['G-283', 16, 'Zhipu ChatGLM'],
    ['G-284', 17, 'Alibaba Qwen'],
    ['G-285', 18, 'Xunfei Spark'],
    ['G-286', 19, '360'],
    ['G-287', 21, 'AI Proxy knowledge base'],
    ['G-288', 22, 'FastGPT knowledge base'],
    ['G-289', 23, 'Tencent Hunyuan'],
    ['G-290', 24, 'Google Gemini'],
    ['G-291', 25, 'Moonshot'],
    ['G-292', 26, 'Zhipu GLM-4V'],
    ['G-293', 31, 'Yi'],
    ['G-294', 33, 'AWS Claude'],
    ['G-295', 34, 'Cohere'],
    ['G-296', 35, 'MiniMax'],
    ['G-297', 36, 'Suno'],
    ['G-298', 37, 'Dify'],
    ['G-299', 38, 'Jina'],
    ['G-300', 39, 'Cloudflare'],
    ['G-301', 40, 'SiliconCloud'],
    ['G-302', 41, 'Vertex AI'],
    ['G-303', 42, 'Mistral'],
    ['G-304', 43, 'DeepSeek'],
  ])('%s type %d is %s, and is served', (_code, type, label) => {
    expect(channelTypeOf(type)?.label).toContain(label);
    // Drawings and songs are tasks, which no adapter serves.
    expect(adapterFor(type) === undefined).toBe([2, 5, 36].includes(type));
  });

  it.each([
    ['G-305', 15, 'APIKey|SecretKey'],
    ['G-306', 18, 'APPID|APISecret|APIKey'],
    ['G-307', 22, 'APIKey-AppId'],
    ['G-308', 23, 'AppId|SecretId|SecretKey'],
    ['G-309', 33, 'Ak|Sk|Region'],
    ['G-310', 41, 'service account JSON'],
    ['G-310', 1, undefined],
  ])('%s type %d: keys of the form %s', (_code, type, format) => {
    expect(channelTypeOf(type)?.keyFormat).toBe(format);
  });

  it('G-310 all others take one key as it is', () => {
    const withForm = channelTypes.filter(({ keyFormat }) => keyFormat !== undefined).map(({ number }) => number);
    expect(withForm).toEqual([15, 18, 22, 23, 33, 41]);
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
