import { AppError } from '../errors/app-error.ts';
import { networkOf } from '../lib/address-network.ts';
import type { Clock } from '../lib/clock.ts';

/** Wrong passwords of one account from one address cost nothing at first, then 1, 2, 4 … 900 seconds. */
const freeTries = 5;
const longestWaitSeconds = 900;
const forgottenAfterSeconds = 24 * 3600;
const mostEntries = 100_000;

interface Failures {
  count: number;
  lastAt: number;
}

export interface SignInThrottle {
  /** Throws `session.tooManyTries` while the pair has to wait; nothing is hashed for it. */
  check(account: string, address: string): void;
  failed(account: string, address: string): void;
  succeeded(account: string, address: string): void;
}

/** In memory: a restart forgives, and no stranger can lock an account for good. */
export function createSignInThrottle(now: Clock): SignInThrottle {
  const failures = new Map<string, Failures>();
  const keyOf = (account: string, address: string) => `${networkOf(address)} ${account}`;

  function recent(key: string): Failures | undefined {
    const entry = failures.get(key);
    if (entry && now() - entry.lastAt > forgottenAfterSeconds) failures.delete(key);
    return failures.get(key);
  }

  return {
    check(account, address) {
      const entry = recent(keyOf(account, address));
      const seconds = entry ? entry.lastAt + waitAfter(entry.count) - now() : 0;
      if (seconds > 0) throw new AppError('session.tooManyTries', { seconds }, { retryAfterSeconds: seconds });
    },
    failed(account, address) {
      const key = keyOf(account, address);
      const count = (recent(key)?.count ?? 0) + 1;
      // Deleted first, so that the order of the map is the order of the last failure.
      failures.delete(key);
      failures.set(key, { count, lastAt: now() });
      const [oldest] = failures.keys();
      if (failures.size > mostEntries && oldest !== undefined) failures.delete(oldest);
    },
    succeeded: (account, address) => void failures.delete(keyOf(account, address)),
  };
}

function waitAfter(count: number): number {
  return count < freeTries ? 0 : Math.min(2 ** Math.min(count - freeTries, 20), longestWaitSeconds);
}
