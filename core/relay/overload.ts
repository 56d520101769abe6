import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { AppError } from '../errors/app-error.ts';

export interface OverloadLimits {
  /** 99 of 100 turns of the event loop come no later than this. */
  loopDelayMs: number;
  /** Relay calls at one time. */
  calls: number;
  /** How long the oldest work of the ledger may wait. */
  queueWaitMs: number;
  /** Of the room for long-lived objects; beyond it the process is busy collecting garbage, and near its end. */
  heapShare: number;
}

export interface OverloadSignals {
  callsInFlight(): number;
  queueWaitMs(): number;
}

export type OverloadReason = 'event loop' | 'ledger queue' | 'heap';

export interface Overload {
  /** Throws `relay.overloaded` while the server has more to do than it can. */
  check(): void;
  isRed(): boolean;
  close(): void;
}

export interface OverloadDependencies {
  signals: OverloadSignals;
  limits: OverloadLimits;
  /** Called when shedding begins and when it is over (no reasons). */
  onChange(reasons: OverloadReason[]): void;
}

export const overloadDefaults: Omit<OverloadLimits, 'calls'> = { loopDelayMs: 250, queueWaitMs: 2000, heapShare: 0.85 };

/** The heap's limit counts its two nurseries with it; the process ends when the rest is full. */
const nurseryBytes = 48 * 1024 * 1024;
const lookEveryMs = 250;
const heapEveryMs = 20;
const longestRetrySeconds = 5;

/** Turns new relay calls away before the process collapses under those it has; the next look that is fine ends it (reliability R8). */
export function createOverload({ signals, limits, onChange }: OverloadDependencies): Overload {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let reasons: OverloadReason[] = [];
  let lookedAt = performance.now();
  let heapSeenAt = lookedAt;
  let isHeapFull = false;

  function look(): void {
    const now = performance.now();
    const delayMs = Math.max(delay.percentile(99) / 1e6, now - lookedAt - lookEveryMs);
    delay.reset();
    lookedAt = now;
    lookAtHeap(now);
    const next: OverloadReason[] = [];
    if (delayMs > limits.loopDelayMs) next.push('event loop');
    if (signals.queueWaitMs() > limits.queueWaitMs) next.push('ledger queue');
    if (isHeapFull) next.push('heap');
    const hasChanged = next.join() !== reasons.join();
    reasons = next;
    if (hasChanged) onChange(next);
  }

  /** Looked at more often than the rest: a burst of calls fills what is left sooner than that. */
  function lookAtHeap(now: number): void {
    heapSeenAt = now;
    isHeapFull = heapShare() > limits.heapShare;
  }

  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  return {
    check() {
      const now = performance.now();
      if (now - heapSeenAt > heapEveryMs) lookAtHeap(now);
      // The call that asks is one of those in flight.
      if (reasons.length === 0 && !isHeapFull && signals.callsInFlight() <= limits.calls) return;
      // Spread, so that those turned away do not all come back at once.
      const seconds = 1 + Math.floor(Math.random() * longestRetrySeconds);
      throw new AppError('relay.overloaded', { seconds }, { retryAfterSeconds: seconds });
    },
    isRed: () => reasons.length > 0 || isHeapFull || signals.callsInFlight() >= limits.calls,
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}

function heapShare(): number {
  let used = 0;
  for (const { space_name: name, space_used_size: bytes } of getHeapSpaceStatistics()) {
    if (!name.startsWith('new_')) used += bytes;
  }
  return used / (getHeapStatistics().heap_size_limit - nurseryBytes);
}
