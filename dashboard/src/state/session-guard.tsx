import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { isAdmin, isRoot, session, sessionUser } from './session.ts';

/** Who may see a page; the server has the last word on what it shows. */
export type PageAccess = 'public' | 'user' | 'admin' | 'root';

/** Sends those who are not signed in to the sign-in page, and back here afterwards. */
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
  const from = useLocation();
  const place = `${from.pathname}${from.search}`;
  if (session.hasExpired()) return <Navigate to="/login?expired=true" replace state={{ from: place }} />;
  if (access === 'public') return children;
  if (!user) return <Navigate to="/login" replace state={{ from: place }} />;
  const isAllowed = access === 'user' || (access === 'admin' ? isAdmin(user) : isRoot(user));
  return isAllowed ? children : forbidden;
}

/** Where the guard stopped somebody, for the way back. */
export function placeBefore(state: unknown): string | undefined {
  const { from } = (state ?? {}) as { from?: unknown };
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}
