import type { ChatStreamWriter } from '../../canonical/chat-codec.ts';
import { createResponseFormat, type ResponseFormat } from '../../wire/openai-chat/response-format.ts';
import { splitEvents } from '../../wire/sse.ts';
import { identityOf, type PreparedAttempt } from '../run.ts';

/** What the channel's settings make of a response of OpenAI's protocol; undefined when bytes pass as they are. */
export function formatOf(
  attempt: Pick<PreparedAttempt, 'run' | 'channel' | 'adapter' | 'created'>,
): ResponseFormat | undefined {
  if (attempt.run.call.protocol.name !== 'openai-chat') return undefined;
  const { force_format = false, thinking_to_content = false } = attempt.channel.setting;
  const isMended = attempt.adapter.mendsResponses;
  if (!(force_format || thinking_to_content || isMended)) return undefined;
  return createResponseFormat({ force_format, thinking_to_content, isMended }, identityOf(attempt));
}

/** Goes on with a stream in the form that it began in. */
export function formattedWriter(writer: ChatStreamWriter, format: ResponseFormat): ChatStreamWriter {
  function formatted(text: string): string {
    let out = '';
    for (const { data } of splitEvents(text)) {
      if (data === undefined || data === '' || data === '[DONE]') continue;
      const json = format.event(JSON.parse(data));
      if (json !== '') out += `data: ${json}\n\n`;
    }
    return out;
  }
  return {
    event: (event) => (event.type === 'ping' ? writer.event(event) : formatted(writer.event(event))),
    takeOver: () => writer.takeOver?.() ?? true,
    end: (usage) => writer.end(usage),
  };
}
