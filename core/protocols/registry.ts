import type { ProtocolName } from '../canonical/request.ts';
import { cohereRerank } from '../wire/cohere-rerank/index.ts';
import { geminiEmbedding } from '../wire/gemini-embedding/index.ts';
import { openaiSpeech, openaiTranscription, openaiTranslation } from '../wire/openai-audio/index.ts';

import { openaiCompletion } from '../wire/openai-completion/index.ts';
import { openaiEmbedding } from '../wire/openai-embedding/index.ts';
import { openaiImage, openaiImageEdit } from '../wire/openai-image/index.ts';
import { openaiModeration } from '../wire/openai-moderation/index.ts';
import type { Protocol } from '../wire/protocol.ts';
import { rerank } from '../wire/rerank/index.ts';
import { anthropicMessages } from './anthropic-messages/index.ts';
import { geminiGenerate } from './gemini/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

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
