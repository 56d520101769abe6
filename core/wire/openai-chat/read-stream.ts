import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import type { Citation } from '../../canonical/chat-event.ts';
import { EventQueue } from '../../canonical/event-queue.ts';
import { readDataUrl } from '../../lib/data-url.ts';
import { countOf, isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { finish } from '../../lib/steps.ts';
import { errorStatusIn } from '../hidden-error.ts';
import { bareText } from './choice-words.ts';
import { mapFinishReason } from './finish-reason.ts';
import { readMembers } from './members.ts';
import { ToolCallParts } from './tool-call-parts.ts';
import { readResponseUsage } from './usage.ts';

type TextKind = 'text' | 'refusal' | 'reasoning';

/** More choices than may be asked for. */
const maxChoices = 128;

/** Reads chat.completion.chunk events, and whole responses as one of them, however freely a vendor writes them. */
export function createOpenAiChatReader(context: ReadContext): ChatStreamReader {
  const events = new EventQueue(context.choices);
  const choices = new Map<number, ChoiceReader>();
  let isDone = false;

  function readEvent(event: JsonObject): void {
    const status = errorStatusIn(event);
    if (status !== undefined) {
      events.fail(status, event);
      return;
    }
    events.start(identityOf(event, context));
    recordsOf(event.choices).forEach((choice, position) => {
      const index = countOf(choice.index) ?? position;
      if (index < maxChoices) choiceReader(index).read(choice);
    });
    const usage = readResponseUsage(event);
    if (usage) events.usage(usage);
  }

  function choiceReader(index: number): ChoiceReader {
    const known = choices.get(index);
    if (known) return known;
    const reader = new ChoiceReader(events, index, context);
    choices.set(index, reader);
    events.begin(index);
    return reader;
  }

  return {
    event(data) {
      if (data === '[DONE]') isDone = true;
      else if (!isDone && isJsonObject(data)) readEvent(data);
      else if (isJsonObject(data)) readLateUsage(data, events);
      return events.take();
    },
    end() {
      if (events.hasEnded) return [];
      // The end of nothing at all is no response.
      if (!events.hasStarted || (!isDone && !events.isWhole)) {
        events.failTruncated();
        return events.take();
      }
      events.start(context.identity);
      if (choices.size === 0) choiceReader(0);
      for (const choice of choices.values()) choice.finish('stop');
      events.end();
      return events.take();
    },
  };
}

/** Some vendors report usage behind `[DONE]`. */
function readLateUsage(event: JsonObject, events: EventQueue): void {
  const usage = readResponseUsage(event);
  if (usage) events.usage(usage);
}

function identityOf({ id, model, created }: JsonObject, { identity }: ReadContext) {
  return {
    id: textOf(id) || identity.id,
    model: textOf(model) || identity.model,
    created: countOf(created) || identity.created,
  };
}

class ChoiceReader {
  readonly #events: EventQueue;
  readonly #choice: number;
  readonly #calls: ToolCallParts;
  #current: { part: number; kind: TextKind } | undefined;
  /** Blank text beside tool calls: noise, unless more text follows. */
  #blank = '';
  #hasContent = false;
  #audio: { data: string; transcript: string } | undefined;

  constructor(events: EventQueue, choice: number, context: ReadContext) {
    this.#events = events;
    this.#choice = choice;
    this.#calls = new ToolCallParts(events, choice, context);
  }

  read(choice: JsonObject): void {
    // A second finish repeats what the first one ended.
    if (this.#events.hasFinished(this.#choice)) return;
    this.#readMembers(this.#saidIn(choice), recordOf(choice.logprobs));
    this.finish(choice.finish_reason);
  }

  /** A message in place of a delta repeats the whole text when deltas came before it. */
  #saidIn(choice: JsonObject): JsonObject {
    const { delta, message } = choice;
    if (isJsonObject(delta)) return delta;
    if (isJsonObject(message)) return this.#hasContent ? {} : message;
    return bareText(choice) ?? {};
  }

  finish(given: unknown): void {
    if (this.#events.hasFinished(this.#choice)) return;
    const reason = mapFinishReason(given, !this.#calls.isEmpty);
    if (!reason) return;
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
