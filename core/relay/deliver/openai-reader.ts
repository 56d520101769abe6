import { ChoiceProgress } from '../../canonical/choice-progress.ts';
import type { Usage } from '../../canonical/usage.ts';
import { countOf, isJsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { writeJson } from '../../lib/raw-json.ts';
import type { ErrorReader } from '../../wire/describe-error.ts';
import type { ErrorDialect } from '../../wire/error-dialect.ts';
import { isFinishReason } from '../../wire/openai-chat/finish-reason.ts';
import { type ChunkMender, createChunkMender } from '../../wire/openai-chat/mend-chunk.ts';
import { hasOtherContent } from '../../wire/openai-chat/read-event.ts';
import type { ResponseFormat } from '../../wire/openai-chat/response-format.ts';
import { finishChunk, type StreamIdentity, usageChunk } from '../../wire/openai-chat/usage-chunk.ts';
import type { EventReading, Protocol } from '../../wire/protocol.ts';
import type { UsageMeter } from '../meter/usage-meter.ts';
import { type HandOver, type Replay, replayed } from '../rescue/hand-over.ts';
import { RawRecord } from '../rescue/raw-record.ts';
import { EventTemplate } from './event-template.ts';
import { brokenStream, isDone, parseEvent, parseText, toLatin1 } from './stream-event.ts';
import { doneEvent, type StreamEvent, type StreamReader } from './stream-reader.ts';

export interface OpenAiStream {
  protocol: Protocol;
  meter: UsageMeter;
  /** The client asked for the usage chunk itself; else a chunk that carries nothing else is kept from it. */
  wantsUsage: boolean;
  /** Number of choices requested, 1 when absent. */
  choices?: number | undefined;
  /** For a stream that names neither itself nor its model. */
  identity: StreamIdentity;
  /** Set when the channel asks for responses in strict shape. */
  format: ResponseFormat | undefined;
  /** Whether a finished event is a vendor's way to say that it gave up. */
  isError(event: unknown): boolean;
  /** Set where another upstream may go on with the stream if it breaks off. */
  replay?: Replay | undefined;
}

/** Passes the streams of OpenAI's own protocols on, event by event as they are, or in strict shape. */
export class OpenAiReader implements StreamReader {
  readonly template: EventTemplate | undefined;
  readonly record: RawRecord | undefined;
  shown: StreamReader['shown'];
  readonly #stream: OpenAiStream;
  /** Text responses start with events that only name a role; sound and pictures say something from the first event on. */
  readonly #beginsEmpty: boolean;
  readonly #progress: ChoiceProgress;
  readonly #mender: ChunkMender | undefined;
  /** Choices that called tools. */
  readonly #called = new Set<number>();
  #hasBegun = false;

  constructor(stream: OpenAiStream) {
    const { protocol, format } = stream;
    this.#stream = stream;
    this.#progress = new ChoiceProgress(stream.choices);
    this.#beginsEmpty = protocol.name === 'openai-chat' || protocol.name === 'openai-completion';
    if (protocol.pictureMember) stream.meter.pictures = 0;
    if (!format && protocol.name === 'openai-chat') this.#mender = createChunkMender(stream.identity.id);
    if (!format) this.template = new EventTemplate(protocol.readEvent);
    this.record = stream.replay && new RawRecord(this.template);
  }

  read(data: string): StreamEvent {
    if (isDone(data)) {
      // The end of nothing at all is no response: another channel may have one.
      if (!this.#hasBegun) throw brokenStream('upstream.cutOff');
      return this.#finished();
    }
    this.#hasBegun = true;
    const { protocol, meter, wantsUsage, format, isError } = this.#stream;
    const json = parseEvent(data);
    // Asked for behind the client's back, it comes with a word in every event that a client which did not ask may refuse.
    if (!wantsUsage && this.#beginsEmpty && recordOf(json).usage === null) this.shown = withoutEmptyUsage;
    this.record?.closeRun();
    const reading: StreamEvent = protocol.readEvent(json);
    const mayFail = reading.finished || !Array.isArray(recordOf(json).choices);
    if (reading.error || (mayFail && isError(json))) {
      reading.error = parseText(data);
      return reading;
    }
    this.#noteChoices(json, reading);
    // One event for each that is whole; those before it only show how it is getting on.
    if (reading.finished && meter.pictures !== undefined) meter.pictures += 1;
    if (!meter.identity) meter.identify(json);
    reading.saysNothing =
      this.#beginsEmpty &&
      reading.text === '' &&
      !reading.finished &&
      reading.usage === undefined &&
      !hasOtherContent(json);
    if (reading.usageOnly && !wantsUsage) reading.written = '';
    else if (format) {
      reading.written = this.#written(format.event(parseText(data)));
    } else {
      const mended = this.#mender?.isStray(json) && this.#mender.mend(parseText(data));
      if (mended) {
        reading.text = toLatin1(protocol.readEvent(mended).text);
        reading.written = this.#written(writeJson(mended));
      } else if (meter.identity) this.template?.learn(data, reading);
    }
    this.record?.note(data);
    return reading;
  }

  #written(json: string): string {
    const written = eventOf(json);
    return this.shown ? this.shown(written) : written;
  }

  async handOver(): Promise<HandOver | undefined> {
    const { replay } = this.#stream;
    return replay && this.record && replayed(this.record, replay);
  }

  close(): StreamEvent {
    const { protocol, meter } = this.#stream;
    if (this.#progress.isWhole || (!protocol.needsFinish && meter.firstTokenAt !== undefined)) return doneEvent;
    throw brokenStream('upstream.cutOff');
  }

  last(usage: Usage, terminal: string): string {
    return this.#usageEvent(usage) + (terminal || this.#stream.protocol.terminal);
  }

  failure(error: unknown, dialect: ErrorDialect, reader: ErrorReader): string {
    return toLatin1(dialect.event(error, reader));
  }

  #noteChoices(event: unknown, { finished }: EventReading): void {
    const { choices } = recordOf(event);
    // Sound and pictures are one response.
    if (!Array.isArray(choices) && finished) this.#progress.finish(0);
    recordsOf(choices).forEach(({ index, finish_reason: reason, delta }, position) => {
      const choice = countOf(index) ?? position;
      if (isJsonObject(delta) && isFilledList(delta.tool_calls)) this.#called.add(choice);
      if (isFinishReason(reason)) this.#progress.finish(choice);
      else this.#progress.begin(choice);
    });
  }

  /** Its SDKs throw on a choice without a word for its end, which some vendors leave to the end of the stream. */
  #finished(): StreamEvent {
    const { protocol, meter, identity } = this.#stream;
    const { open } = this.#progress;
    if (protocol.name !== 'openai-chat' || open.length === 0) return doneEvent;
    const ends = open.map((choice) => ({ choice, reason: this.#called.has(choice) ? 'tool_calls' : 'stop' }));
    return { ...doneEvent, written: eventOf(JSON.stringify(finishChunk(meter.identity ?? identity, ends))) };
  }

  /** For a client that asked for usage when the upstream sent none. */
  #usageEvent(usage: Usage): string {
    const { protocol, meter, wantsUsage, identity } = this.#stream;
    if (!wantsUsage || meter.usage || protocol.name !== 'openai-chat') return '';
    return eventOf(JSON.stringify(usageChunk(meter.identity ?? identity, usage)));
  }
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

const emptyUsage = ',"usage":null';
const spacedUsage = /,\s*"usage"\s*:\s*null/;

/** Of an event that is not parsed: inside of a text the quotes would be escaped. Nearly always it stands close to the end. */
function withoutEmptyUsage(event: string): string {
  const at = event.lastIndexOf(emptyUsage);
  if (at < 0) return event.replace(spacedUsage, '');
  return event.slice(0, at) + event.slice(at + emptyUsage.length);
}

function eventOf(json: string): string {
  return json === '' ? '' : toLatin1(`data: ${json}\n\n`);
}
