import { AppError } from '../../errors/app-error.ts';
import { countOf, recordOf, recordsOf } from '../../lib/json-value.ts';
import { embeddingTexts } from '../../wire/openai-embedding/read-request.ts';
import { writeEmbeddings } from '../../wire/openai-embedding/write-response.ts';
import type { ChannelTarget, OwnChat, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { defineNearOpenAiCodec } from '../near-openai.ts';
import { typeFacts } from '../type-fact.ts';
import { tencentErrors } from './error-rule.ts';
import { readTencentKey } from './key.ts';
import { chunkOf, responseOf } from './read-response.ts';
import { label, writeHunyuanRequest } from './write-request.ts';

const host = 'hunyuan.tencentcloudapi.com';

const chat: OwnChat = {
  codec: defineNearOpenAiCodec({
    writeRequest: writeHunyuanRequest,
    chunkOf,
    responseOf,
    isResponse: (response) => recordsOf(recordOf(recordOf(response).Response).Choices).length > 0,
    hiddenErrorStatus: tencentErrors.hiddenErrorStatus,
  }),
  buildRequest: (_call, channel) => buildAction('ChatCompletions', channel),
};

/** Channel type 23: one address for everything; a header says what is asked for, and a signature covers the body. */
export const tencent: ProviderAdapter = {
  ...tencentErrors,
  ...typeFacts(23),
  check: ({ key }) => void readTencentKey(key),
  protocols: new Set(['openai-embedding']),
  ownChat: () => chat,
  needsBody: (protocol) => protocol === 'openai-embedding',
  buildRequest,
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (call.protocol !== 'openai-embedding')
    throw new AppError('provider.notOffered', { provider: label, path: call.path });
  const [text, ...more] = embeddingTexts(call, label);
  // Its list of texts is younger than the action, and not everywhere.
  const input = more.length === 0 ? { Input: text } : { InputList: [text, ...more] };
  return {
    ...buildAction('GetEmbedding', channel),
    body: input,
    readResponse(response) {
      const { Data, Usage } = recordOf(recordOf(response).Response);
      return writeEmbeddings(call, more.length + 1, {
        model: call.model,
        vectors: recordsOf(Data).map(({ Embedding }) => Embedding),
        tokens: countOf(recordOf(Usage).PromptTokens),
      });
    },
  };
}

function buildAction(action: string, { key, base_url: base }: ChannelTarget): UpstreamRequest {
  return {
    url: `${trimSlash(base || `https://${host}`)}/`,
    headers: { 'content-type': 'application/json', 'x-tc-action': action, 'x-tc-version': '2023-09-01' },
    edits: [],
    credential: { kind: 'tencent', ...readTencentKey(key), service: 'hunyuan', host },
  };
}
