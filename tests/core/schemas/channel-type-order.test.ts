import { describe, expect, it } from 'vitest';
import { allPresetModels } from '../../../core/providers/preset-models.ts';
import { channelTypeLabel } from '../../../core/schemas/channel-type.ts';
import { channelTypes } from '../../../core/schemas/channel-type-list.ts';
import { findChannelTypes, orderedChannelTypes } from '../../../core/schemas/channel-type-order.ts';

const found = (typed: string, language: 'en' | 'zh' = 'en') =>
  findChannelTypes(typed, language, allPresetModels()).map(({ name }) => name);

describe('the types an operator chooses from', () => {
  it.each(['en', 'zh'] as const)('begin with the common ones; the rest follows by name (%s)', (language) => {
    const order = orderedChannelTypes(language);
    expect(order.slice(0, 4).map(({ name }) => name)).toEqual(['openai', 'anthropic', 'gemini', 'deepseek']);
    expect(order.map(({ number }) => number).sort((a, b) => a - b)).toEqual(channelTypes.map(({ number }) => number));
    const rest = order.slice(16).map(({ number }) => channelTypeLabel(number, language));
    expect(rest).toEqual(rest.toSorted((one, other) => one.localeCompare(other, language)));
  });

  it.each([
    ['claude', 'anthropic'],
    ['22', 'fastgpt'],
    ['moonshot', 'moonshot'],
    ['月之暗面', 'moonshot'],
    ['baidu', 'baidu'],
    ['百度', 'baidu'],
    ['gpt', 'openai'],
    ['glm', 'zhipu-v4'],
    ['DeepSeek', 'deepseek'],
    ['kimi', undefined],
    ['hunyuan', 'tencent'],
    ['通义', 'qwen'],
    ['  Azure ', 'azure'],
  ])('are found by %s', (typed, first) => {
    expect(found(typed)[0]).toBe(first);
  });

  it('are one when its number was typed, also where the name of another begins with it', () => {
    expect(found('3', 'zh')).toEqual(['azure']);
    expect(found('360', 'zh')[0]).toBe('360');
  });

  it('are all there when nothing was typed, and none for what no type has', () => {
    expect(found('')).toHaveLength(channelTypes.length);
    expect(found('no such type')).toEqual([]);
  });
});
