import type { Usage } from '../../canonical/usage.ts';
import { parseRecord } from '../../lib/json-value.ts';
import { readSessionFacts, type SessionFacts } from './session-facts.ts';
import { readResponseUsage, readTranscriptionUsage, type TranscriptionUsage } from './usage.ts';

/** What one event of the upstream means for the bill and for the end of a session; everything else in it is passed on unread. */
export type ServerEvent =
  | { kind: 'created'; facts: SessionFacts }
  | { kind: 'updated'; facts: SessionFacts }
  | { kind: 'started'; response: string }
  | { kind: 'text'; response: string; text: string }
  | { kind: 'audio'; response: string; base64Length: number }
  | { kind: 'done'; response: string; status: string; usage: Usage | undefined }
  | { kind: 'transcribed'; usage: TranscriptionUsage | undefined }
  | { kind: 'error'; event: Record<string, unknown> }
  | { kind: 'other' };

const other: ServerEvent = { kind: 'other' };

/** Both spellings: the beta's names, and those with `output_` in them. */
const textEvents = new Set([
  'response.text.delta',
  'response.output_text.delta',
  'response.audio_transcript.delta',
  'response.output_audio_transcript.delta',
  'response.function_call_arguments.delta',
]);
const audioEvents = new Set(['response.audio.delta', 'response.output_audio.delta']);

/** Undefined when the bytes are not an event at all: a client's library could not read them either. */
export function readServerEvent(text: string): ServerEvent | undefined {
  const event = parseRecord(text);
  if (!event || typeof event.type !== 'string') return undefined;
  const { type } = event;
  if (textEvents.has(type)) return { kind: 'text', response: idOf(event.response_id), text: textOf(event.delta) };
  if (audioEvents.has(type)) {
    return { kind: 'audio', response: idOf(event.response_id), base64Length: textOf(event.delta).length };
  }
  switch (type) {
    case 'session.created':
    case 'transcription_session.created':
      return { kind: 'created', facts: readSessionFacts(event.session) };
    case 'session.updated':
    case 'transcription_session.updated':
      return { kind: 'updated', facts: readSessionFacts(event.session) };
    case 'response.created':
      return { kind: 'started', response: idOf(responseOf(event).id) };
    case 'response.done': {
      const { id, status, usage } = responseOf(event);
      return { kind: 'done', response: idOf(id), status: textOf(status), usage: readResponseUsage(usage) };
    }
    case 'conversation.item.input_audio_transcription.completed':
      return { kind: 'transcribed', usage: readTranscriptionUsage(event.usage) };
    case 'error':
      return { kind: 'error', event };
    default:
      return other;
  }
}

function responseOf(event: Record<string, unknown>): Record<string, unknown> {
  const { response } = event;
  return typeof response === 'object' && response !== null ? (response as Record<string, unknown>) : {};
}

function idOf(value: unknown): string {
  return textOf(value).slice(0, 200);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
