import type { UpstreamCall } from './adapter.ts';
import { joinUrl } from './base-url.ts';
import type { BodyEdits } from './body-edit.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { newerHints } from './vendor-field.ts';

const internetSuffix = '-internet';

/** DashScope through its OpenAI-compatible routes. */
export const qwen = defineCompatibleProvider({
  name: 'qwen',
  label: 'Alibaba Qwen',
  defaultBaseUrl: 'https://dashscope.aliyuncs.com',
  protocols: ['openai-chat', 'openai-embedding'],
  hasStreamOptions: true,
  unsupported: newerHints,
  url: (base, { path }) => joinUrl(compatibleBase(base), path),
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
    // Single models that are closed or used up; the account serves the others.
    { codes: ['AccessDenied*', 'Model.AccessDenied', 'AllocationQuota.FreeTierOnly'], kind: 'retry' },
  ],
  modelsUrl: (base) => joinUrl(compatibleBase(base), '/v1/models'),
});

function compatibleBase(base: string): string {
  if (base.endsWith('/compatible-mode') || base.endsWith('/compatible-mode/v1')) return base;
  return `${base}/compatible-mode`;
}

function adjustQwen(edits: BodyEdits, { protocol, fields, model }: UpstreamCall): string | undefined {
  if (protocol !== 'openai-chat') return undefined;
  const topP = fields.value('top_p');
  if (typeof topP === 'number' && topP >= 1) edits.set('top_p', 0.999);
  if (typeof topP === 'number' && topP <= 0) edits.drop('top_p');
  const temperature = fields.value('temperature');
  if (typeof temperature === 'number' && temperature >= 2) edits.set('temperature', 1.99);
  if (!model.endsWith(internetSuffix)) return undefined;
  edits.set('enable_search', true);
  return model.slice(0, -internetSuffix.length);
}
