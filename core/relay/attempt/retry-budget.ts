const windowMs = 10_000;
const slices = 10;
const freeRetries = 20;
const share = 0.2;

interface Window {
  slice: number;
  calls: number[];
  retries: number[];
}

/**
 * Keeps an outage from multiplying the load: per group and model, retries stay within 20 % of the calls of the last 10 s
 * plus 20. Times are monotonic milliseconds.
 */
export class RetryBudget {
  private readonly windows = new Map<string, Window>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  noteCall(key: string): void {
    const window = this.window(key);
    window.calls[window.slice % slices] = (window.calls[window.slice % slices] ?? 0) + 1;
  }

  /** Takes one retry out of the budget; false when it is used up. */
  takeRetry(key: string): boolean {
    const window = this.window(key);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    if (sum(window.retries) >= sum(window.calls) * share + freeRetries) return false;
    window.retries[window.slice % slices] = (window.retries[window.slice % slices] ?? 0) + 1;
    return true;
  }

  private window(key: string): Window {
    const slice = Math.floor(this.now() / (windowMs / slices));
    let window = this.windows.get(key);
    if (!window) {
      // Model names are the client's to choose, but only those a channel serves get here; still, bounded.
      if (this.windows.size > 10_000) this.windows.clear();
      window = {
        slice,
        calls: new Array(slices).fill(0),
        retries: new Array(slices).fill(0),
      };
      this.windows.set(key, window);
    }
    const passed = Math.min(slices, slice - window.slice);
    for (let step = 1; step <= passed; step += 1) {
      window.calls[(window.slice + step) % slices] = 0;
      window.retries[(window.slice + step) % slices] = 0;
    }
    window.slice = slice;
    return window;
  }
}
