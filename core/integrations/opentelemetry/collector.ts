import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CollectorConfig } from '../../config/telemetry.ts';
import { readRetryAfter } from '../../errors/retry-after.ts';
import type { FetchedBytes, Outbound } from '../outbound/outbound.ts';
import { contentTypes } from './otlp-message.ts';

export interface Collector {
  /** Resolves with undefined once the collector has it, else with the reason why it will not get it; never rejects. */
  send(message: Buffer): Promise<string | undefined>;
  /** From now on nothing waits for a second try; what waits already gets it now. */
  hurry(): void;
  /** Nothing goes out any more, and what is under way is given up. */
  stop(): void;
}

/** Statuses that the specification of OTLP has retried. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstPauseMs = 1000;
const maxPauseMs = 10_000;
const maxResponseBytes = 64 * 1024;
const compress = promisify(gzip);

interface Attempt {
  /** Why it failed. */
  reason: string | undefined;
  mayRetry: boolean;
  waitMs?: number | undefined;
}

/** Sends what is collected, and sends it again while that may help. */
export function createCollector(config: CollectorConfig, outbound: Pick<Outbound, 'fetchBytes'>): Collector {
  const { url, format, compresses, timeoutMs, exportTimeoutMs } = config;
  const headers: Record<string, string> = { ...config.headers, 'content-type': contentTypes[format] };
  if (compresses) headers['content-encoding'] = 'gzip';
  const hurrying = new AbortController();
  const stopping = new AbortController();

  async function send(message: Buffer): Promise<string | undefined> {
    const deadline = performance.now() + exportTimeoutMs;
    const body = compresses ? await compress(message) : message;
    for (let tries = 0; ; tries += 1) {
      const { reason, mayRetry, waitMs = backOffMs(tries) } = await attempt(body, deadline - performance.now());
      if (!mayRetry || hurrying.signal.aborted || performance.now() + waitMs >= deadline) return reason;
      await pause(waitMs, undefined, { ref: false, signal: hurrying.signal }).catch(() => undefined); // the end has begun
    }
  }

  async function attempt(body: Buffer, leftMs: number): Promise<Attempt> {
    if (stopping.signal.aborted) return { reason: 'stopped', mayRetry: false };
    try {
      const response = await outbound.fetchBytes(url, {
        method: 'POST',
        headers,
        body,
        profile: 'operatorPrivate',
        timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)),
        maxBytes: maxResponseBytes,
        signal: stopping.signal,
      });
      return judge(response);
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error), mayRetry: true };
    }
  }

  return { send, hurry: () => hurrying.abort(), stop: () => stopping.abort() };
}

/** Longer from try to try, and not the same for all processes that lost their collector together. */
function backOffMs(tries: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** tries) * (0.5 + Math.random() / 2);
}

function judge({ status, headers }: FetchedBytes): Attempt {
  if (status >= 200 && status < 300) return { reason: undefined, mayRetry: false };
  const seconds = readRetryAfter(headers, Date.now());
  return { reason: `status ${status}`, mayRetry: passing.has(status), waitMs: seconds && seconds * 1000 };
}
