import type { ChatClientCodec } from '../../canonical/chat-codec.ts';
import { readGeminiRequest } from './read-request.ts';
import { writeGeminiResponse } from './write-response.ts';
import { arrayFrame, createGeminiWriter, eventFrame } from './write-stream.ts';

/** What clients of generateContent send and read; streams as server-sent events (`alt=sse`). */
export const geminiClient: ChatClientCodec = {
  protocol: 'gemini',
  readRequest: readGeminiRequest,
  createStreamWriter: (context) => createGeminiWriter(context, eventFrame),
  writeResponse: writeGeminiResponse,
};

/** Without `alt=sse` a stream is one JSON array that grows. */
export const geminiArrayClient: ChatClientCodec = {
  ...geminiClient,
  createStreamWriter: (context) => createGeminiWriter(context, arrayFrame),
};
