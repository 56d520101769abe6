import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { createGeminiReader } from './read-stream.ts';
import { writeGeminiRequest } from './write-request.ts';

/** Upstreams that speak generateContent: AI Studio and Vertex. */
export const geminiUpstream: ChatUpstreamCodec = {
  protocol: 'gemini',
  writeRequest: writeGeminiRequest,
  createStreamReader: createGeminiReader,
  readAnswer(answer, context) {
    const reader = createGeminiReader(context);
    return [...reader.event(answer), ...reader.end()];
  },
};
