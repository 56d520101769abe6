import { role } from '../../../core/schemas/actor.ts';
import type { User } from '../../../core/schemas/user.ts';
import { createStoredValue } from './stored-value.ts';

/** Who is signed in, as far as pages need to know; the server decides by the cookie. */
export type SessionUser = Pick<User, 'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'>;

export const sessionUser = createStoredValue<SessionUser | undefined>('user', (stored) =>
  isSessionUser(stored) ? stored : undefined,
);

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
  expire(): void {
    hasExpired = sessionUser.get() !== undefined;
    sessionUser.set(undefined);
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
