import { AppError } from '../../errors/app-error.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { channelTypeWords } from '../../schemas/channel-type.ts';
import type { ChannelTarget, OwnChat, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineNearOpenAiCodec } from '../near-openai.ts';
import { typeFacts } from '../type-fact.ts';
import { toEmbedding } from './embedding.ts';
import { endpointPath } from './endpoint.ts';
import { baiduErrors } from './error-rule.ts';
import { isNewerBaiduKey, readBaiduKey } from './key.ts';
import { chunkOf, responseOf } from './read-response.ts';
import { exchangeOf } from './token.ts';
import { baiduV2 } from './v2.ts';
import { label, writeBaiduRequest } from './write-request.ts';

const { defaultBaseUrl } = typeFacts(15);

const nativeChat: OwnChat = {
  codec: defineNearOpenAiCodec({
    writeRequest: writeBaiduRequest,
    chunkOf,
    responseOf,
    isResponse: (response) => isJsonObject(response) && typeof response.result === 'string',
    hiddenErrorStatus: baiduErrors.hiddenErrorStatus,
  }),
  buildRequest: (call, channel) => buildNative(call.model, channel),
};

/** Channel type 15: the older interface for an application's pair of keys, the newer one for a key of the newer form. */
export const baidu: ProviderAdapter = {
  ...baiduErrors,
  ...typeFacts(15),
  protocols: baiduV2.protocols,
  mendsResponses: true,
  ownChat: (_model, { key }) => (isNewerBaiduKey(key) ? undefined : nativeChat),
  needsBody: (protocol) => protocol === 'openai-embedding',
  check: ({ key }) => void readBaiduKey(key),
  buildRequest,
  readError: (status, body, headers, context) => {
    const isOlder = isJsonObject(body) && body.error_code !== undefined;
    return (isOlder ? baiduErrors : baiduV2).readError(status, body, headers, context);
  },
  modelList,
};

function modelList(channel: ChannelTarget): ReturnType<NonNullable<ProviderAdapter['modelList']>> {
  const list = isNewerBaiduKey(channel.key) ? baiduV2.modelList?.(channel) : undefined;
  if (!list) throw new AppError('channel.noModelList', { channelType: channelTypeWords(15) });
  return list;
}

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (isNewerBaiduKey(channel.key)) return baiduV2.buildRequest(call, channel);
  if (call.protocol !== 'openai-embedding')
    throw new AppError('provider.notOffered', { provider: label, path: call.path });
  return { ...buildNative(call.model, channel), ...toEmbedding(call, label) };
}

function buildNative(model: string, channel: ChannelTarget): UpstreamRequest {
  const base = trimSlash(channel.base_url || defaultBaseUrl);
  const key = readBaiduKey(channel.key);
  if (key.kind !== 'v1') throw new AppError('provider.keyForm', { form: 'APIKey|SecretKey' });
  return {
    url: base + endpointPath(model),
    headers: { 'content-type': 'application/json' },
    edits: [],
    credential: exchangeOf(key, base),
  };
}
