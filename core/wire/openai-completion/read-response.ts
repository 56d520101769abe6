import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { emptyReading } from '../event-reading.ts';
import { isFinishReason } from '../openai-chat/finish-reason.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';
import type { EventReading } from '../protocol.ts';

/** A chunk of a stream has the shape of a whole response. */
export function readCompletionEvent(event: unknown): EventReading {
  const reading = emptyReading();
  if (!isJsonObject(event)) return reading;
  if (event.error) reading.error = event.error;
  reading.text = choiceTexts(event).join('');
  const choices = Array.isArray(event.choices) ? event.choices : [];
  reading.finished = choices.some((choice) => isJsonObject(choice) && isFinishReason(choice.finish_reason));
  reading.usage = readResponseUsage(event);
  reading.usageOnly = choices.length === 0 && isJsonObject(event.usage) && reading.error === undefined;
  return reading;
}

export function choiceTexts(response: unknown): string[] {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return [];
  return response.choices.map((choice) => (isJsonObject(choice) && typeof choice.text === 'string' ? choice.text : ''));
}

/** A whole response as the events of a stream: usage is in an event of its own. */
export function completionDocumentChunks(document: JsonObject): JsonObject[] {
  const { usage, ...response } = document;
  return isJsonObject(usage) ? [response, { ...response, choices: [], usage }] : [response];
}
