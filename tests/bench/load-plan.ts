import type { CallShape, ClientProtocol } from './calls.ts';

/** One piece of load against one port; `closed` callers wait for their response, `rate` sends whatever happens. */
export interface LoadPlan {
  port: number;
  key: string;
  /** Sent with each call, beside those of every client. */
  headers?: Record<string, string> | undefined;
  /** What the client speaks; OpenAI's chat protocol when left out. */
  protocol?: ClientProtocol | undefined;
  shape: CallShape;
  pace:
    | { kind: 'closed'; callers: number; seconds: number }
    | { kind: 'rate'; perSecond: number; seconds: number }
    | { kind: 'hold'; streams: number; rampMs: number };
}

export interface LoadResult {
  right: number;
  wrong: number;
  /** What the first wrong response looked like. */
  firstWrong: string | undefined;
  /** From the first call to the last response. */
  seconds: number;
  latencyMs: { p50: number; p99: number };
  firstTokenMs: { p50: number; p99: number };
}
