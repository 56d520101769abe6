import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';

/** One policy for all calls that read: what never arrived is asked for once more, "too many requests" means wait, and any other refusal stays one. */
export const retryPolicy = {
  retry: (count: number, error: Error) =>
    waitMsOf(error) === undefined ? count < 1 && error instanceof ApiError && error.status === 0 : count < maxWaits,
  retryDelay: (_count: number, error: Error) => waitMsOf(error) ?? 500,
};

const maxWaits = 3;
/** So that everything that has waited does not come back in the same moment. */
const spreadMs = 1000;

/** How long the server asked to wait; undefined when it did not. */
export function waitMsOf(error: unknown): number | undefined {
  const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : 0;
  return seconds > 0 ? seconds * 1000 + Math.random() * spreadMs : undefined;
}

/** An idle page makes at most six calls a minute; a hidden tab, none. */
export const idlePollMs = 10_000;
/** Of a page that has two readings. */
export const sharedPollMs = 2 * idlePollMs;

let waitsUntil = 0;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Of every response that asks to wait. */
export function noteWait(seconds: number): void {
  const waitMs = seconds * 1000 + spreadMs;
  waitsUntil = Math.max(waitsUntil, Date.now() + waitMs);
  setTimeout(tell, waitMs);
  tell();
}

/** Whether the server has asked the console to wait: what it does by itself rests until then. */
export const isWaiting = (): boolean => waitsUntil > Date.now();
export const useIsWaiting = (): boolean => useSyncExternalStore(subscribe, isWaiting);
