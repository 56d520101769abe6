import type { ChatClientCodec } from '../../canonical/chat-codec.ts';
import { emptyUsage } from '../../canonical/usage.ts';
import { readResponsesRequest } from './read-request.ts';
import { createResponsesWriter } from './write-stream.ts';

/** What clients of the Responses API send and read. */
export const openaiResponsesClient: ChatClientCodec = {
  protocol: 'openai-responses',
  readRequest: (body) => readResponsesRequest(body),
  createStreamWriter: createResponsesWriter,
  writeResponse(events, context) {
    const writer = createResponsesWriter(context);
    let usage = emptyUsage;
    for (const event of events) {
      if (event.type === 'usage') usage = event.usage;
      writer.event(event);
    }
    writer.end(usage);
    return writer.response;
  },
};
