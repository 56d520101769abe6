import { Fragment, type ReactNode, useMemo } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { isAdmin, isRoot, session, sessionUser } from './session.ts';

/** Who may see a page; the server has the last word on what it shows. */
export type PageAccess = 'public' | 'user' | 'admin' | 'root';

/** Sends those who are not signed in to the sign-in page, and back here afterward. */
export function SessionGuard({
  access,
  forbidden,
  children,
}: {
  access: PageAccess;
  forbidden: ReactNode;
  children: ReactNode;
}) {
  const user = sessionUser.use();
  const { pathname, search } = useLocation();
  // The same object at each render: a new one would begin the way there again.
  const state = useMemo(() => ({ from: `${pathname}${search}` }), [pathname, search]);
  if (session.hasExpired() && pathname !== '/login') {
    return <Navigate to="/login?expired=true" replace state={state} />;
  }
  if (access === 'public') return children;
  if (!user) return <Navigate to="/login" replace state={session.hasLeft() ? null : state} />;
  const isAllowed = access === 'user' || (access === 'admin' ? isAdmin(user) : isRoot(user));
  // Another tab may sign in as another user: what stands in this one is not theirs.
  return isAllowed ? <Fragment key={user.id}>{children}</Fragment> : forbidden;
}

/** Where the guard stopped the user, for the way back. */
export function placeBefore(state: unknown): string | undefined {
  const { from } = (state ?? {}) as { from?: unknown };
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}
