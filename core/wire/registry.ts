import type { ResponseIdentity } from '../canonical/chat-codec.ts';
import type { ProtocolName } from '../canonical/request.ts';
import { isJsonObject } from '../lib/json-value.ts';
import { anthropicMessages } from './anthropic-messages/index.ts';
import { cohereRerank } from './cohere-rerank/index.ts';
import { geminiGenerate } from './gemini/index.ts';
import { geminiEmbedding } from './gemini-embedding/index.ts';
import { openaiSpeech, openaiTranscription, openaiTranslation } from './openai-audio/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiCompletion } from './openai-completion/index.ts';
import { openaiEmbedding } from './openai-embedding/index.ts';
import { openaiImage, openaiImageEdit } from './openai-image/index.ts';
import { openaiModeration } from './openai-moderation/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Protocol } from './protocol.ts';
import { rerank } from './rerank/index.ts';

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini: geminiGenerate,
  'openai-completion': openaiCompletion,
  'openai-embedding': openaiEmbedding,
  'gemini-embedding': geminiEmbedding,
  'openai-moderation': openaiModeration,
  'openai-image': openaiImage,
  'openai-image-edit': openaiImageEdit,
  'openai-speech': openaiSpeech,
  'openai-transcription': openaiTranscription,
  'openai-translation': openaiTranslation,
  rerank,
  'cohere-rerank': cohereRerank,
};

/** The events of a stream whose upstream ignored `stream` and sent one document, as the client expects them. */
export function documentChunks(name: ProtocolName, document: unknown, identity: ResponseIdentity): unknown[] {
  const split = protocols[name].documentChunks;
  return split && isJsonObject(document) ? split(document, identity) : [document];
}
