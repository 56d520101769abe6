import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { collectGarbage } from '../../lib/collect-garbage.ts';
import { createMemoryBudget, type MemoryBudget, overloadedError } from './memory-budget.ts';

export interface OverloadLimits {
  /** The event loop comes no later than this; later twice in a row is load, and no hiccup. */
  loopDelayMs: number;
  /** Relay calls at one time. */
  calls: number;
  /** How long the oldest work of the ledger may wait. */
  queueWaitMs: number;
  /** Of the room for long-lived objects; beyond it the process is busy collecting garbage, and near its end. */
  heapShare: number;
  /** Of the same room, for large bodies, pictures and responses of calls; a number of bytes in its place for tests. */
  memoryShare: number;
  memoryBytes?: number;
}

export interface OverloadSignals {
  callsInFlight(): number;
  queueWaitMs(): number;
}

/** Large calls alone are turned away for the last one. */
export type OverloadReason = 'event loop' | 'ledger queue' | 'heap' | 'large calls';

export interface Overload {
  /** Throws `relay.overloaded` while the server has more to do than it can. */
  check(): void;
  /** For a call that was let in a while ago: throws when memory has become short since, before more is taken up. */
  checkMemory(): void;
  isRed(): boolean;
  readonly memory: MemoryBudget;
  /** From now on it looks; what the start itself took is not load. */
  start(): void;
  close(): void;
}

export interface OverloadDependencies {
  signals: OverloadSignals;
  limits: OverloadLimits;
  /** Called when shedding begins and when it is over (no reasons). */
  onChange(reasons: OverloadReason[]): void;
}

export const overloadDefaults: Omit<OverloadLimits, 'calls' | 'loopDelayMs'> = {
  queueWaitMs: 2000,
  heapShare: 0.85,
  memoryShare: 0.4,
};

/** The heap's limit counts its two nurseries with it; the process ends when the rest is full. */
const nurseryBytes = 48 * 1024 * 1024;
/** A block so many times the limit is enough by itself. */
const longBlock = 4;
const tickMs = 50;
const lookEveryMs = 250;
const heapEveryMs = 20;
const collectEveryMs = 2000;

/** Turns new relay calls away before the process collapses under those it has; the next look that is fine ends it (R8). */
export function createOverload({ signals, limits, onChange }: OverloadDependencies): Overload {
  let timer: NodeJS.Timeout | undefined;
  const memory = createMemoryBudget(limits.memoryBytes ?? Math.floor(heapRoom() * limits.memoryShare));
  let reasons: OverloadReason[] = [];
  let reported = '';
  let tickedAt = 0;
  let lookedAt = 0;
  let maxDelayMs = 0;
  let wasLate = false;
  let heapSeenAt = 0;
  let isHeapFull = false;
  /** Calls in flight when memory became short, or when it was last collected. */
  let callsWhenFull = 0;
  let collectedAt = Number.NEGATIVE_INFINITY;

  /** Of so few ticks the longest delay is the 99th percentile. */
  function tick(): void {
    const now = performance.now();
    maxDelayMs = Math.max(maxDelayMs, now - tickedAt - tickMs);
    tickedAt = now;
    if (now - lookedAt >= lookEveryMs - tickMs / 2) look(now);
  }

  function look(now: number): void {
    const delayMs = maxDelayMs;
    maxDelayMs = 0;
    lookedAt = now;
    lookAtHeap(now);
    if (isHeapFull && signals.callsInFlight() <= callsWhenFull / 2 && now - collectedAt > collectEveryMs) collect();
    const next: OverloadReason[] = [];
    const isLate = delayMs > limits.loopDelayMs;
    if (delayMs > longBlock * limits.loopDelayMs || (isLate && wasLate)) next.push('event loop');
    wasLate = isLate;
    if (signals.queueWaitMs() > limits.queueWaitMs) next.push('ledger queue');
    if (isHeapFull) next.push('heap');
    reasons = next;
    const told: OverloadReason[] = memory.takeRefused() ? [...next, 'large calls'] : next;
    if (told.join() !== reported) onChange(told);
    reported = told.join();
  }

  /** Looked at more often than the rest: a burst of calls fills what is left sooner than that. */
  function lookAtHeap(now: number): void {
    heapSeenAt = now;
    const wasFull = isHeapFull;
    isHeapFull = heapShare() > limits.heapShare;
    if (isHeapFull && !wasFull) callsWhenFull = signals.callsInFlight();
  }

  /** Nothing is let in any more, so V8 sees no need to collect what the calls have left that ended meanwhile. */
  function collect(): void {
    collectGarbage();
    callsWhenFull = signals.callsInFlight();
    collectedAt = performance.now();
    lookAtHeap(collectedAt);
  }

  function memoryIsShort(): boolean {
    const now = performance.now();
    if (now - heapSeenAt > heapEveryMs) lookAtHeap(now);
    return isHeapFull;
  }

  return {
    check() {
      // The call that asks is one of those in flight.
      const isTooMany = signals.callsInFlight() > limits.calls;
      if (memoryIsShort() || isTooMany || reasons.length > 0) throw overloadedError();
    },
    checkMemory() {
      if (memoryIsShort()) throw overloadedError();
    },
    memory,
    isRed: () => reasons.length > 0 || isHeapFull || signals.callsInFlight() >= limits.calls,
    start() {
      lookedAt = performance.now();
      tickedAt = lookedAt;
      timer ??= setInterval(tick, tickMs).unref();
    },
    close: () => clearInterval(timer),
  };
}

function heapShare(): number {
  let used = 0;
  for (const { space_name: name, space_used_size: bytes } of getHeapSpaceStatistics()) {
    if (!name.startsWith('new_')) used += bytes;
  }
  return used / heapRoom();
}

function heapRoom(): number {
  return getHeapStatistics().heap_size_limit - nurseryBytes;
}
