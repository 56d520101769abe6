import type { UpstreamCall } from '../adapter.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { rootOf, searchingModel } from './address.ts';

/** DashScope through its OpenAI-compatible routes. */
export const qwenCompatible = defineCompatibleProvider({
  ...typeFacts(17),
  protocols: ['openai-chat', 'openai-embedding'],
  unsupported: newerHints,
  url: (base, { path }) => compatibleBase(base) + path,
  // The plugin of the channel's `other` field, for models that use one.
  headers: ({ other }): Record<string, string> => (other === '' ? {} : { 'x-dashscope-plugin': other }),
  adjust: adjustQwen,
  errors: [
    // A limit per minute under the name of an empty account: it recovers by itself.
    { status: [429], codes: ['insufficient_quota'], kind: 'retry' },
    { status: [429], words: ['you exceeded your current quota'], kind: 'retry' },
    { codes: ['Arrearage'], kind: 'balance' },
    { codes: ['InvalidApiKey'], kind: 'dead' },
    { codes: ['DataInspectionFailed', 'data_inspection_failed', 'InvalidParameter.DataInspection'], kind: 'policy' },
    { codes: ['InvalidParameter*', 'BadRequest*', 'InvalidURL', 'UnsupportedOperation'], kind: 'client' },
    // Single models that are closed or used up; the account serves the others.
    { codes: ['AccessDenied*', 'Model.AccessDenied', 'AllocationQuota.FreeTierOnly'], kind: 'retry' },
  ],
  modelsUrl: (base) => `${compatibleBase(base)}/v1/models`,
});

function compatibleBase(base: string): string {
  return `${rootOf(base)}/compatible-mode`;
}

function adjustQwen(edits: BodyEdits, { protocol, fields, model, request }: UpstreamCall): string | undefined {
  if (protocol !== 'openai-chat') return undefined;
  const topP = fields.value('top_p');
  if (typeof topP === 'number' && topP >= 1) edits.set('top_p', 0.999);
  if (typeof topP === 'number' && topP <= 0) edits.drop('top_p');
  const temperature = fields.value('temperature');
  if (typeof temperature === 'number' && temperature >= 2) edits.set('temperature', 1.99);
  // The open models think unless they are told not to, and then refuse to be asked for whole responses.
  if (!request.stream && /^qwen3-\d+b/.test(model) && !fields.has('enable_thinking'))
    edits.set('enable_thinking', false);
  const searching = searchingModel(model);
  if (searching !== undefined) edits.set('enable_search', true);
  return searching;
}
