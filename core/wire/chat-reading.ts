import type { ChatEvent } from '../canonical/chat-event.ts';
import { UpstreamError } from '../errors/upstream-error.ts';
import { coded } from '../text/coded.ts';
import { withReason } from './event-reading.ts';
import type { EventReading } from './protocol.ts';

/** What neutral events tell the metering of a response and the check of its end. */
export function readingOf(events: readonly ChatEvent[]): EventReading {
  const reading: EventReading = {
    text: '',
    usage: undefined,
    usageOnly: false,
    finished: false,
    error: undefined,
    saysNothing: true,
    ended: false,
  };
  for (const event of events) note(event, reading);
  return reading;
}

function note(event: ChatEvent, reading: EventReading): void {
  switch (event.type) {
    case 'start':
      reading.responseId = event.id;
      reading.model = event.model;
      break;
    case 'open':
      // A tool's name is written by the model too.
      if (event.kind === 'toolCall') reading.text += event.name;
      if (event.kind !== 'text' && event.kind !== 'reasoning') reading.saysNothing = false;
      break;
    case 'delta':
      reading.text += event.text;
      reading.saysNothing = false;
      break;
    case 'usage':
      reading.usage = event.usage;
      if (event.isInterim) reading.isInterim = true;
      else delete reading.isInterim;
      break;
    case 'finish':
      reading.finished = true;
      reading.finishReason = withReason(reading.finishReason, event.reason);
      reading.saysNothing = false;
      break;
    case 'error':
      reading.error =
        event.body ??
        new UpstreamError({ status: 502, code: 'upstream_broken', coded: coded('upstream.failed'), kind: 'retry' });
      reading.status = event.status;
      break;
    case 'end':
      reading.ended = true;
      reading.saysNothing = false;
      break;
    default:
      break;
  }
}
