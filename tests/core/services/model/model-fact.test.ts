import { describe, expect, it } from 'vitest';
import { contextWindowOf, makerOf } from '../../../../core/services/model/model-fact.ts';

describe('what is known of a model', () => {
  it.each([
    ['gpt-4o-mini', 'OpenAI', 128_000],
    ['gpt-4o-mini-2024-07-18', 'OpenAI', 128_000],
    ['openai/gpt-4o-mini', 'OpenAI', 128_000],
    ['claude-3-5-sonnet-20241022', 'Anthropic', 200_000],
    ['claude-3-5-sonnet-latest', 'Anthropic', 200_000],
    ['gemini-2.0-flash', 'Google', 1_000_000],
    ['text-embedding-3-small', 'OpenAI', 8192],
    ['grok-3-beta', 'xAI', 131_072],
    ['llama-3.1-sonar-large-128k-online', 'Perplexity', undefined],
    ['llama-3.3-70b-versatile', 'Meta', undefined],
    ['house-model', undefined, undefined],
  ])('%s', (model, maker, window) => {
    expect(makerOf(model)).toBe(maker);
    expect(contextWindowOf(model)).toBe(window);
  });
});
