import { AppError } from '../../errors/app-error.ts';
import { readRerankResponse } from '../../wire/rerank/read-response.ts';
import type { ChannelTarget, OwnChat, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { trimSlash } from '../base-url.ts';
import { BodyEdits, editModel } from '../body-edit.ts';
import { readModelNames } from '../model-list.ts';
import { typeFacts } from '../type-fact.ts';
import { writeEmbedding } from './embedding.ts';
import { hiddenCohereStatus, readCohereError } from './error-rule.ts';
import { cohereLabel } from './label.ts';
import { createCohereReader, readCohereResponse } from './read-stream.ts';
import { writeRerank } from './rerank.ts';
import { thinks, writeCohereRequest } from './write-request.ts';

const { defaultBaseUrl: root } = typeFacts(34);

/** Version 2 of the API. */
export const cohere: ProviderAdapter = {
  ...typeFacts(34),
  protocols: new Set(['openai-embedding', 'rerank', 'cohere-rerank']),
  ownChat: () => ownChat,
  writeContext: (model) => ({ replaysReasoning: thinks(model) }),
  needsBody: (protocol) => protocol === 'openai-embedding' || protocol === 'rerank',
  buildRequest,
  readError: readCohereError,
  hiddenErrorStatus: hiddenCohereStatus,
  modelList: (channel) => ({
    url: `${baseOf(channel)}/v1/models?page_size=1000`,
    headers: keyHeaders(channel),
    read: readModelNames,
  }),
};

const ownChat: OwnChat = {
  codec: {
    protocol: 'vendor',
    writeRequest: writeCohereRequest,
    createStreamReader: createCohereReader,
    isResponse: (response) => typeof response === 'object' && response !== null && 'message' in response,
    readResponse: readCohereResponse,
  },
  buildRequest: (_call, channel) => at('/v2/chat', channel),
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  switch (call.protocol) {
    case 'openai-embedding':
      return { ...at('/v2/embed', channel), ...writeEmbedding(call) };
    case 'rerank':
      return {
        ...at('/v2/rerank', channel),
        ...writeRerank(call),
        readResponse: (response) => readRerankResponse(response, call),
      };
    case 'cohere-rerank': {
      const edits = new BodyEdits(call);
      editModel(edits, call, call.model);
      return { ...at('/v2/rerank', channel), edits: edits.list() };
    }
    default:
      throw new AppError('provider.notOffered', { provider: cohereLabel, path: call.path });
  }
}

function at(path: string, channel: ChannelTarget): UpstreamRequest {
  const headers = { ...keyHeaders(channel), 'content-type': 'application/json' };
  return { url: baseOf(channel) + path, headers, edits: [] };
}

/** Each call has a version of its own. */
function baseOf({ base_url }: ChannelTarget): string {
  return trimSlash(base_url || root).replace(/\/v[12]$/, '');
}

function keyHeaders({ key }: ChannelTarget): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
