import { AppError } from '../errors/app-error.ts';
import { networkOf } from '../lib/address-network.ts';
import type { Clock } from '../lib/clock.ts';

/** Wrong passwords of one account from one address cost nothing at first, then 1, 2, 4 … 900 seconds. */
const freeTries = 5;
const longestWaitSeconds = 900;
/** In a row and from wherever they come: then more than a password is asked for. */
const mostInARow = 100;
const forgottenAfterSeconds = 24 * 3600;
const mostEntries = 100_000;

interface Failures {
  count: number;
  lastAt: number;
  /** The account's session version when they began: a new password since then forgives them. */
  version: number;
}

export interface SignInThrottle {
  /** Throws `session.tooManyTries` while the pair has to wait; nothing is hashed for it. */
  check(account: string, address: string): void;
  /** Whether so many tries failed in a row that a password is not enough from a strange address. */
  isLocked(account: string, version: number): boolean;
  failed(account: string, address: string, version?: number): void;
  succeeded(account: string, address: string): void;
}

/** In memory: a restart forgives. Names of nobody are counted like accounts, so that no answer tells them apart. */
export function createSignInThrottle(now: Clock): SignInThrottle {
  const byPair = new Map<string, Failures>();
  const byAccount = new Map<string, Failures>();
  const pairOf = (account: string, address: string) => `${networkOf(address)} ${account}`;

  function recent(failures: Map<string, Failures>, key: string, version?: number): Failures | undefined {
    const entry = failures.get(key);
    const isOver =
      entry && (now() - entry.lastAt > forgottenAfterSeconds || (version ?? entry.version) !== entry.version);
    if (isOver) failures.delete(key);
    return failures.get(key);
  }

  function count(failures: Map<string, Failures>, key: string, version: number): void {
    const total = (recent(failures, key, version)?.count ?? 0) + 1;
    // Deleted first, so that the order of the map is the order of the last failure.
    failures.delete(key);
    failures.set(key, { count: total, lastAt: now(), version });
    const [oldest] = failures.keys();
    if (failures.size > mostEntries && oldest !== undefined) failures.delete(oldest);
  }

  return {
    check(account, address) {
      const entry = recent(byPair, pairOf(account, address));
      const seconds = entry ? entry.lastAt + waitAfter(entry.count) - now() : 0;
      if (seconds > 0) throw new AppError('session.tooManyTries', { seconds }, { retryAfterSeconds: seconds });
    },
    isLocked: (account, version) => (recent(byAccount, account, version)?.count ?? 0) >= mostInARow,
    failed(account, address, version = 0) {
      count(byPair, pairOf(account, address), version);
      count(byAccount, account, version);
    },
    succeeded(account, address) {
      byPair.delete(pairOf(account, address));
      byAccount.delete(account);
    },
  };
}

function waitAfter(count: number): number {
  return count < freeTries ? 0 : Math.min(2 ** Math.min(count - freeTries, 20), longestWaitSeconds);
}
