/** So many at once, and so many a second in the long run. */
export interface Pace {
  burst: number;
  perSecond: number;
}

/** Counts what happens against a pace. Times are milliseconds of any clock that does not go back. */
export class TokenBucket {
  readonly #pace: Pace;
  #left: number;
  #filledAt: number;

  constructor(pace: Pace, now: number) {
    this.#pace = pace;
    this.#left = pace.burst;
    this.#filledAt = now;
  }

  /** False when it was too fast. */
  take(count: number, now: number): boolean {
    const { burst, perSecond } = this.#pace;
    this.#left = Math.min(burst, this.#left + ((now - this.#filledAt) / 1000) * perSecond) - count;
    this.#filledAt = now;
    return this.#left >= 0;
  }
}
