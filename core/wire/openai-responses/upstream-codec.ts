import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { recordOf } from '../../lib/json-value.ts';
import { createResponsesReader } from './read-stream.ts';
import { writeResponsesRequest } from './write-request.ts';

/** Upstreams that serve the Responses API, for models that support no other API. */
export const openaiResponsesUpstream: ChatUpstreamCodec = {
  protocol: 'openai-responses',
  writeRequest: writeResponsesRequest,
  createStreamReader: createResponsesReader,
  // One that failed says so in its status.
  isResponse: (response) => Array.isArray(recordOf(response).output) || recordOf(response).status === 'failed',
  readResponse(response, context) {
    const { status } = (response ?? {}) as { status?: unknown };
    const type = status === 'failed' || status === 'cancelled' ? 'response.failed' : 'response.completed';
    return createResponsesReader(context).event({ type, response: response });
  },
};
