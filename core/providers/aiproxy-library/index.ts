import { AppError } from '../../errors/app-error.ts';
import { recordOf } from '../../lib/json-value.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, ProviderAdapter, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { aiProxyBalance } from '../reseller.ts';
import { typeFacts } from '../type-fact.ts';
import { isFailure, libraryErrors } from './error-rule.ts';
import { createLibraryReader, readLibraryResponse } from './read-stream.ts';
import { writeLibraryRequest } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(21);

const chat: OwnChat = {
  codec: {
    protocol: 'vendor',
    writeRequest: writeLibraryRequest,
    createStreamReader: createLibraryReader,
    isResponse: (response) => typeof recordOf(response).answer === 'string',
    readResponse: (response, context) => readLibraryResponse(recordOf(response), context),
  },
  buildRequest,
};

/** AI Proxy knowledge bases; the channel's field `other` contains the id of one. */
export const aiProxyLibrary: ProviderAdapter = {
  ...defineCompatibleProvider({
    ...typeFacts(21),
    protocols: [],
    modelsUrl: null,
    errors: libraryErrors,
    balance: aiProxyBalance,
  }),
  ownChat: () => chat,
  check: (channel) => void libraryOf(channel),
  hiddenErrorStatus: (body) => (isFailure(body) ? 400 : undefined),
};

function libraryOf({ other }: ChannelTarget): string {
  const library = other.trim();
  if (library === '') throw new AppError('provider.fieldNeeded', { field: 'other' });
  return library;
}

function buildRequest(_call: OwnChatCall, channel: ChannelTarget): UpstreamRequest {
  const { base_url, key } = channel;
  return {
    url: `${trimSlash(base_url || defaultBaseUrl)}/api/library/ask`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    edits: [{ set: 'libraryId', raw: JSON.stringify(libraryOf(channel)) }],
  };
}
