import type { FinishReason } from '../canonical/chat-event.ts';
import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import type { EventReading } from './protocol.ts';

/** The reading of an event that says nothing. */
export function emptyReading(): EventReading {
  return { text: '', usage: undefined, usageOnly: false, finished: false, error: undefined };
}

/** One more choice has ended: their reasons, separated by commas. */
export function withReason(before: string | undefined, reason: FinishReason | undefined): string | undefined {
  return before === undefined || reason === undefined ? (reason ?? before) : `${before},${reason}`;
}

/** For protocols that never stream: an event means nothing to them, unless it is an error. */
export function noEvent(event: unknown): EventReading {
  return { ...emptyReading(), error: isJsonObject(event) ? event.error || undefined : undefined };
}

/** The error of an event that is one: `{ error }`, or the error itself with `type: 'error'`. */
export function errorOf(event: JsonObject): unknown {
  return event.error || (event.type === 'error' ? event : undefined);
}
