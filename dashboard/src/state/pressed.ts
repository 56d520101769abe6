import { useEffect, useState, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isPressed = false;

function set(value: boolean): void {
  isPressed = value;
  for (const listener of listeners) listener();
}

addEventListener('pointerdown', () => set(true), true);
// After the click that the release makes.
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => setTimeout(() => set(false)), true);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Now, or when the button of the mouse that is down is released and its click is done. */
export function afterRelease(run: () => void): void {
  if (!isPressed) {
    run();
    return;
  }
  const unsubscribe = subscribe(() => {
    unsubscribe();
    run();
  });
}

/**
 * The value, but as it was while a button of the mouse is down: leaving a field may show a message there, and what is below would move
 * away under the pointer before it is released, which is not a click then.
 */
export function useUnpressed<T>(value: T): T {
  const isHeld = useSyncExternalStore(subscribe, () => isPressed);
  const [held, setHeld] = useState(value);
  useEffect(() => {
    if (!isHeld) setHeld(() => value);
  }, [isHeld, value]);
  return isHeld ? held : value;
}
