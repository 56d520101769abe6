import { AppError } from '../errors/app-error.ts';
import type { ChannelTarget } from './adapter.ts';
import { isCloudflareGateway, urlSegment } from './base-url.ts';
import { defineCompatibleProvider } from './compatible.ts';
import { newerHints } from './vendor-field.ts';

/** The vendor stops after 256 tokens when a call names no limit. */
const defaultTokenLimit = 2048;

/** Workers AI; the account id stands in the channel's `other` field. */
export const cloudflare = defineCompatibleProvider({
  name: 'cloudflare',
  label: 'Cloudflare',
  defaultBaseUrl: 'https://api.cloudflare.com',
  protocols: ['openai-chat', 'openai-responses', 'openai-embedding'],
  chatProtocols: (model) => (model.includes('gpt-oss') ? ['openai-chat', 'openai-responses'] : ['openai-chat']),
  hasStreamOptions: true,
  unsupported: [...newerHints, 'logit_bias'],
  refused: ['n', 'logprobs'],
  url: (base, { path }, channel) => accountRoot(base, channel) + path,
  adjust: (edits, { protocol, fields }) => {
    const hasLimit = typeof (fields.value('max_tokens') ?? fields.value('max_completion_tokens')) === 'number';
    if (protocol === 'openai-chat' && !hasLimit) edits.set('max_tokens', defaultTokenLimit);
    return undefined;
  },
  errors: [
    { codes: ['10000', '9109', '3023'], kind: 'dead' },
    { codes: ['5016', '5018', '3041', '5007', '3042'], kind: 'retry' },
    { codes: ['5004', '3003', '3039', '5019', '5005', '3006'], kind: 'client' },
    { codes: ['3036', '3040', '3007', '3008'], kind: 'retry' },
  ],
  modelsUrl: (base, channel) => `${accountRoot(base, channel)}/models/search?per_page=100&page=1`,
});

function accountRoot(base: string, { other }: ChannelTarget): string {
  // Addresses of the AI Gateway hold the account already.
  if (isCloudflareGateway(base)) return base;
  if (other === '') throw new AppError('provider.fieldNeeded', { field: 'other' });
  return `${base}/client/v4/accounts/${urlSegment(other)}/ai`;
}
