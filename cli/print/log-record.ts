import { type CallGroup, callGroupOf } from '../../core/schemas/call-group.ts';
import type { ConversationTurn } from '../../core/schemas/conversation-turn.ts';
import type { FirstTokenLimit } from '../../core/schemas/first-token.ts';
import type { FailedOutcome, Log } from '../../core/schemas/log.ts';
import { logType } from '../../core/schemas/log-type.ts';

export interface ReceiptAttempt {
  channel: number;
  /** Absent when the channel is gone. */
  name?: string;
  /** Which of several keys: `#2 …9f3c`. */
  key?: string;
  outcome: string;
  ms: number;
  /** Why its conversation was served here. */
  conversation?: ConversationTurn;
  /** How long it might take until its first token. */
  first_token?: FirstTokenLimit;
  /** Set on one that was asked for the rest of a response alone. */
  continued?: 'prefill' | 'instructed';
  /** Tokens that the operator pays for, and the client does not. */
  spent?: { prompt: number; completion: number };
  /** What the upstream said of the operator's account. */
  message?: string;
}

/** How a request ended, as its client saw it. */
export interface RequestEnding {
  /** HTTP; undefined for a row of another program that has none. */
  status: number | undefined;
  group: CallGroup;
  /** `complete`, how a paid response broke off, or why it failed. */
  outcome: string;
}

interface Kept {
  usage_source?: string;
  status?: number;
  code?: string;
  outcome?: string;
  duration_ms?: number;
  admin_info?: { attempts?: ReceiptAttempt[] };
}

type Row = Pick<Log, 'type' | 'other'>;

/** Channels that were tried for a call, in order. */
export const attemptsOf = (log: Pick<Log, 'other'>): ReceiptAttempt[] =>
  readOther(log.other).admin_info?.attempts ?? [];

/** What the client of a failed call was told: the HTTP status and the code of the error. Undefined for all other rows. */
export function failureOf({ type, other }: Row): { status: number; code: string } | undefined {
  const { status, code = '' } = readOther(other);
  return type === logType.error && status !== undefined ? { status, code } : undefined;
}

/** Undefined for rows that are no requests. */
export function endingOf({ type, other }: Row): RequestEnding | undefined {
  const isPaid = type === logType.consume;
  if (!isPaid && type !== logType.error) return undefined;
  const { status = isPaid ? 200 : undefined, outcome = isPaid ? 'complete' : 'error' } = readOther(other);
  return { status, outcome, group: callGroupOf(isPaid, outcome) };
}

/** Milliseconds from the first byte of the request to the last of the response. Undefined where nothing was timed. */
export function durationOf({ use_time, other }: Pick<Log, 'use_time' | 'other'>): number | undefined {
  return readOther(other).duration_ms ?? (use_time > 0 ? use_time * 1000 : undefined);
}

/** `820 ms`, `1.4 s`, as the console says it; a dash where nothing was timed. */
export function tookText(log: Pick<Log, 'use_time' | 'other'>): string {
  const ms = durationOf(log);
  if (ms === undefined) return '-';
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

const words: Record<FailedOutcome | 'complete' | 'stopped', string> = {
  complete: 'ok',
  stopped: 'stopped',
  refused: 'refused',
  limited: 'limited',
  upstream: 'upstream error',
  clientGone: 'client gone',
  unavailable: 'unavailable',
  shed: 'overloaded',
  error: 'failed',
};

/** `200 ok`, `429 limited`, `200 cut`: as the command line writes it in every language. */
export function endingText({ status, outcome, group }: RequestEnding): string {
  const word = Object.hasOwn(words, outcome) ? words[outcome as keyof typeof words] : group;
  return [status, word].filter((part) => part !== undefined).join(' ');
}

export function readOther(text: string): Kept {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {}; // rows of an imported database contain whatever its program wrote
  }
}
