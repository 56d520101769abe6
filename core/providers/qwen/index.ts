import type { ChannelTarget, OwnChat, ProviderAdapter, UpstreamCall, UpstreamRequest } from '../adapter.ts';
import { rootOf } from './address.ts';
import { qwenCompatible } from './compatible.ts';
import { writeEmbedding } from './embedding.ts';
import { drawingJob, writeDrawing } from './image.ts';
import { qwenChat } from './read-stream.ts';
import { writeRerank } from './rerank.ts';
import { isMultimodal } from './write-message.ts';

/**
 * Chat and embeddings through the compatible routes, or the native ones for channels that ask for it (`native` in their settings)
 * and for models that only those have. Pictures and ranks are native.
 */
export const qwen: ProviderAdapter = {
  ...qwenCompatible,
  drawsByAddress: true,
  protocols: new Set([...qwenCompatible.protocols, 'openai-image', 'rerank']),
  ownChat: (model, { setting }) => (setting.native === true || model.startsWith('qwen-audio') ? nativeChat : undefined),
  needsBody: (protocol) => protocol === 'rerank' || protocol === 'openai-embedding',
  buildRequest,
};

const nativeChat: OwnChat = {
  codec: qwenChat,
  buildRequest({ model, request }, channel) {
    const kind = isMultimodal(model) ? 'multimodal' : 'text';
    const built = at(`aigc/${kind}-generation/generation`, channel);
    if (request.stream) Object.assign(built.headers, { accept: 'text/event-stream', 'x-dashscope-sse': 'enable' });
    return built;
  },
};

function buildRequest(call: UpstreamCall, channel: ChannelTarget): UpstreamRequest {
  if (call.protocol === 'rerank') return { ...at('rerank/text-rerank/text-rerank', channel), ...writeRerank(call) };
  if (call.protocol === 'openai-embedding' && channel.setting.native === true)
    return { ...at('embeddings/text-embedding/text-embedding', channel), ...writeEmbedding(call) };
  if (call.protocol !== 'openai-image') return qwenCompatible.buildRequest(call, channel);
  const built = at('aigc/text2image/image-synthesis', channel);
  built.headers['x-dashscope-async'] = 'enable';
  return {
    ...built,
    ...writeDrawing(call),
    job: drawingJob(`${rootOf(channel.base_url)}/api/v1/tasks`, keyHeaders(channel)),
  };
}

function at(path: string, channel: ChannelTarget): UpstreamRequest {
  const { base_url, other } = channel;
  const headers: Record<string, string> = { ...keyHeaders(channel), 'content-type': 'application/json' };
  if (other !== '') headers['x-dashscope-plugin'] = other;
  return { url: `${rootOf(base_url)}/api/v1/services/${path}`, headers, edits: [] };
}

function keyHeaders({ key }: ChannelTarget): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
