import { type ReactNode, Suspense } from 'react';
import { useFirstScreenIsOver } from '../state/first-screen.ts';

/** Around what is `lazy()` and not needed for the first look at a page. */
export function Deferred({ children, fallback = null }: { children: ReactNode; fallback?: ReactNode }) {
  return useFirstScreenIsOver() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}
