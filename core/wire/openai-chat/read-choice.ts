import type { ReadContext } from '../../canonical/chat-codec.ts';
import type { Citation } from '../../canonical/chat-event.ts';
import type { EventQueue } from '../../canonical/event-queue.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { finish } from '../../lib/steps.ts';
import { bareText } from './choice-words.ts';
import { isFinishReason, mapFinishReason } from './finish-reason.ts';
import { readMembers } from './members.ts';
import { ToolCallParts } from './tool-call-parts.ts';

type TextKind = 'text' | 'refusal' | 'reasoning';

/** One choice of a response. */
export class ChoiceReader {
  readonly #events: EventQueue;
  readonly #choice: number;
  readonly #calls: ToolCallParts;
  #current: { part: number; kind: TextKind } | undefined;
  /** Blank text beside tool calls: noise, unless more text follows. */
  #blank = '';
  #hasContent = false;
  /** The vendor's word for how it ended. */
  #ending: string | undefined;
  /** What the last event with such a word said. */
  #lastSaid = '';
  /** No event that said something was without one. */
  #endsEachEvent = true;
  #audio: { data: string; transcript: string } | undefined;

  constructor(events: EventQueue, choice: number, context: ReadContext) {
    this.#events = events;
    this.#choice = choice;
    this.#calls = new ToolCallParts(events, choice, context);
  }

  /** The upstream has said how the choice ends, which need not be the last that it says. */
  get hasEnding(): boolean {
    return this.#ending !== undefined;
  }

  read(choice: JsonObject): void {
    const { finish_reason: reason, logprobs } = choice;
    const ends = isFinishReason(reason);
    const said = this.#saidIn(choice);
    if (!ends || !this.#isRepeated(said)) this.#readMembers(said, recordOf(logprobs));
    if (ends) this.#noteEnding(reason, said);
    else this.#endsEachEvent &&= !this.#hasContent;
  }

  /** A message in place of a delta repeats the whole text when deltas came before it. */
  #saidIn(choice: JsonObject): JsonObject {
    const { delta, message } = choice;
    if (isJsonObject(delta)) return delta;
    if (isJsonObject(message)) return this.#hasContent ? {} : message;
    return bareText(choice) ?? {};
  }

  /** Of an event with a word for the end behind another one: whether it tells the last one, or calls, a second time. */
  #isRepeated(said: JsonObject): boolean {
    if (this.#ending === undefined) return false;
    const { calls } = readMembers(said);
    const isSame = JSON.stringify(said) === this.#lastSaid;
    if (calls.length === 0) return isSame && !this.#endsEachEvent;
    return isSame || (!this.#endsEachEvent && this.#calls.hasAll(calls));
  }

  /** A second word replaces a mere stop alone: some resellers put one behind the true reason. */
  #noteEnding(reason: string, said: JsonObject): void {
    if (this.#ending === undefined || mapFinishReason(this.#ending, false) === 'stop') this.#ending = reason;
    this.#lastSaid = JSON.stringify(said);
  }

  /** Nothing more comes. */
  finish(): void {
    const reason = mapFinishReason(this.#ending ?? 'stop', !this.#calls.isEmpty);
    if (!reason || this.#events.hasFinished(this.#choice)) return;
    this.#leaveText();
    this.#calls.finish();
    if (this.#audio) this.#media({ mime: 'audio/wav', ...this.#audio });
    this.#events.finish({ choice: this.#choice, reason });
  }

  #readMembers(message: JsonObject, logprobs: JsonObject): void {
    const { reasoning, text, refusal, calls } = readMembers(message);
    const { annotations, images, audio } = message;
    this.#say('reasoning', reasoning);
    this.#say('text', text);
    this.#say('refusal', refusal);
    for (const citation of readAnnotations(annotations)) this.#cite(citation);
    this.#readLogprobs(logprobs, calls.length > 0);
    for (const picture of recordsOf(images)) this.#readPicture(picture);
    if (isJsonObject(audio)) this.#readAudio(audio);
    if (calls.length > 0) this.#readCalls(calls);
  }

  #say(kind: TextKind, text: string): void {
    if (text === '') return;
    this.#hasContent = true;
    const isNoise = kind === 'text' && !this.#current && !this.#calls.isEmpty && text.trim() === '';
    if (isNoise) {
      this.#blank += text;
      return;
    }
    const part = this.#enter(kind);
    if (kind !== 'text') {
      this.#events.delta(part, text);
      return;
    }
    this.#events.delta(part, this.#blank + text);
    this.#blank = '';
  }

  #enter(kind: TextKind): number {
    if (this.#current?.kind === kind) return this.#current.part;
    this.#leaveText();
    const part = this.#events.open({ choice: this.#choice, kind });
    this.#current = { part, kind };
    return part;
  }

  #leaveText(): void {
    if (this.#current) this.#events.close(this.#current.part);
    this.#current = undefined;
  }

  #readCalls(calls: readonly unknown[]): void {
    this.#hasContent = true;
    this.#leaveText();
    this.#calls.read(calls);
  }

  #cite(citation: Citation): void {
    this.#events.add({ type: 'citation', part: this.#enter('text'), citation });
  }

  /** Some vendors weigh the tokens of calls, too: without a text they would be told of one that says nothing. */
  #readLogprobs({ content, refusal }: JsonObject, hasCalls: boolean): void {
    for (const [kind, entries] of [['text', content] as const, ['refusal', refusal] as const]) {
      if (!Array.isArray(entries) || entries.length === 0) continue;
      if (this.#current?.kind !== kind && (hasCalls || !this.#calls.isEmpty)) continue;
      this.#events.add({ type: 'logprobs', part: this.#enter(kind), logprobs: entries });
    }
  }

  /** OpenRouter's place for pictures that a chat model draws. */
  #readPicture(picture: JsonObject): void {
    const data = finish(readDataUrl(textOf(recordOf(picture.image_url).url)));
    if (data) this.#media(data);
  }

  #readAudio({ data, transcript }: JsonObject): void {
    this.#audio ??= { data: '', transcript: '' };
    this.#audio.data += textOf(data);
    this.#audio.transcript += textOf(transcript);
  }

  #media({ mime, data, transcript }: { mime: string; data: string; transcript?: string }): void {
    this.#hasContent = true;
    this.#leaveText();
    const part = this.#events.open({
      choice: this.#choice,
      kind: 'media',
      mime,
      data,
      ...(transcript !== undefined && { transcript }),
    });
    this.#events.close(part);
  }
}

function readAnnotations(annotations: unknown): Citation[] {
  return recordsOf(annotations)
    .filter(({ type }) => type === 'url_citation')
    .map((annotation) => {
      const { url, title, start_index, end_index } = recordOf(annotation.url_citation);
      const [start, end] = [countOf(start_index), countOf(end_index)];
      return {
        ...(typeof url === 'string' && { url }),
        ...(typeof title === 'string' && { title }),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        raw: { origin: 'openai-chat', value: annotation },
      };
    });
}
