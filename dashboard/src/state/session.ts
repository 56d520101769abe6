import { role } from '../../../core/schemas/actor.ts';
import type { User } from '../../../core/schemas/user.ts';
import { createStoredValue } from './stored-value.ts';

/** Who is signed in, as far as pages need to know; the server decides by the cookie. */
export type SessionUser = Pick<User, 'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'>;

/** Whose form stands here, even if the session has ended in another tab. */
let known: SessionUser | undefined;

export const sessionUser = createStoredValue<SessionUser | undefined>('user', (stored) => {
  if (isSessionUser(stored)) known = stored;
  else if (hasLeft || !guard?.isNeeded()) known = undefined;
  return known;
});

interface ExpiryGuard {
  /** Whether something was typed that would be lost. */
  isNeeded(): boolean;
  ask(): void;
}
let guard: ExpiryGuard | undefined;

/** True from the moment the server no longer knows the session until the sign-in page says so. */
let hasExpired = false;
/** True after a sign-out: where the one who left was is no place for who comes next. */
let hasLeft = false;

export const session = {
  begin({ id, username, display_name, role: level, status, group }: SessionUser): void {
    hasExpired = false;
    hasLeft = false;
    sessionUser.set({ id, username, display_name, role: level, status, group });
  },
  end(): void {
    hasExpired = false;
    hasLeft = true;
    sessionUser.set(undefined);
  },
  /** The server no longer knows who this is: leads to the sign-in page, unless a form would be lost; returns whether it is said. */
  expire({ isReading }: { isReading: boolean }): boolean {
    if (guard?.isNeeded()) {
      // The form can still be read and finished; only what was to be saved needs the session.
      if (!isReading) guard.ask();
      return !isReading;
    }
    hasExpired ||= sessionUser.get() !== undefined;
    sessionUser.set(undefined);
    return hasExpired;
  },
  /** Stands with each page; returns what takes it back. */
  beforeExpiry(asked: ExpiryGuard): () => void {
    guard = asked;
    return () => {
      if (guard === asked) guard = undefined;
    };
  },
  hasExpired: () => hasExpired,
  hasLeft: () => hasLeft,
  acknowledgeExpiry(): void {
    hasExpired = false;
  },
};

export const isAdmin = (user: SessionUser | undefined): boolean => (user?.role ?? role.guest) >= role.admin;
export const isRoot = (user: SessionUser | undefined): boolean => (user?.role ?? role.guest) >= role.root;

function isSessionUser(stored: unknown): stored is SessionUser {
  const { id, username, role: level } = (stored ?? {}) as Partial<SessionUser>;
  return typeof id === 'number' && typeof username === 'string' && typeof level === 'number';
}
