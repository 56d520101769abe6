import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChatStreamReader } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { EventCutter, splitEvents } from '../../wire/sse.ts';
import type { StreamDecoder } from '../../wire/stream-decoder.ts';
import { parseText } from './stream-event.ts';

/** Read at a time, with room for other calls between. */
const turnBytes = 256 * 1024;

interface CollectedReading {
  reader: ChatStreamReader;
  /** Whether an event is a vendor's way to say that it failed. */
  isError(event: unknown): boolean;
}

/** The events of a stream that has arrived whole. A failed one ends with its `error`. Throws UpstreamError for what cannot be read. */
export async function collectStream(
  body: Buffer,
  decoder: StreamDecoder | undefined,
  { reader, isError }: CollectedReading,
): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  const cutter = new EventCutter();

  /** False once the response has ended. */
  function read(block: string): boolean {
    for (const { data } of splitEvents(block)) {
      if (data === undefined || data === '') continue;
      const event = data.startsWith('[DONE]') ? '[DONE]' : parseText(data);
      if (isError(event)) events.push({ type: 'error', status: 502, body: event });
      else events.push(...reader.event(event));
      const last = events.at(-1)?.type;
      if (last === 'end' || last === 'error') return false;
    }
    return true;
  }

  for (let at = 0; at < body.length; at += turnBytes) {
    const bytes = body.subarray(at, at + turnBytes);
    if (!read(cutter.push(decoder?.push(bytes) ?? bytes.toString('latin1')))) return events;
    await nextTurn();
  }
  decoder?.end();
  if (read(cutter.rest())) events.push(...reader.end());
  return events;
}
