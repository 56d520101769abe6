import type { EventReading } from './protocol.ts';

/** For protocols that never stream: an event means nothing to them, unless it is an error. */
export function noEvent(event: unknown): EventReading {
  const error = typeof event === 'object' && event !== null && 'error' in event ? event.error || undefined : undefined;
  return { text: '', usage: undefined, usageOnly: false, finished: false, error };
}
