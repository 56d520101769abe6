import { AppError } from '../../errors/app-error.ts';

const windowMs = 10 * 60_000;
const unpaidFetches = 100;
const manyUsers = 10_000;

/**
 * Pictures a user had fetched for calls that were not charged. Without an end to them, calls that fail on purpose would send
 * requests to a third party for nothing.
 */
export class MediaAllowance {
  readonly #unpaid = new Map<number, { count: number; until: number }>();

  /** Throws `limit.unpaidMedia`. */
  check(userId: number): void {
    const entry = this.#unpaid.get(userId);
    const leftMs = entry ? entry.until - performance.now() : 0;
    if (!entry || leftMs <= 0 || entry.count < unpaidFetches) return;
    const seconds = Math.ceil(leftMs / 1000);
    throw new AppError('limit.unpaidMedia', { max: unpaidFetches, seconds }, { retryAfterSeconds: seconds });
  }

  unpaid(userId: number, count: number): void {
    const now = performance.now();
    const known = this.#unpaid.get(userId);
    if (known && known.until > now) known.count += count;
    else this.#unpaid.set(userId, { count, until: now + windowMs });
    if (this.#unpaid.size > manyUsers) this.#forgetOld(now);
  }

  #forgetOld(now: number): void {
    for (const [userId, { until }] of this.#unpaid) if (until <= now) this.#unpaid.delete(userId);
  }
}
