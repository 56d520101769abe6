import type { ChatUpstreamCodec, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { protocolName } from './protocol-name.ts';
import { createAnthropicReader } from './read-stream.ts';
import { writeAnthropicRequest } from './write-request.ts';

export const anthropicUpstream: ChatUpstreamCodec = {
  protocol: protocolName,
  writeRequest: writeAnthropicRequest,
  createStreamReader: createAnthropicReader,
  isResponse: (response) => Array.isArray(recordOf(response).content) || recordOf(response).type === 'error',
  readResponse,
};

/** A whole message as the events it would have been. */
function readResponse(response: unknown, context: ReadContext): ChatEvent[] {
  const message = recordOf(response);
  const { content, usage, stop_reason, stop_sequence, stop_details } = message;
  const blocks = recordsOf(content).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ]);
  const reader = createAnthropicReader(context);
  const events = [
    message.type === 'error' ? message : { type: 'message_start', message: { ...message, usage: undefined } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details }, usage },
    { type: 'message_stop' },
  ];
  return [...events.flatMap((event) => reader.event(event)), ...reader.end()];
}
