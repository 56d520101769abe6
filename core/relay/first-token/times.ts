/** What a model on a channel took of late until its first token, for a short prompt. */
export interface FirstTokenRecord {
  /** Requests whose first token was measured. */
  samples: number;
  /** Milliseconds that 99 of 100 of these took at most, 0 without any. */
  p99Ms: number;
  /** Requests that moved on to another channel before a token came. */
  abandoned: number;
  /** Milliseconds that more than two of those waited, 0 when no more did. */
  waitedMs: number;
}

/** The latest requests of one model on one channel: above 0 the milliseconds of a first token, below 0 those waited for none. */
interface Window {
  times: Float32Array;
  count: number;
  next: number;
  /** Larger the later it was written to. */
  usedAt: number;
}

const windowSize = 100;
const maxWindows = 2000;
/** So many may be a channel's bad moment; with more, its requests may just take longer than they are given. */
const pardonedWaits = 2;
const none: FirstTokenRecord = { samples: 0, p99Ms: 0, abandoned: 0, waitedMs: 0 };

/**
 * First tokens as this process saw them, in memory alone: each node learns by itself, within some requests. Bounded: of more than
 * 2000 models and channels those that were not called for longest are forgotten.
 */
export class FirstTokenTimes {
  private readonly windows = new Map<string, Window>();
  private readonly maxWindows: number;
  private writes = 0;

  constructor(max = maxWindows) {
    this.maxWindows = max;
  }

  took(key: string, ms: number): void {
    this.write(key, Math.max(ms, 1));
  }

  /** The token would have come later than this, if at all. */
  waited(key: string, ms: number): void {
    this.write(key, -Math.max(ms, 1));
  }

  of(key: string): FirstTokenRecord {
    const window = this.windows.get(key);
    if (!window) return none;
    let samples = 0;
    for (let index = 0; index < window.count; index += 1) if ((window.times[index] ?? 0) > 0) samples += 1;
    return {
      samples,
      p99Ms: samples === 0 ? 0 : nthLargest(window, 1, samples - Math.ceil(0.99 * samples) + 1),
      abandoned: window.count - samples,
      waitedMs: nthLargest(window, -1, pardonedWaits + 1),
    };
  }

  private write(key: string, time: number): void {
    let window = this.windows.get(key);
    if (!window) {
      if (this.windows.size >= this.maxWindows) this.forgetOldest();
      window = { times: new Float32Array(windowSize), count: 0, next: 0, usedAt: 0 };
      this.windows.set(key, window);
    }
    window.times[window.next] = time;
    window.next = (window.next + 1) % windowSize;
    window.count = Math.min(window.count + 1, windowSize);
    this.writes += 1;
    window.usedAt = this.writes;
  }

  /** A tenth at once, because it looks at all of them. */
  private forgetOldest(): void {
    const byUse = [...this.windows].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [key] of byUse.slice(0, Math.ceil(this.maxWindows / 10))) this.windows.delete(key);
  }
}

/** Of the times with this sign; 0 when there are fewer. `place` is at most three, so one walk is less than sorting. */
function nthLargest({ times, count }: Window, sign: 1 | -1, place: number): number {
  const largest: number[] = new Array(place).fill(0);
  for (let index = 0; index < count; index += 1) {
    let time = sign * (times[index] ?? 0);
    for (let rank = 0; rank < place && time > 0; rank += 1) {
      const held = largest[rank] ?? 0;
      if (time <= held) continue;
      largest[rank] = time;
      time = held;
    }
  }
  return largest[place - 1] ?? 0;
}
