import { AppError } from '../../errors/app-error.ts';
import { createEventNameDecoder } from '../../wire/event-name.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, ProviderAdapter, UpstreamRequest } from '../adapter.ts';
import { streamCodec } from '../app-chat.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { cozeErrors } from './error-rule.ts';
import { createCozeReader } from './read-stream.ts';
import { writeCozeRequest } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(49);

/** A whole response would have to be asked for again and again, so every response is a stream. */
const chat: OwnChat = {
  streamsOnly: true,
  codec: streamCodec(writeCozeRequest, createCozeReader),
  createStreamDecoder: createEventNameDecoder,
  buildRequest,
};

/** Bots of Coze v3: a model named `bot-...` says which, else the channel's field `other`. */
export const coze: ProviderAdapter = {
  ...defineCompatibleProvider({
    ...typeFacts(49),
    protocols: [],
    modelsUrl: null,
    errors: cozeErrors,
  }),
  ownChat: () => chat,
};

function buildRequest({ model }: OwnChatCall, { base_url, key, other }: ChannelTarget): UpstreamRequest {
  const bot = /^bot-(.+)$/.exec(model)?.[1] ?? other.trim();
  if (bot === '') throw new AppError('provider.fieldNeeded', { field: 'other' });
  return {
    url: `${trimSlash(base_url || defaultBaseUrl)}/v3/chat`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    edits: [{ set: 'bot_id', raw: JSON.stringify(bot) }],
  };
}
