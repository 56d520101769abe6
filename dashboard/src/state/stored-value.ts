import { useSyncExternalStore } from 'react';

/** A value this browser keeps; every tab and every component that uses it sees a change at once. */
export interface StoredValue<T> {
  get(): T;
  set(value: T): void;
  use(): T;
}

/** `read` turns what was stored, by any version or by hand, into a value; `text` is the same before it was parsed. */
export function createStoredValue<T>(key: string, read: (stored: unknown, text: string) => T): StoredValue<T> {
  const listeners = new Set<() => void>();
  let known: { text: string | null; value: T } | undefined;

  function get(): T {
    const text = localStorage.getItem(key);
    // The same object for the same text: components compare by identity.
    if (!known || known.text !== text) known = { text, value: read(parse(text), text ?? '') };
    return known.value;
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  }

  return {
    get,
    set(value) {
      if (value === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value));
      known = undefined;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

function parse(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text; // a bare word, as the theme and the language are kept
  }
}
