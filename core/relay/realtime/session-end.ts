import type { AppError } from '../../errors/app-error.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';

/** How a session came to its end. */
export type SessionEnd =
  /** One side said goodbye, and nothing was left to say. */
  | { kind: 'complete'; code: number; reason: string }
  /** The client left during a response. */
  | { kind: 'clientGone' }
  | { kind: 'broken'; error: UpstreamError }
  /** We ended it. */
  | { kind: 'stopped'; error: AppError };

/** The event sent to the client before the connection is closed. */
export function errorOf(end: SessionEnd): Error | undefined {
  return end.kind === 'broken' || end.kind === 'stopped' ? end.error : undefined;
}

/** Codes of RFC 6455 and its registry; what the upstream said goodbye with is passed on. */
export function closingOf(end: SessionEnd): [code: number, reason: string] {
  if (end.kind === 'complete') return [isGoodbye(end.code) ? end.code : 1000, end.reason];
  if (end.kind === 'stopped') return [stopCodes[end.error.code] ?? 1008, end.error.wireCode];
  return [1011, end.kind === 'broken' ? 'upstream_error' : ''];
}

/** Said on purpose, and nothing that went wrong. */
export function isGoodbye(code: number): boolean {
  return code === 1000 || code === 1001 || (code >= 3000 && code <= 4999);
}

const stopCodes: Readonly<Record<string, number>> = {
  'relay.draining': 1012,
  'realtime.idle': 1001,
  'realtime.tooLong': 1001,
  'realtime.tooManyAnswers': 1001,
  'internal.error': 1011,
};
