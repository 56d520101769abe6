import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { clampEffort, type Effort, effortOf } from '../../canonical/effort.ts';
import type { Losses } from '../../canonical/loss.ts';

interface EffortRule {
  models: RegExp;
  efforts: readonly Effort[];
  /** What switches reasoning off, undefined where it cannot be. */
  off?: string;
}

/** Models that know `reasoning_effort`; the first line that fits counts. To others it would be an unknown field. */
const rules: readonly EffortRule[] = [
  { models: /^gpt-5\.1-codex-max/, efforts: ['low', 'medium', 'high', 'xhigh'], off: 'none' },
  { models: /^gpt-5\.1/, efforts: ['low', 'medium', 'high'], off: 'none' },
  { models: /^gpt-(5\.\d|[6-9])/, efforts: ['low', 'medium', 'high', 'xhigh'], off: 'none' },
  { models: /^gpt-5/, efforts: ['minimal', 'low', 'medium', 'high'], off: 'minimal' },
  { models: /^(o\d|codex|gpt-oss)/, efforts: ['low', 'medium', 'high'] },
  // Its vendor knows every word of effort, and thinks unless it is told not to.
  { models: /^deepseek-(flash|v4)/, efforts: ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'], off: 'none' },
  { models: /^grok-3-mini/, efforts: ['low', 'high'] },
  { models: /^gemini-(2\.5|[3-9])/, efforts: ['minimal', 'low', 'medium', 'high'], off: 'none' },
];

export function writeEffort(
  { origin, reasoning }: ChatRequest,
  model: string,
  losses: Losses,
): Record<string, unknown> {
  if (!reasoning) return {};
  const field = clientField(origin, 'reasoning');
  const name = model.slice(model.lastIndexOf('/') + 1);
  const rule = rules.find(({ models }) => models.test(name));
  // The client's own word, for a vendor that may know more than this table.
  if (origin === 'openai-chat' && !rule)
    return reasoning.effort ? { reasoning_effort: reasoning.effort } : offWord(reasoning.mode);
  if (reasoning.mode === 'off') {
    if (rule?.off) return { reasoning_effort: rule.off };
    // A model that does not reason needs no switch.
    if (rule) losses.drop(field);
    return {};
  }
  const effort = effortOf(reasoning);
  // The model decides by itself, which is what it does anyway.
  if (!effort) return {};
  if (!rule) {
    losses.drop(field);
    return {};
  }
  const written = clampEffort(effort, rule.efforts);
  if (written !== effort || reasoning.mode === 'budget') losses.emulate(field);
  return { reasoning_effort: written };
}

function offWord(mode: string): Record<string, unknown> {
  return mode === 'off' ? { reasoning_effort: 'none' } : {};
}
