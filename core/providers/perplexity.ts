import { trimSlash } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';

/** A closed list of fields, and no version in its path. */
export const perplexity = defineCompatibleProvider({
  name: 'perplexity',
  label: 'Perplexity',
  defaultBaseUrl: 'https://api.perplexity.ai',
  protocols: ['openai-chat'],
  url: (base) => `${trimSlash(base)}/chat/completions`,
  unsupported: ['logit_bias', 'seed', 'user', 'stop', 'store', 'metadata', 'service_tier', 'parallel_tool_calls'],
  refused: ['n', 'logprobs'],
  adjust: (edits, { fields }) => {
    const topP = fields.value('top_p');
    if (typeof topP === 'number' && topP >= 1) edits.set('top_p', 0.99);
    return undefined;
  },
  modelsUrl: null,
});
