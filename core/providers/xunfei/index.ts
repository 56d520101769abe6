import { AppError } from '../../errors/app-error.ts';
import type { ChannelTarget, OwnChat, OwnChatCall, ProviderAdapter, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { defineNearOpenAiCodec } from '../near-openai.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { hiddenErrorStatus, readSparkError, sparkRules } from './error-rule.ts';
import { isXunfeiPassword, readXunfeiKey } from './key.ts';
import { chunkOf, isLastMessage } from './read-response.ts';
import { signedUrl } from './signed-url.ts';
import { sparkModel, sparkVersion } from './version.ts';
import { writeSparkRequest } from './write-request.ts';

const defaultSocketBase = 'https://spark-api.xf-yun.com';

/** Spark's HTTP interface, whose models are the domains of the other one. */
const http = defineCompatibleProvider({
  ...typeFacts(18),
  defaultBaseUrl: 'https://spark-api-open.xf-yun.com',
  protocols: ['openai-chat'],
  unsupported: [...newerHints, 'logit_bias', 'seed', 'parallel_tool_calls'],
  refused: ['n', 'logprobs'],
  url: (base, { model }) => `${base.replace(/\/v\d$/, '')}/${isThinking(model) ? 'v2' : 'v1'}/chat/completions`,
  // Its responses have a name of the vendor's own, and no word for their end.
  mendsResponses: true,
  adjust: (_edits, { model }) => sparkModel(model),
  errors: sparkRules,
  modelsUrl: null,
});

function isThinking(model: string): boolean {
  return sparkModel(model).startsWith('x');
}

function socketChat({ other }: ChannelTarget): OwnChat {
  return {
    streamsOnly: true,
    codec: defineNearOpenAiCodec({
      writeRequest: (request, context) => writeSparkRequest(request, context, sparkVersion(context.model, other)),
      chunkOf,
      responseOf: chunkOf,
      isResponse: () => false,
      hiddenErrorStatus,
    }),
    buildRequest: buildSocketCall,
  };
}

/** Channel type 18: a WebSocket for a key of three parts, HTTP for a password. */
export const xunfei: ProviderAdapter = {
  ...http,
  defaultBaseUrl: '',
  check: ({ key }) => void readXunfeiKey(key),
  ownChat: (_model, channel) => (isXunfeiPassword(channel.key) ? undefined : socketChat(channel)),
  readError: readSparkError,
  hiddenErrorStatus: (body) => hiddenErrorStatus(body) ?? http.hiddenErrorStatus(body),
};

function buildSocketCall({ model, query, body, now }: OwnChatCall, channel: ChannelTarget): UpstreamRequest {
  const key = readXunfeiKey(channel.key);
  if (key.kind !== 'socket') throw new AppError('provider.keyForm', { form: 'APPID|APISecret|APIKey' });
  const { path, domain } = sparkVersion(model, channel.other, query.get('api-version'));
  const base = trimSlash(channel.base_url || defaultSocketBase).replace(/^ws/, 'http');
  const { header, parameter } = body as { header: object; parameter: { chat: object } };
  return {
    url: signedUrl(base, path, key, now ?? 0),
    headers: {},
    edits: [
      { set: 'header', raw: JSON.stringify({ app_id: key.appId, ...header }) },
      { set: 'parameter', raw: JSON.stringify({ chat: { ...parameter.chat, domain } }) },
    ],
    socket: { isLast: isLastMessage },
  };
}
