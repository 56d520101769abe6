import type { ProviderAdapter, UpstreamCall } from './adapter.ts';
import type { BodyEdits } from './body-edit.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { splitEffort } from './model-rule.ts';
import { typeFacts } from './type-fact.ts';
import { newerHints } from './vendor-field.ts';

const reasoningModel = 'grok-3-mini';
const effortSuffix = /^(grok-3-mini.*)-(low|medium|high)$/;

const compatible = defineCompatibleProvider({
  ...typeFacts(48),
  protocols: ['openai-chat', 'openai-image'],
  unsupported: newerHints,
  adjust: adjustXai,
  // Its usage leaves reasoning out of the completion.
  mendsResponses: true,
  errors: [
    // The vendor returns 400 for a wrong key.
    { status: [400, 401, 403], words: ['incorrect api key'], kind: 'dead' },
    { status: [403], words: ['credits'], kind: 'balance' },
  ],
});

export const xai: ProviderAdapter = { ...compatible, drawsFullSize: true };

function adjustXai(edits: BodyEdits, call: UpstreamCall): string | undefined {
  if (call.protocol === 'openai-image') {
    edits.drop('size');
    return undefined;
  }
  const { model, effort } = splitEffort(call.model, effortSuffix);
  if (effort) edits.set('reasoning_effort', effort);
  if (!model.startsWith(reasoningModel)) return model;
  const limit = call.fields.value('max_completion_tokens') ?? call.fields.value('max_tokens');
  edits.drop('max_tokens');
  edits.rename('max_tokens', 'max_completion_tokens');
  if (typeof limit === 'number') edits.set('max_completion_tokens', limit);
  for (const field of ['presence_penalty', 'frequency_penalty', 'stop']) edits.drop(field);
  return model;
}
