import { recordOf } from '../../lib/json-value.ts';
import { createJsonLineDecoder } from '../../wire/json-lines.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, ProviderAdapter, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { ollamaChat } from './codec.ts';
import { toEmbed } from './embedding.ts';
import { readOllamaSetting } from './setting.ts';
import { label } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(4);

/** Its compatible routes. Keys are placeholders unless a proxy is in front. */
const compatible = defineCompatibleProvider({
  ...typeFacts(4),
  protocols: ['openai-chat', 'openai-completion', 'openai-image', 'openai-speech', 'openai-transcription'],
  unsupported: ['logit_bias', 'user', 'parallel_tool_calls'],
  refused: ['n'],
  url: (base, { path }) => rootOf(base) + path,
  errors: [
    // Another channel may have a model that knows tools, pictures or thinking.
    { status: [400], words: ['does not support'], kind: 'retry' },
    { status: [403], kind: 'dead' },
  ],
  modelsUrl: (base) => `${rootOf(base)}/api/tags`,
});

const nativeChat: OwnChat = {
  codec: ollamaChat,
  buildRequest: buildNativeChat,
  createStreamDecoder: createJsonLineDecoder,
};

/** Embeddings always go to the native route; chat goes there for channels that ask for it (`readOllamaSetting`). */
export const ollama: ProviderAdapter = {
  ...compatible,
  protocols: new Set([...compatible.protocols, 'openai-embedding']),
  ownChat: (_model, channel) => (readOllamaSetting(channel).isNative ? nativeChat : undefined),
  writeContext: (_model, channel) => ({ replaysReasoning: readOllamaSetting(channel).isNative }),
  needsBody: (protocol) => protocol === 'openai-embedding',
  inlinesMedia: (url) => /^https?:/i.test(url),
  buildRequest(call, channel) {
    if (call.protocol !== 'openai-embedding') return compatible.buildRequest(call, channel);
    return { ...at('/api/embed', channel), ...toEmbed(call, readOllamaSetting(channel), label) };
  },
};

function buildNativeChat({ body }: OwnChatCall, channel: ChannelTarget): UpstreamRequest {
  const { options, keepAlive } = readOllamaSetting(channel);
  const raw = JSON.stringify({ ...options, ...recordOf(body.options) });
  const edits: UpstreamRequest['edits'] = [{ set: 'options', raw }];
  if (keepAlive !== undefined) edits.push({ set: 'keep_alive', raw: JSON.stringify(keepAlive) });
  return { ...at('/api/chat', channel), edits };
}

function at(path: string, { base_url, key }: ChannelTarget) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return { url: rootOf(base_url || defaultBaseUrl) + path, headers, edits: [] };
}

/** An address may end in either of the two ways to speak to it. */
function rootOf(base: string): string {
  return trimSlash(base).replace(/\/(v1|api)$/, '');
}
