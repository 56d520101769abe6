import type { ChatStreamReader, ChatStreamWriter, ChatUpstreamCodec, ReadContext } from '../../canonical/chat-codec.ts';
import type { ChatEvent } from '../../canonical/chat-event.ts';
import { emptyChatRequest } from '../../canonical/empty-request.ts';
import type { Usage } from '../../canonical/usage.ts';
import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { type AnthropicMender, hasName, namedEvent } from '../../wire/anthropic-messages/mend-event.ts';
import { readingOf } from '../../wire/chat-reading.ts';
import type { ErrorReader } from '../../wire/describe-error.ts';
import type { ErrorDialect } from '../../wire/error-dialect.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import type { Continuation } from '../rescue/continuation.ts';
import { ContinuationSeam } from '../rescue/continuation-seam.ts';
import { Delivered } from '../rescue/delivered.ts';
import { type HandOver, type Replay, replayed } from '../rescue/hand-over.ts';
import { RawRecord } from '../rescue/raw-record.ts';
import { Splice } from '../rescue/splice.ts';
import { EventTemplate } from './event-template.ts';
import { isDone, parseEvent, parseText, toLatin1 } from './stream-event.ts';

/** What one event of an upstream's stream comes to. */
export interface StreamEvent extends EventReading {
  /** What goes to the client instead of the event's own bytes, as latin1 text; undefined = those bytes. */
  written?: string;
}

/** Reads the events of one stream and says what of them the client gets. Text is latin1: one character per byte. */
export interface StreamReader {
  /** Where events are passed as they are: tells those that differ from the one before in their text alone. */
  readonly template: EventTemplate | undefined;
  /** Set once events come with something that the client is not to see: one of them, without it. */
  readonly shown?: ((event: string) => string) | undefined;
  /** Throws UpstreamError for what is not an event. */
  read(data: string): StreamEvent;
  /** The bytes ended before the stream's last event: what is missing to a whole response, or an error. */
  close(): StreamEvent;
  /** What goes out once the bill is settled; `terminal` is the upstream's own last event, '' when it sent none. */
  last(usage: Usage, terminal: string): string;
  /** What ends a stream that broke, so that the client's SDK raises it. */
  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string;
  /** What went out as it came, kept in case the stream breaks off. */
  readonly record?: RawRecord | undefined;
  /** Of a stream that goes on with another upstream's: something of it goes out, and not only what the client has already. */
  readonly hasPassed?: boolean;
  /** For the upstream that goes on when this one breaks off; undefined when none can. */
  handOver?(): Promise<HandOver | undefined>;
}

const doneMark = '[DONE]';
export const doneEvent: StreamEvent = { ...readingOf([{ type: 'end' }]) };
const emptyEvent: StreamEvent = { ...readingOf([]), written: '' };

/** What a stream that passes as it is may need beside its own protocol. */
export interface Passing {
  replay?: Replay | undefined;
  /** Of Anthropic's protocol. */
  mender?: AnthropicMender | undefined;
}

/** Passes the events of a chat protocol on as they are, as far as the client's SDK reads them so. */
export class PassingReader implements StreamReader {
  readonly template: EventTemplate | undefined;
  shown: StreamReader['shown'];
  readonly #protocol: Protocol;
  readonly #upstream: ChatUpstreamCodec;
  readonly #context: ReadContext;
  readonly #reader: ChatStreamReader;
  readonly record: RawRecord | undefined;
  readonly #replay: Replay | undefined;
  readonly #mender: AnthropicMender | undefined;
  /** The last event that told the whole response, and the number of the last event: what a failed response starts from. */
  #announced = '';
  #sequence: unknown;
  #begun = false;

  constructor(protocol: Protocol, upstream: ChatUpstreamCodec, context: ReadContext, { replay, mender }: Passing = {}) {
    this.#replay = replay;
    this.#mender = mender;
    if (mender) this.shown = (event) => this.#withName(event);
    this.#protocol = protocol;
    this.#upstream = upstream;
    this.#context = context;
    this.#reader = upstream.createStreamReader(context);
    if (!protocol.streamsArray && !this.#reader.needsEveryText)
      this.template = new EventTemplate(protocol.readEvent, true);
    this.record = replay && new RawRecord(this.template);
  }

  read(data: string): StreamEvent {
    // Some resellers end every stream the way OpenAI ends its own.
    if (isDone(data)) return emptyEvent;
    const event = parseEvent(data);
    this.record?.closeRun();
    const reading: StreamEvent = readingOf(this.#reader.event(event));
    if (reading.finished) reading.itemIds = itemIdsOf(recordOf(event).response);
    if (reading.error) return this.#failed(data) ?? reading;
    if (this.#protocol.streamsArray) {
      reading.written = `${this.#begun ? ',\r\n' : '['}${data}`;
      this.#begun = true;
    } else if (this.#mender?.isStray(event)) reading.written = toLatin1(this.#mender.mend(parseText(data)));
    else this.template?.learn(data, reading);
    this.record?.note(data);
    if (failsResponse(this.#protocol)) this.#noteResponse(event, data);
    return reading;
  }

  close(): StreamEvent {
    return readingOf(this.#reader.end());
  }

  async handOver(): Promise<HandOver | undefined> {
    return this.#replay && this.record && replayed(this.record, this.#replay);
  }

  last(usage: Usage, terminal: string): string {
    if (this.#protocol.streamsArray) return this.#begun ? ']' : '[]';
    const end = terminal || this.#protocol.terminal;
    return toLatin1(this.#mender?.end(usage) ?? '') + (this.shown?.(end) ?? end);
  }

  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string {
    return failureOf(this.#protocol, { error, dialect, reader, begun: this.#begun }, () => this.#failingWriter());
  }

  /** An upstream that names one event names all of them. */
  #withName(event: string): string {
    if (hasName(event)) this.shown = undefined;
    else this.shown = namedEvent;
    return namedEvent(event);
  }

  #noteResponse(event: unknown, data: string): void {
    const { response, sequence_number } = recordOf(event);
    if (response !== undefined) this.#announced = data;
    this.#sequence = sequence_number;
  }

  #failingWriter(): ChatStreamWriter | undefined {
    const { identity } = this.#context;
    const { chat } = this.#protocol;
    const request = chat && emptyChatRequest(chat.protocol, identity.model);
    const writer = request && chat.createStreamWriter({ identity, promptTokens: 0, wantsUsage: true, request });
    if (this.#announced !== '') writer?.passed?.(parseText(this.#announced));
    writer?.passed?.({ sequence_number: this.#sequence });
    return writer;
  }

  /** Its words are shown to people, so they are read as the characters they are; undefined when what came before makes it an error. */
  #failed(data: string): StreamEvent | undefined {
    const reading = readingOf(this.#upstream.createStreamReader(this.#context).event(parseText(data)));
    return reading.error ? reading : undefined;
  }
}

interface Converting {
  protocol: Protocol;
  upstream: ChatUpstreamCodec;
  context: ReadContext;
  writer: ChatStreamWriter;
  /** What the client has of another upstream's response, which this one goes on with. */
  resumed?: HandOver | undefined;
  /** Set when only the rest of it was asked for; else the whole is said again. */
  continuation?: Continuation | undefined;
  /** What the client gets is kept in mind, for another upstream to go on with. */
  isKept: boolean;
  /** Whether an event is a vendor's way to say that it gave up. */
  isError?(event: unknown): boolean;
}

/** Puts the events of one chat protocol into another's. */
export class ConvertingReader implements StreamReader {
  readonly template = undefined;
  hasPassed = false;
  readonly #protocol: Protocol;
  readonly #reader: ChatStreamReader;
  readonly #writer: ChatStreamWriter;
  readonly #endsWithDone: boolean;
  readonly #delivered: Delivered | undefined;
  readonly #seam: Splice | ContinuationSeam | undefined;
  readonly #isError: Converting['isError'];
  #begun = false;

  constructor({ protocol, upstream, context, writer, resumed, continuation, isKept, isError }: Converting) {
    this.#protocol = protocol;
    this.#reader = upstream.createStreamReader(context);
    this.#writer = resumed?.writer ?? writer;
    this.#delivered = resumed?.delivered ?? (isKept ? new Delivered() : undefined);
    this.#seam = continuation ? new ContinuationSeam(continuation) : resumed && new Splice(resumed.delivered);
    this.#isError = isError;
    this.#begun = resumed !== undefined;
    this.#endsWithDone = upstream.protocol === 'openai-chat' || upstream.protocol === 'vendor';
  }

  read(data: string): StreamEvent {
    if (!isDone(data)) {
      const event = parseText(data);
      return this.#isError?.(event) ? { ...emptyEvent, error: event } : this.#write(this.#reader.event(event));
    }
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

  async handOver(): Promise<HandOver | undefined> {
    const delivered = this.#delivered;
    if (!delivered) return undefined;
    delivered.isEnding ||= (this.#reader.ending?.() ?? []).length > 0;
    return { delivered, writer: this.#writer };
  }

  #write(events: ChatEvent[]): StreamEvent {
    const reading: StreamEvent = readingOf(events);
    reading.text = toLatin1(reading.text);
    if (reading.error) return reading;
    let written = '';
    for (const event of this.#toDeliver(events)) if (event.type !== 'end') written += this.#writer.event(event);
    reading.written = toLatin1(written);
    if (written !== '') this.#begun = true;
    return reading;
  }

  #toDeliver(events: ChatEvent[]): readonly ChatEvent[] {
    if (this.#seam) {
      const passed = this.#seam.pass(events);
      this.hasPassed ||= passed.some(({ type }) => type !== 'usage' && type !== 'end');
      return passed;
    }
    if (this.#delivered) for (const event of events) this.#delivered.note(event);
    return events;
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
  protocol: Protocol,
  { error, dialect, reader, begun }: Failure,
  writerOf: () => ChatStreamWriter | undefined,
): string {
  const { status, body } = dialect.write(error, reader);
  if (protocol.streamsArray) return toLatin1(`${begun ? ',\r\n' : '['}${JSON.stringify(body)}]`);
  const writer = failsResponse(protocol) ? writerOf() : undefined;
  return toLatin1(writer ? writer.event({ type: 'error', status, body }) : dialect.event(error, reader));
}

/** Clients of the Responses API wait for a failed response, others for an error. */
const failsResponse = ({ name }: Protocol) => name === 'openai-responses';

/** Items of a whole Responses response, which a later call may refer to. */
export function itemIdsOf(response: unknown): string[] {
  return recordsOf(recordOf(response).output).flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));
}
