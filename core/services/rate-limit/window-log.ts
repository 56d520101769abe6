/** Up to so many calls are remembered one by one; beyond it they are counted in slices of the window, which keeps a log small. */
const maxMarks = 256;

/**
 * The calls of one key in a sliding window: when each leaves it again. A slice leaves as a whole at its end, so a window never
 * contains more than its limit. Times are milliseconds of whatever clock the caller uses.
 */
export class WindowLog {
  private leaves: number[] = [];
  private counts: number[] = [];
  private first = 0;
  private total = 0;

  /** Marks in memory, for the code that limits it. */
  get size(): number {
    return this.leaves.length - this.first;
  }

  count(now: number): number {
    while (this.first < this.leaves.length && (this.leaves[this.first] ?? 0) <= now) {
      this.total -= this.counts[this.first] ?? 0;
      this.first += 1;
    }
    if (this.first > 64 && this.first * 2 > this.leaves.length) {
      this.leaves = this.leaves.slice(this.first);
      this.counts = this.counts.slice(this.first);
      this.first = 0;
    }
    return this.total;
  }

  /** Milliseconds until so much more fits into `max`. */
  waitMs(max: number, now: number, weight = 1): number {
    let rest = this.count(now);
    let wait = 0;
    for (let index = this.first; rest + weight > max && index < this.leaves.length; index += 1) {
      rest -= this.counts[index] ?? 0;
      wait = (this.leaves[index] ?? now) - now;
    }
    return wait;
  }

  /** Counts one call; what it returns takes the call back, or part of it. */
  add(max: number, windowMs: number, now: number, weight = 1): number {
    const leavesAt = leaveTime(max, windowMs, now);
    this.total += weight;
    const last = this.leaves.length - 1;
    if (last >= this.first && this.leaves[last] === leavesAt) {
      this.counts[last] = (this.counts[last] ?? 0) + weight;
    } else {
      this.leaves.push(leavesAt);
      this.counts.push(weight);
    }
    return leavesAt;
  }

  /** A negative amount adds to what the call took. Nothing changes once it has left the window. */
  takeBack(leavesAt: number, amount = 1): void {
    const index = this.leaves.indexOf(leavesAt, this.first);
    const count = this.counts[index] ?? 0;
    if (index < 0 || count === 0) return;
    const taken = Math.min(count, amount);
    this.counts[index] = count - taken;
    this.total -= taken;
  }
}

/** 1 where each call stands alone. */
export function sliceMs(max: number, windowMs: number): number {
  return max <= maxMarks ? 1 : Math.ceil(windowMs / maxMarks);
}

function leaveTime(max: number, windowMs: number, now: number): number {
  const slice = sliceMs(max, windowMs);
  return slice === 1 ? now + windowMs : (Math.floor(now / slice) + 1) * slice + windowMs;
}
