import type { WriteContext } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { modelRule } from './model-rule.ts';

const suffix = '-thinking';
/** Of the output; with it, the least output is such that the budget is not below Anthropic's own bound. */
const share = 0.8;
const leastOutput = 1280;

/**
 * `claude-...-thinking` is the same model, told to think: a convention of the gateways before us, for clients that cannot ask for
 * it. Returns the call as it would be without the suffix.
 */
export function applyThinkingSuffix(
  request: ChatRequest,
  context: WriteContext,
): { request: ChatRequest; context: WriteContext } {
  if (!/^claude-.*-thinking$/.test(context.model)) return { request, context };
  const model = context.model.slice(0, -suffix.length);
  const maxOutput = Math.max(request.maxOutput || context.defaultMaxOutput, leastOutput);
  const decides = modelRule(model).thinking === 'adaptive';
  const budget = Math.floor(maxOutput * share);
  return {
    context: { ...context, model },
    request: {
      ...request,
      maxOutput,
      reasoning: request.reasoning ?? (decides ? { mode: 'auto' } : { mode: 'budget', budget }),
    },
  };
}
