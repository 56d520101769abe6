import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { geminiModel } from './model-rule.ts';
import { createGeminiReader } from './read-stream.ts';
import { writeGeminiRequest } from './write-request.ts';

/** Upstreams that speak generateContent: AI Studio and Vertex. */
export const geminiUpstream: ChatUpstreamCodec = {
  protocol: 'gemini',
  writeRequest: writeGeminiRequest,
  searchesBesideTools: (model) => geminiModel(model).isThird,
  createStreamReader: createGeminiReader,
  isResponse,
  readResponse(response, context) {
    // However many were asked for: a whole response was not cut off.
    const reader = createGeminiReader({ ...context, choices: undefined });
    return [...reader.event(response), ...reader.end()];
  },
};

/** The response to a blocked prompt has no candidates. */
function isResponse(response: unknown): boolean {
  const { candidates, promptFeedback, error } = recordOf(Array.isArray(response) ? response[0] : response);
  return recordsOf(candidates).length > 0 || recordOf(promptFeedback).blockReason !== undefined || error !== undefined;
}
