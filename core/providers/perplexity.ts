import { trimSlash } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { mergeTurns } from './text-turn.ts';
import { typeFacts } from './type-fact.ts';

/** A closed list of fields, and no version in its path. */
export const perplexity = defineCompatibleProvider({
  ...typeFacts(27),
  protocols: ['openai-chat'],
  url: (base) => `${trimSlash(base)}/chat/completions`,
  unsupported: ['logit_bias', 'seed', 'user', 'stop', 'store', 'metadata', 'service_tier', 'parallel_tool_calls'],
  refused: ['n', 'logprobs'],
  adjust: (edits, { fields }) => {
    const topP = fields.value('top_p');
    if (typeof topP === 'number' && topP >= 1) edits.set('top_p', 0.99);
    return undefined;
  },
  messages: { rewrite: takeTurns },
  modelsUrl: null,
});

/** Turns of one role in a row are refused. */
function takeTurns(messages: Record<string, unknown>[]): Record<string, unknown>[] {
  const merged = mergeTurns(messages);
  return merged.length === messages.length ? messages : merged;
}
