import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { emptyReading, errorOf } from '../event-reading.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';
import type { EventReading } from '../protocol.ts';
import { readTranscriptUsage } from './usage.ts';

/** `speech.audio.delta` and `speech.audio.done`; the last one carries usage. */
export function readSpeechEvent(event: unknown): EventReading {
  return readAudioEvent(event, 'speech.audio');
}

/** `transcript.text.delta` and `.segment` go before `transcript.text.done`, which repeats the whole text and carries usage. */
export function readTranscriptEvent(event: unknown): EventReading {
  const reading = readAudioEvent(event, 'transcript.text');
  const isDelta = isJsonObject(event) && event.type === 'transcript.text.delta' && typeof event.delta === 'string';
  return { ...reading, usage: readTranscriptUsage(event), ...(isDelta && { text: event.delta as string }) };
}

function readAudioEvent(event: unknown, name: string): EventReading {
  if (!isJsonObject(event)) return emptyReading();
  const finished = event.type === `${name}.done`;
  return { ...emptyReading(), error: errorOf(event), finished, usage: readResponseUsage(event) };
}

/** A whole transcript as the events of a stream. */
export function transcriptDocumentEvents({ text, usage }: JsonObject): JsonObject[] {
  return [
    { type: 'transcript.text.delta', delta: text },
    { type: 'transcript.text.done', text, ...(isJsonObject(usage) && { usage }) },
  ];
}
