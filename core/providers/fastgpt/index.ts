import { createEventNameDecoder } from '../../wire/event-name.ts';
import { openaiChatUpstream } from '../../wire/openai-chat/upstream-codec.ts';
import type { OwnChat, ProviderAdapter } from '../adapter.ts';
import { joinUrl } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { createFastGptReader } from './read-stream.ts';
import { writeFastGptRequest } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(22);

/** OpenAI's format but for what a response calls itself, so every response is rewritten. */
const chat: OwnChat = {
  codec: {
    ...openaiChatUpstream,
    protocol: 'vendor',
    writeRequest: writeFastGptRequest,
    createStreamReader: createFastGptReader,
  },
  createStreamDecoder: createEventNameDecoder,
  buildRequest: (_call, { base_url, key }) => ({
    url: joinUrl(base_url || defaultBaseUrl, '/v1/chat/completions'),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    edits: [],
  }),
};

/** The app behind the key decides everything; its usage is a placeholder. The key goes whole, whatever its dashes mean. */
export const fastGpt: ProviderAdapter = {
  ...defineCompatibleProvider({
    ...typeFacts(22),
    protocols: [],
    modelsUrl: null,
    usageIsFake: true,
    errors: [
      { codes: ['insufficientQuota', 'aiPointsNotEnough'], kind: 'balance' },
      { words: ['余额不足'], kind: 'balance' },
      { codes: ['unAuthApiKey', 'unAuthorization', 'appUnExist', 'unAuthApp', '403', '514'], kind: 'dead' },
    ],
  }),
  ownChat: () => chat,
};
