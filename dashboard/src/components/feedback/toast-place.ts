import { useSyncExternalStore } from 'react';

/** Buttons that stand at the bottom end of the window, with their heights: toasts come above them. */
const footers = new Map<Element, number>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The `ref` of a drawer's footer: what went wrong is said above the button that tries again. */
export function toastsAbove(footer: HTMLElement | null): (() => void) | undefined {
  if (!footer) return undefined;
  const observer = new ResizeObserver(() => {
    footers.set(footer, footer.offsetHeight);
    tell();
  });
  observer.observe(footer);
  return () => {
    observer.disconnect();
    footers.delete(footer);
    tell();
  };
}

/** How much of the window's bottom is taken by buttons. */
export const useHeightBelowToasts = (): number =>
  useSyncExternalStore(subscribe, () => Math.max(0, ...footers.values()));
