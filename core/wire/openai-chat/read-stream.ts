import type { ChatStreamReader, ReadContext } from '../../canonical/chat-codec.ts';
import { ChoiceProgress } from '../../canonical/choice-progress.ts';
import { EventQueue } from '../../canonical/event-queue.ts';
import { countOf, isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';
import { errorStatusIn } from '../hidden-error.ts';
import { ChoiceReader } from './read-choice.ts';
import { readResponseUsage } from './usage.ts';

/** More choices than may be asked for. */
const maxChoices = 128;

/**
 * Reads chat.completion.chunk events, and whole responses as one of them, however freely a vendor writes them. Some go on behind a word
 * for the end of a choice, or write one into every event: how a choice ended is told at the end of the stream, behind all that it said.
 */
export function createOpenAiChatReader(context: ReadContext): ChatStreamReader {
  const events = new EventQueue(context.choices);
  const progress = new ChoiceProgress(context.choices);
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
      if (index >= maxChoices) return;
      const reader = choiceReader(index);
      reader.read(choice);
      if (reader.hasEnding) progress.finish(index);
    });
    const usage = readResponseUsage(event);
    if (usage) events.usage(usage);
  }

  function choiceReader(index: number): ChoiceReader {
    const known = choices.get(index);
    if (known) return known;
    const reader = new ChoiceReader(events, index, context);
    choices.set(index, reader);
    progress.begin(index);
    return reader;
  }

  return {
    event(data) {
      if (data === '[DONE]') isDone = true;
      else if (!isDone && isJsonObject(data)) readEvent(data);
      else if (isJsonObject(data)) readLateUsage(data, events);
      return events.take();
    },
    ending() {
      for (const choice of choices.values()) if (choice.hasEnding) choice.finish();
      return events.take();
    },
    end() {
      if (events.hasEnded) return [];
      // The end of nothing at all is no response.
      if (!events.hasStarted || (!isDone && !progress.isWhole)) {
        events.failTruncated();
        return events.take();
      }
      events.start(context.identity);
      if (choices.size === 0) choiceReader(0);
      for (const choice of choices.values()) choice.finish();
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
