import type { ChatStreamWriter, ChatUpstreamCodec, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { isDone, parseText } from '../deliver/stream-event.ts';
import { Delivered } from './delivered.ts';
import type { RawRecord } from './raw-record.ts';

/** A response in mid-stream: how far the client is, and the writer that goes on from there. */
export interface HandOver {
  delivered: Delivered;
  writer: ChatStreamWriter;
}

/** How the events of a stream that passed as they were are read again, and written from there on. */
export interface Replay {
  upstream: ChatUpstreamCodec;
  context: ReadContext;
  writer(): Promise<ChatStreamWriter>;
}

/** Undefined when no upstream can go on from here. */
export async function replayed(
  record: RawRecord,
  { upstream, context, writer: open }: Replay,
): Promise<HandOver | undefined> {
  const events = record.events();
  if (!events) return undefined;
  const reader = upstream.createStreamReader(context);
  const writer = await open();
  const delivered = new Delivered();
  const tell = (told: readonly ChatEvent[]) => {
    for (const event of told) {
      delivered.note(event);
      if (event.type !== 'end') writer.event(event);
    }
  };
  for (const data of events) {
    const passed = isDone(data) ? data : parseText(data);
    writer.passed?.(passed);
    tell(reader.event(passed));
  }
  tell(reader.ending?.() ?? []);
  // The client has more than can be told here, such as the signature of a thought that is not closed yet.
  if (reader.holdsBack?.()) return undefined;
  return writer.takeOver?.() === false ? undefined : { delivered, writer };
}
