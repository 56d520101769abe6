import { countKey, type LimitRefusal, type LimitRule } from './limit-rule.ts';
import { WindowLog } from './window-log.ts';

const maxKeys = 100_000;
/** About 16 bytes each. */
const maxMarksInAll = 2_000_000;

export interface LocalCount {
  /** The rule that keeps the call waiting longest, if any does. */
  refusal(rules: readonly LimitRule[]): LimitRefusal | undefined;
  /** Counts the call under every rule; the stamps, one for each rule, take it back. */
  add(rules: readonly LimitRule[]): number[];
  end(rules: readonly LimitRule[], stamps: readonly number[], isTakenBack: (rule: LimitRule) => boolean): void;
  /** Keys in memory. */
  size(): number;
}

/**
 * What this process has let in. The least recently used windows are forgotten first, when they are empty or memory is
 * short; calls that run are never forgotten.
 */
export function createLocalCount(nowMs: () => number): LocalCount {
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

  function waitFor(rule: LimitRule): number | undefined {
    if (rule.kind === 'running') return (running.get(rule.key) ?? 0) < rule.max ? undefined : 0;
    const log = windows.get(countKey(rule));
    const now = nowMs();
    if (!log || measured(log, () => log.count(now)) < rule.max) return undefined;
    return log.waitMs(rule.max, now);
  }

  return {
    refusal(rules) {
      let refusal: LimitRefusal | undefined;
      for (const rule of rules) {
        const waitMs = waitFor(rule);
        if (waitMs !== undefined && waitMs >= (refusal?.waitMs ?? 0)) refusal = { rule, waitMs };
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
        return measured(log, () => log.add(rule.max, rule.windowMs, nowMs()));
      });
      forget();
      return stamps;
    },
    end(rules, stamps, isTakenBack) {
      for (const [index, rule] of rules.entries()) {
        if (rule.kind === 'running') {
          const left = (running.get(rule.key) ?? 1) - 1;
          if (left > 0) running.set(rule.key, left);
          else running.delete(rule.key);
        } else if (isTakenBack(rule)) {
          windows.get(countKey(rule))?.takeBack(stamps[index] ?? 0);
        }
      }
    },
    size: () => windows.size + running.size,
  };
}
