import type { ChatStreamReader, ChatStreamWriter, ChatUpstreamCodec, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { emptyChatRequest } from '../../canonical/empty-request.ts';
import type { Usage } from '../../canonical/usage.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { coded, type DetailKey } from '../../text/coded.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import type { ErrorReader } from '../../wire/describe-error.ts';
import type { ErrorDialect } from '../../wire/error-dialect.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import { EventTemplate } from './event-template.ts';

/** What one event of an upstream's stream comes to. */
export interface StreamEvent extends EventReading {
  /** What goes to the client instead of the event's own bytes, as latin1 text; undefined = those bytes. */
  written?: string;
}

/** Reads the events of one stream and says what of them the client gets. Text is latin1: one character per byte. */
export interface StreamReader {
  /** Where events are passed as they are: tells those that differ from the one before in their text alone. */
  readonly template: EventTemplate | undefined;
  /** Throws UpstreamError for what is not an event. */
  read(data: string): StreamEvent;
  /** The bytes ended before the stream's last event: what is missing to a whole response, or an error. */
  close(): StreamEvent;
  /** What goes out once the bill is settled; `terminal` is the upstream's own last event, '' when it sent none. */
  last(usage: Usage, terminal: string): string;
  /** What ends a stream that broke, so that the client's SDK raises it. */
  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string;
}

const doneMark = '[DONE]';
export const doneEvent: StreamEvent = { ...readingOf([{ type: 'end' }]) };
export const emptyEvent: StreamEvent = { ...readingOf([]), written: '' };

export function isDone(data: string): boolean {
  return data.startsWith(doneMark);
}

/** Passes the events of a chat protocol on as they are. */
export class PassingReader implements StreamReader {
  readonly template: EventTemplate | undefined;
  readonly #protocol: Protocol;
  readonly #upstream: ChatUpstreamCodec;
  readonly #context: ReadContext;
  readonly #reader: ChatStreamReader;
  #begun = false;

  constructor(protocol: Protocol, upstream: ChatUpstreamCodec, context: ReadContext) {
    this.#protocol = protocol;
    this.#upstream = upstream;
    this.#context = context;
    this.#reader = upstream.createStreamReader(context);
    if (!protocol.streamsArray && !this.#reader.needsEveryText)
      this.template = new EventTemplate(protocol.readEvent, true);
  }

  read(data: string): StreamEvent {
    // Some resellers end every stream the way OpenAI ends its own.
    if (isDone(data)) return emptyEvent;
    const event = parseEvent(data);
    const reading: StreamEvent = readingOf(this.#reader.event(event));
    if (reading.finished) reading.itemIds = itemIdsOf(recordOf(event).response);
    if (reading.error) return this.#failed(data);
    if (this.#protocol.streamsArray) {
      reading.written = `${this.#begun ? ',\r\n' : '['}${data}`;
      this.#begun = true;
    } else this.template?.learn(data, reading);
    return reading;
  }

  close(): StreamEvent {
    return readingOf(this.#reader.end());
  }

  last(_usage: Usage, terminal: string): string {
    if (this.#protocol.streamsArray) return this.#begun ? ']' : '[]';
    return terminal || this.#protocol.terminal;
  }

  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string {
    return failureOf(this.#protocol, { error, dialect, reader, begun: this.#begun }, () => this.#ownWriter());
  }

  #ownWriter(): ChatStreamWriter | undefined {
    const { identity } = this.#context;
    const { chat } = this.#protocol;
    const request = chat && emptyChatRequest(chat.protocol, identity.model);
    return request && chat.createStreamWriter({ identity, promptTokens: 0, wantsUsage: true, request });
  }

  /** Its words are shown to people, so they are read as the characters they are. */
  #failed(data: string): StreamEvent {
    return readingOf(this.#upstream.createStreamReader(this.#context).event(parseText(data)));
  }
}

/** Puts the events of one chat protocol into another's. */
export class ConvertingReader implements StreamReader {
  readonly template = undefined;
  readonly #protocol: Protocol;
  readonly #reader: ChatStreamReader;
  readonly #writer: ChatStreamWriter;
  readonly #endsWithDone: boolean;
  #begun = false;

  constructor(protocol: Protocol, upstream: ChatUpstreamCodec, context: ReadContext, writer: ChatStreamWriter) {
    this.#protocol = protocol;
    this.#reader = upstream.createStreamReader(context);
    this.#writer = writer;
    this.#endsWithDone = upstream.protocol === 'openai-chat' || upstream.protocol === 'vendor';
  }

  read(data: string): StreamEvent {
    if (!isDone(data)) return this.#write(this.#reader.event(parseText(data)));
    if (!this.#endsWithDone) return emptyEvent;
    return this.#write([...this.#reader.event(doneMark), ...this.#reader.end()]);
  }

  close(): StreamEvent {
    return this.#write(this.#reader.end());
  }

  last(usage: Usage): string {
    return toLatin1(this.#writer.end(usage));
  }

  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string {
    return failureOf(this.#protocol, { error, dialect, reader, begun: this.#begun }, () => this.#writer);
  }

  #write(events: ChatEvent[]): StreamEvent {
    const reading: StreamEvent = readingOf(events);
    reading.text = toLatin1(reading.text);
    if (reading.error) return reading;
    let written = '';
    for (const event of events) if (event.type !== 'end') written += this.#writer.event(event);
    reading.written = toLatin1(written);
    if (written !== '') this.#begun = true;
    return reading;
  }
}

interface Failure {
  error: unknown;
  dialect: ErrorDialect;
  reader: ErrorReader;
  /** Something of the response has gone out. */
  begun: boolean;
}

/** An element of the array, the failed response that clients of the Responses API wait for, or an event of the dialect. */
function failureOf(
  { name, streamsArray }: Protocol,
  { error, dialect, reader, begun }: Failure,
  writerOf: () => ChatStreamWriter | undefined,
): string {
  const { status, body } = dialect.write(error, reader);
  if (streamsArray) return toLatin1(`${begun ? ',\r\n' : '['}${JSON.stringify(body)}]`);
  const writer = name === 'openai-responses' ? writerOf() : undefined;
  return toLatin1(writer ? writer.event({ type: 'error', status, body }) : dialect.event(error, reader));
}

/** Items of a whole Responses response, which a later call may refer to. */
export function itemIdsOf(response: unknown): string[] {
  return recordsOf(recordOf(response).output).flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));
}

export function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw brokenStream('upstream.eventNotJson', error);
  }
}

/** As characters and not as bytes, for code that reads or rewrites the text. */
export function parseText(data: string): unknown {
  return parseEvent(isAscii(data) ? data : Buffer.from(data, 'latin1').toString('utf8'));
}

/** The UTF-8 bytes of a text, one character each. */
export function toLatin1(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  return /^[\u0000-\u007f]*$/.test(text);
}

export function brokenStream(key: DetailKey, cause?: unknown): UpstreamError {
  return new UpstreamError({
    status: 502,
    code: 'upstream_broken',
    coded: coded(key),
    kind: 'retry',
    cause,
  });
}
