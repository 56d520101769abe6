import { useEffect, useSyncExternalStore } from 'react';

/** Whatever a page waits for, the rest of the console does not wait longer. */
const patienceMs = 1500;

let isOver = false;
const listeners = new Set<() => void>();

function finish(): void {
  if (!isOver) performance.mark('first-screen');
  isOver = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A page says that what it is for is on the screen. */
export function useFirstScreen(isThere: boolean): void {
  useEffect(() => {
    if (isThere) finish();
    const timer = setTimeout(finish, patienceMs);
    return () => clearTimeout(timer);
  }, [isThere]);
}

/** Menus, toasts and tooltips come after it: they are not needed before there is something to see. */
export const useFirstScreenIsOver = (): boolean => useSyncExternalStore(subscribe, () => isOver);
