import type { WriteContext } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { modelRule } from './model-rule.ts';

const suffix = '-thinking';
/** Of the output; with it, the minimum output is such that the budget is not below Anthropic's own bound. */
const defaultShare = 0.8;
const minOutput = 1280;
const minBudget = 1024;

export interface SuffixThinking {
  /** The name without the suffix. */
  model: string;
  maxOutput: number;
  /** Undefined on models that decide by themselves how much to think. */
  budget: number | undefined;
}

/**
 * `claude-...-thinking` is the same model, told to think: a convention of the gateways before us, for clients that cannot ask for
 * it. Undefined for any other name, and where the share is 0.
 */
export function readThinkingSuffix(model: string, output: number, share = defaultShare): SuffixThinking | undefined {
  if (share === 0 || !/^claude-.*-thinking$/.test(model)) return undefined;
  const plain = model.slice(0, -suffix.length);
  const maxOutput = Math.max(output, minOutput);
  const decides = modelRule(plain).thinking === 'adaptive';
  return {
    model: plain,
    maxOutput,
    budget: decides ? undefined : Math.max(Math.floor(maxOutput * share), minBudget),
  };
}

/** The call as it would be without the suffix. */
export function applyThinkingSuffix(
  request: ChatRequest,
  context: WriteContext,
): { request: ChatRequest; context: WriteContext } {
  const { defaultMaxOutput, thinkingShare } = context;
  const thinking = readThinkingSuffix(context.model, request.maxOutput || defaultMaxOutput, thinkingShare);
  if (!thinking) return { request, context };
  const { model, maxOutput, budget } = thinking;
  const wish = budget === undefined ? ({ mode: 'auto' } as const) : ({ mode: 'budget', budget } as const);
  return { context: { ...context, model }, request: { ...request, maxOutput, reasoning: request.reasoning ?? wish } };
}
