import type { ChatUpstreamCodec } from '../../canonical/chat-codec.ts';
import { isChatProtocol } from '../../canonical/chat-request.ts';
import { createAnthropicMender } from '../../wire/anthropic-messages/mend-event.ts';
import { chatUpstreams } from '../../wire/chat-upstream.ts';
import { clientOf, readChat, streamContext } from '../request/conversion.ts';
import type { Replay } from '../rescue/hand-over.ts';
import { identityOf, type PreparedAttempt } from '../run.ts';
import { OpenAiReader } from './openai-reader.ts';
import { responseIdentity } from './response-document.ts';
import { ConvertingReader, PassingReader, type StreamReader } from './stream-reader.ts';
import { formatOf, formattedWriter } from './strict-form.ts';

/** The one reader of an attempt's stream. */
export function openStreamReader(attempt: PreparedAttempt): StreamReader {
  const { run, meter, format, conversion, adapter } = attempt;
  const { protocol } = run.call;
  const { resumed } = run;
  const isKept = run.rescue !== 'off';
  const isError = (event: unknown) => adapter.hiddenErrorStatus(event) !== undefined;
  if (conversion) {
    const { upstream, client, read, write } = conversion;
    const writer = client.createStreamWriter(write);
    const { continuation } = attempt;
    return new ConvertingReader({ protocol, upstream, context: read, writer, resumed, continuation, isKept });
  }
  const replay = isChatProtocol(protocol.name) ? replayOf(attempt, chatUpstreams[protocol.name]) : undefined;
  if (resumed && replay) {
    const { upstream, context } = replay;
    return new ConvertingReader({ protocol, upstream, context, writer: resumed.writer, resumed, isKept, isError });
  }
  if (isChatProtocol(protocol.name) && protocol.name !== 'openai-chat') {
    const context = { identity: responseIdentity(attempt), choices: run.request.choices };
    const isAnthropic = protocol.name === 'anthropic-messages';
    const mender = isAnthropic ? createAnthropicMender(context.identity, run.promptEstimate) : undefined;
    const passing = { replay: isKept ? replay : undefined, mender };
    return new PassingReader(protocol, chatUpstreams[protocol.name], context, passing);
  }
  return new OpenAiReader({
    protocol,
    choices: run.request.choices,
    meter,
    format,
    wantsUsage: run.request.wantsUsage,
    identity: identityOf(attempt),
    isError,
    replay: isKept ? replay : undefined,
  });
}

/** How a stream that passes as it is can be read again and gone on with, in the client's own protocol. */
function replayOf(attempt: PreparedAttempt, upstream: ChatUpstreamCodec): Replay {
  const { run, meter, created } = attempt;
  const identity = { id: run.call.id, model: run.request.model, created };
  return {
    upstream,
    context: { identity, choices: run.request.choices },
    async writer() {
      const request = await readChat(run);
      const writer = clientOf(run).createStreamWriter(streamContext(run, meter.identity ?? identity, request));
      // A fresh one: what it remembers of the stream it is told again.
      const format = formatOf(attempt);
      return format ? formattedWriter(writer, format) : writer;
    },
  };
}
