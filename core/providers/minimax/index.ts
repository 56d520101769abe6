import { openaiChatUpstream } from '../../wire/openai-chat/upstream-codec.ts';
import type { ChannelTarget, OwnChat, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { defineNearOpenAiCodec } from '../near-openai.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { toImage } from './image.ts';
import { chunkOf, responseOf } from './read-response.ts';
import { toSpeech } from './speech.ts';

const { defaultBaseUrl, label } = typeFacts(35);

/** One chat path for everything; failures come with HTTP 200 and a code in `base_resp`. */
const compatible = defineCompatibleProvider({
  ...typeFacts(35),
  protocols: ['openai-chat'],
  url: (base) => `${rootOf(base)}/v1/text/chatcompletion_v2`,
  unsupported: newerHints,
  refused: ['n'],
  adjust: (edits, { fields }) => {
    // Zero is outside the vendor's range.
    if (fields.value('temperature') === 0) edits.set('temperature', 0.01);
    if (fields.value('top_p') === 0) edits.set('top_p', 0.01);
    return undefined;
  },
  errors: [
    { codes: ['1004', '2049'], kind: 'dead' },
    { codes: ['1008', '1028', '1030', '2056'], kind: 'balance' },
    { codes: ['1026', '1027'], kind: 'policy' },
    { codes: ['1039', '1042', '2013', '2061'], kind: 'client' },
    { codes: ['1000', '1001', '1002', '1013', '1024', '1033', '1041', '2045'], kind: 'retry' },
  ],
  modelsUrl: null,
});

/** OpenAI's requests; its responses end differently enough that none is passed on as it is. */
const chat: OwnChat = {
  codec: defineNearOpenAiCodec({
    writeRequest: openaiChatUpstream.writeRequest,
    chunkOf,
    responseOf,
    isResponse: openaiChatUpstream.isResponse,
    hiddenErrorStatus: compatible.hiddenErrorStatus,
  }),
  buildRequest: (call, channel) =>
    compatible.buildRequest({ ...call, protocol: 'openai-chat', path: '/v1/chat/completions' }, channel),
};

export const minimax: ProviderAdapter = {
  ...compatible,
  protocols: new Set(['openai-chat', 'openai-image', 'openai-speech']),
  drawsFullSize: true,
  ownChat: () => chat,
  buildRequest,
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  const at = (path: string) => ({
    url: rootOf(channel.base_url || defaultBaseUrl) + path,
    headers: { authorization: `Bearer ${channel.key}`, 'content-type': 'application/json' },
    edits: [],
  });
  if (call.protocol === 'openai-image') return { ...at('/v1/image_generation'), ...toImage(call, label) };
  if (call.protocol === 'openai-speech') return { ...at('/v1/t2a_v2'), ...toSpeech(call, label) };
  return compatible.buildRequest(call, channel);
}

function rootOf(base: string): string {
  return trimSlash(base).replace(/\/v1$/, '');
}
