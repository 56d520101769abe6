import { describe, expect, it } from 'vitest';
import { isReasoningModel } from '../../../../core/relay/first-token/pace.ts';

describe('a reasoning model', () => {
  it.each([
    ...[
      'o3-mini',
      'gpt-5',
      'gpt-5-mini',
      'openai/gpt-oss-120b',
      'deepseek-reasoner',
      'deepseek-ai/DeepSeek-R1',
      'qwq-32b',
    ],
    ...[
      'gemini-2.5-pro',
      'gemini-3-flash',
      'claude-sonnet-4-5-thinking',
      'grok-4',
      'kimi-k2-thinking',
      'magistral-small',
    ],
    ...['o4-mini-deep-research', 'gpt-4o-search-preview', 'gemini-2.5-flash-image', 'glm-4.6', 'qwen3-32b'],
  ])('is %s', (model) => expect(isReasoningModel(model)).toBe(true));

  it.each([
    ...[
      'gpt-4o',
      'gpt-4.1-mini',
      'gpt-5-chat-latest',
      'claude-sonnet-4-5',
      'claude-3-5-haiku-20241022',
      'deepseek-chat',
    ],
    ...[
      'gemini-2.0-flash',
      'grok-4-fast-non-reasoning',
      'qwen3-coder-plus',
      'qwen3-30b-a3b-instruct-2507',
      'llama-3.3-70b',
    ],
    ...['mistral-large', 'moonshot-v1-8k', 'omni', 'o'],
  ])('is not %s', (model) => expect(isReasoningModel(model)).toBe(false));
});
