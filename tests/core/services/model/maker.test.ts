import { describe, expect, it } from 'vitest';
import { makerOf } from '../../../../core/services/model/maker.ts';

describe('the maker of a model', () => {
  it.each([
    ['gpt-4o-mini', 'OpenAI'],
    ['openai/gpt-4o-mini', 'OpenAI'],
    ['claude-3-5-sonnet-latest', 'Anthropic'],
    ['gemini-2.0-flash', 'Google'],
    ['text-embedding-004', 'Google'],
    ['text-embedding-3-small', 'OpenAI'],
    ['grok-3-beta', 'xAI'],
    ['llama-3.1-sonar-large-128k-online', 'Perplexity'],
    ['llama-3.3-70b-versatile', 'Meta'],
    ['house-model', undefined],
  ])('%s', (model, maker) => {
    expect(makerOf(model)).toBe(maker);
  });
});
