import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sessionIdOf } from '../cookie/session-cookie.ts';

/** Whose calls are counted together once they have shown who they are. */
export interface KnownCallers {
  /** The user whom these headers stood for a short while ago; a guess for counting only, never a right. */
  userOf(headers: IncomingHttpHeaders): number | undefined;
  remember(headers: IncomingHttpHeaders, userId: number): void;
  forget(headers: IncomingHttpHeaders): void;
}

const maxCallers = 10_000;
const keptMs = 900_000;

/**
 * Sessions and access tokens that were good when they were last looked at. A caller with one is counted as that user, so that an
 * office behind one address does not run into the limit of strangers; one that is not known yet costs its address a call first, so
 * that made-up cookies cause no look-ups.
 */
export function createKnownCallers(nowMs: () => number = () => performance.now()): KnownCallers {
  const known = new Map<string, { userId: number; until: number }>();
  return {
    userOf(headers) {
      const key = keyOf(headers);
      const entry = key === undefined ? undefined : known.get(key);
      return entry && entry.until > nowMs() ? entry.userId : undefined;
    },
    remember(headers, userId) {
      const key = keyOf(headers);
      if (key === undefined) return;
      // Behind all others: the order of the map is the order of last use.
      known.delete(key);
      known.set(key, { userId, until: nowMs() + keptMs });
      const [oldest] = known.keys();
      if (known.size > maxCallers && oldest !== undefined) known.delete(oldest);
    },
    forget(headers) {
      const key = keyOf(headers);
      if (key !== undefined) known.delete(key);
    },
  };
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const credential = sessionIdOf(headers) ?? headers.authorization;
  return credential === undefined ? undefined : createHash('sha256').update(credential).digest('base64');
}
