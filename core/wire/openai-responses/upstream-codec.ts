import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { recordOf } from '../../lib/json-value.ts';
import { createResponsesReader } from './read-stream.ts';
import { writeResponsesRequest } from './write-request.ts';

/** Upstreams that answer the Responses API: models that know no other way to be called. */
export const openaiResponsesUpstream: ChatUpstreamCodec = {
  protocol: 'openai-responses',
  writeRequest: writeResponsesRequest,
  createStreamReader: createResponsesReader,
  // One that failed says so in its status.
  isAnswer: (answer) => Array.isArray(recordOf(answer).output) || recordOf(answer).status === 'failed',
  readAnswer(answer, context) {
    const { status } = (answer ?? {}) as { status?: unknown };
    const type = status === 'failed' || status === 'cancelled' ? 'response.failed' : 'response.completed';
    return createResponsesReader(context).event({ type, response: answer });
  },
};
