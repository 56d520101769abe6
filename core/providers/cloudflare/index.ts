import { AppError } from '../../errors/app-error.ts';
import type { ChannelTarget, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { isCloudflareGateway, trimSlash, urlSegment } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { createRunDecoder, toRun } from './completion.ts';
import { toDrawing } from './image.ts';
import { toTranscription } from './transcription.ts';

/** The vendor stops after 256 tokens when a call names no limit. */
const defaultTokenLimit = 2048;

const { label, defaultBaseUrl } = typeFacts(39);

const compatible = defineCompatibleProvider({
  ...typeFacts(39),
  protocols: ['openai-chat', 'openai-responses', 'openai-embedding'],
  chatProtocols: (model) => (model.includes('gpt-oss') ? ['openai-chat', 'openai-responses'] : ['openai-chat']),
  unsupported: [...newerHints, 'logit_bias'],
  // Older models name no response, and give the arguments of a call as an object.
  mendsResponses: true,
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
  check: (channel) => void accountRoot(channel.base_url, channel),
  modelsUrl: (base, channel) => `${accountRoot(base, channel)}/models/search?per_page=100&page=1`,
});

/** Workers AI; the account id is in the channel's `other` field. Completions, pictures and transcripts are runs of a model. */
export const cloudflare: ProviderAdapter = {
  ...compatible,
  protocols: new Set([...compatible.protocols, 'openai-completion', 'openai-image', 'openai-transcription']),
  needsBody: (protocol) => protocol === 'openai-completion',
  createStreamDecoder: createRunDecoder,
  buildRequest(call, channel) {
    switch (call.protocol) {
      case 'openai-completion':
        return { ...runOf(call, channel), ...toRun(call, { provider: label, tokenLimit: defaultTokenLimit }) };
      case 'openai-image':
        return { ...runOf(call, channel), ...toDrawing(call, label) };
      case 'openai-transcription':
        return { ...runOf(call, channel), ...toTranscription(call, label) };
      default:
        return compatible.buildRequest(call, channel);
    }
  },
};

/** The model's slashes and its @ are in the address as they are. */
function runOf({ model }: UpstreamCall, channel: ChannelTarget): Pick<UpstreamRequest, 'url' | 'headers' | 'edits'> {
  const path = model.split('/').map((part) => urlSegment(part).replaceAll('%40', '@'));
  return {
    url: `${accountRoot(trimSlash(channel.base_url || defaultBaseUrl), channel)}/run/${path.join('/')}`,
    headers: { authorization: `Bearer ${channel.key}`, 'content-type': 'application/json' },
    edits: [],
  };
}

function accountRoot(base: string, { other }: ChannelTarget): string {
  // Addresses of the AI Gateway contain the account already.
  if (isCloudflareGateway(base)) return base;
  if (other === '') throw new AppError('provider.fieldNeeded', { field: 'other' });
  return `${base}/client/v4/accounts/${urlSegment(other)}/ai`;
}
