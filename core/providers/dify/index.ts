import { AppError } from '../../errors/app-error.ts';
import { recordOf } from '../../lib/json-value.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, ProviderAdapter, UpstreamRequest } from '../adapter.ts';
import { streamCodec } from '../app-chat.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { typeFacts } from '../type-fact.ts';
import { difyErrors } from './error-rule.ts';
import { createDifyReader } from './read-stream.ts';
import { writeDifyRequest } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(37);

const paths: Record<string, string> = {
  '': '/v1/chat-messages',
  chat: '/v1/chat-messages',
  agent: '/v1/chat-messages',
  completion: '/v1/completion-messages',
};

/** Agents only stream, so every app is asked to. */
const chat: OwnChat = {
  streamsOnly: true,
  codec: streamCodec(writeDifyRequest, createDifyReader),
  buildRequest,
};

const base = defineCompatibleProvider({
  ...typeFacts(37),
  protocols: [],
  modelsUrl: null,
  errors: difyErrors,
});

/** The key is one app's; the channel's field `other` names its kind. */
export const dify: ProviderAdapter = {
  ...base,
  ownChat: () => chat,
  check: ({ other }) => void appOf(other),
  // Inside a stream the status is beside the code.
  hiddenErrorStatus: (body) => base.hiddenErrorStatus(recordOf(body).event === 'error' ? { error: body } : body),
};

function appOf(other: string): { kind: string; path: string } {
  const kind = other.trim().toLowerCase();
  const path = Object.hasOwn(paths, kind) ? paths[kind] : undefined;
  if (path !== undefined) return { kind, path };
  throw new AppError('provider.fieldWrong', { field: 'other', form: 'chat, agent, completion' });
}

function buildRequest({ body }: OwnChatCall, { base_url, key, other }: ChannelTarget): UpstreamRequest {
  const { kind, path } = appOf(other);
  const { inputs, query } = body;
  return {
    url: trimSlash(base_url || defaultBaseUrl).replace(/\/v1$/, '') + path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    edits: [],
    // Apps that complete a text have the question among their variables.
    ...(kind === 'completion' && { body: { ...body, inputs: { query, ...recordOf(inputs) } } }),
  };
}
