import { countKey, type LimitRefusal, type LimitRule, type WindowRule, weightOf } from './limit-rule.ts';
import { WindowLog } from './window-log.ts';

const maxKeys = 100_000;
/** About 16 bytes each. */
const maxMarksInAll = 2_000_000;
/** Until another look is worth while, when what other processes count is not known by its times. */
const elsewhereMs = 1000;

export interface LocalCount {
  /** The rule that keeps the call waiting longest, if any does. */
  refusal(rules: readonly LimitRule[]): LimitRefusal | undefined;
  /** Counts the call under every rule; the stamps, one for each rule, take it back. */
  add(rules: readonly LimitRule[]): number[];
  /** What of the call stays counted is said by `stays`. */
  end(rules: readonly LimitRule[], stamps: readonly number[], stays: (rule: WindowRule) => number): void;
  /** What is counted under the rule here and elsewhere. */
  used(rule: LimitRule): number;
  /** What this process counts, by `countKey`, of the keys that are asked for. */
  counts(isWanted: (name: string) => boolean): Map<string, number>;
  /** Keys in memory. */
  size(): number;
}

/**
 * What this process has let in. The least recently used windows are forgotten first, when they are empty or memory is
 * short; calls that run are never forgotten. `elsewhere` tells what other processes count, by `countKey`.
 */
export function createLocalCount(nowMs: () => number, elsewhere: (name: string) => number = () => 0): LocalCount {
  const windows = new Map<string, WindowLog>();
  const running = new Map<string, number>();
  let marks = 0;

  /** Also puts it behind all others, so that the order of the map is the order of last use. */
  function windowOf(key: string): WindowLog {
    const log = windows.get(key) ?? new WindowLog();
    windows.delete(key);
    windows.set(key, log);
    return log;
  }

  /** The log as it changes, with the sum of all marks kept right. */
  function measured<T>(log: WindowLog, change: () => T): T {
    const before = log.size;
    const result = change();
    marks += log.size - before;
    return result;
  }

  function forget(): void {
    for (const [key, log] of windows) {
      const isEmpty = measured(log, () => log.count(nowMs())) === 0;
      if (!isEmpty && windows.size <= maxKeys && marks <= maxMarksInAll) return;
      windows.delete(key);
      marks -= log.size;
    }
  }

  function used(rule: LimitRule): number {
    const key = countKey(rule);
    if (rule.kind === 'running') return (running.get(key) ?? 0) + elsewhere(key);
    const log = windows.get(key);
    return (log ? measured(log, () => log.count(nowMs())) : 0) + elsewhere(key);
  }

  function waitFor(rule: LimitRule): number | undefined {
    const weight = weightOf(rule);
    if (used(rule) + weight <= rule.max) return undefined;
    if (rule.kind === 'running') return 0;
    const key = countKey(rule);
    const others = elsewhere(key);
    const waitMs = windows.get(key)?.waitMs(rule.max - others, nowMs(), weight) ?? 0;
    return others > 0 ? Math.max(waitMs, elsewhereMs) : waitMs;
  }

  return {
    refusal(rules) {
      let refusal: LimitRefusal | undefined;
      for (const rule of rules) {
        const waitMs = waitFor(rule);
        if (waitMs !== undefined && waitMs >= (refusal?.waitMs ?? 0)) refusal = { rule, waitMs, used: used(rule) };
      }
      return refusal;
    },
    add(rules) {
      const stamps = rules.map((rule) => {
        if (rule.kind === 'running') {
          running.set(rule.key, (running.get(rule.key) ?? 0) + 1);
          return 0;
        }
        const log = windowOf(countKey(rule));
        return measured(log, () => log.add(rule.max, rule.windowMs, nowMs(), weightOf(rule)));
      });
      forget();
      return stamps;
    },
    end(rules, stamps, stays) {
      for (const [index, rule] of rules.entries()) {
        if (rule.kind === 'running') {
          const left = (running.get(rule.key) ?? 1) - 1;
          if (left > 0) running.set(rule.key, left);
          else running.delete(rule.key);
        } else {
          const surplus = weightOf(rule) - stays(rule);
          if (surplus !== 0) windows.get(countKey(rule))?.takeBack(stamps[index] ?? 0, surplus);
        }
      }
    },
    used,
    counts(isWanted) {
      const counts = new Map<string, number>();
      for (const [key, count] of running) if (isWanted(key)) counts.set(key, count);
      for (const [key, log] of windows) {
        if (!isWanted(key)) continue;
        const count = measured(log, () => log.count(nowMs()));
        if (count > 0) counts.set(key, count);
      }
      return counts;
    },
    size: () => windows.size + running.size,
  };
}
