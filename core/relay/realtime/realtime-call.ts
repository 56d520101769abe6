import type { WebSocket } from 'ws';
import type { Language } from '../../errors/app-error.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { Pace } from '../../lib/token-bucket.ts';
import type { CallIdentity } from '../call.ts';

/** A request for a realtime session, as the HTTP layer hands it over before it switches protocols. */
export interface RealtimeCall extends CallIdentity {
  query: URLSearchParams;
  language: Language;
  /** The client speaks the beta of the interface and says so. */
  isBeta: boolean;
  /** Of the client secret that opens it: the upstream gets them before anything of the client. */
  settings: JsonObject | undefined;
  client: { readonly gone: boolean; onGone(listener: () => void): void };
  /** Responds with HTTP; returns the status, 0 when the client is gone. Only before `accept`. */
  refuse(error: unknown): number;
  /** Switches protocols, with further headers (names and values in turn). Throws `relay.clientGone`. */
  accept(headers: readonly string[]): WebSocket;
}

export interface RealtimeLimits {
  /** From the connection to the upstream's `session.created`. */
  openMs: number;
  /** Nothing from the upstream while it responds. */
  responseIdleMs: number;
  /** Nothing said by either side. */
  idleMs: number;
  totalMs: number;
  /** For a side that takes nothing of what waits for it. */
  writeMs: number;
  /** Between two looks whether both sides are still there. */
  pingMs: number;
  /** Between two looks whether the users and tokens of all sessions may go on. */
  recheckMs: number;
  /** Of one message. */
  messageBytes: number;
  socketsPerToken: number;
  /** What a client may say: so many messages at once, then so many a second. One that is large counts as several. */
  messages: Pace;
  /** Of events that are refused: each gets an error event. */
  refusals: Pace;
  /** A session remembers each of its responses, so that none is charged twice. */
  responses: number;
}

export const realtimeDefaults: Omit<RealtimeLimits, 'openMs' | 'responseIdleMs' | 'totalMs' | 'writeMs'> = {
  idleMs: 900_000,
  pingMs: 30_000,
  recheckMs: 1000,
  messageBytes: 16 * 1024 * 1024,
  socketsPerToken: 64,
  // Sound comes in 10 to 50 pieces a second; a long recording at once.
  messages: { burst: 4000, perSecond: 400 },
  refusals: { burst: 100, perSecond: 1 },
  responses: 10_000,
};

/** Where RELAY_TIMEOUT sets none: OpenAI itself ends a session after one hour. */
export const maxSessionMs = 2 * 3600_000;
