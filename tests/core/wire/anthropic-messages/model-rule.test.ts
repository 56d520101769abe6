import { describe, expect, it } from 'vitest';
import { modelRule } from '../../../../core/wire/anthropic-messages/model-rule.ts';

describe('what a Claude model takes', () => {
  it.each([
    ['claude-3-haiku-20240307', 4096, 'all', 'none', false],
    ['anthropic/claude-3.5-sonnet', 8192, 'all', 'none', false],
    ['claude-3-7-sonnet-latest', 64_000, 'all', 'budget', false],
    ['claude-opus-4-20250514', 32_000, 'oneOfTwo', 'budget', false],
    ['claude-sonnet-4-20250514', 64_000, 'oneOfTwo', 'budget', false],
    ['claude-opus-4-1@20250805', 32_000, 'oneOfTwo', 'budget', true],
    ['eu.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000, 'oneOfTwo', 'budget', true],
    ['claude-opus-4-6', 128_000, 'oneOfTwo', 'both', true],
    ['claude-opus-4-7', 128_000, 'none', 'adaptive', true],
    ['claude-opus-4-8', 128_000, 'none', 'adaptive', true],
    ['claude-sonnet-5', 128_000, 'none', 'adaptive', true],
    ['claude-mythos-5-1', 128_000, 'none', 'adaptive', true],
  ])('%s', (model, maxOutput, sampling, thinking, structuredOutput) => {
    expect(modelRule(model)).toMatchObject({ maxOutput, sampling, thinking, structuredOutput });
  });

  it.each([
    ['claude-sonnet-4-5', 'yes', 'notWhileThinking', true, false],
    ['claude-opus-4-6', 'yes', 'notWhileThinking', false, false],
    ['claude-opus-4-7', 'yes', 'yes', false, false],
    ['claude-opus-5', 'upToHigh', 'yes', false, true],
    ['claude-opus-5-5', 'no', 'no', false, true],
    ['claude-sonnet-5-5', 'no', 'no', false, true],
    ['claude-fable-5', 'no', 'yes', false, true],
    ['claude-fable-5-1', 'no', 'no', false, true],
    ['claude-haiku-5-5', 'upToHigh', 'no', false, true],
  ])(
    '%s: switching thinking off, forcing a tool, going on with its own turn',
    (model, canDisable, forcedTool, prefill, systemTurns) => {
      expect(modelRule(model)).toMatchObject({ canDisable, forcedTool, prefill, systemTurns });
    },
  );

  it('is not known of other vendors, so nothing of theirs is bounded', () => {
    expect(modelRule('kimi-k2')).toMatchObject({ sampling: 'all', maxOutput: Number.MAX_SAFE_INTEGER });
  });
});
