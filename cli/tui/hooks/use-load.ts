import { useCallback, useEffect, useRef, useState } from 'react';
import { useIsVisible } from './use-visible.ts';

export interface Loaded<T> {
  data: T | undefined;
  /** What `data` was loaded for. */
  key: string | undefined;
  error: unknown;
  /** Only after a moment: what comes at once needs no word of waiting. */
  isSlow: boolean;
  reload(): void;
}

interface LoadOptions {
  /** Reloads whenever this changes. */
  key: string;
  /** 0: paused, what is shown stays until a person asks for more. */
  everyMs?: number | undefined;
}

interface Shown<T> {
  data?: T;
  key?: string;
  error?: unknown;
  /** When it came, in ms. */
  at?: number;
}

const slowAfterMs = 200;

/** Loads, and loads again every so often while it is on the screen. What was there stays until the new is here. */
export function useLoad<T>(load: () => Promise<T>, { key, everyMs }: LoadOptions): Loaded<T> {
  const isVisible = useIsVisible();
  const [shown, setShown] = useState<Shown<T>>({});
  const [isSlow, setSlow] = useState(false);
  const [order, setOrder] = useState({ isByClock: false });
  const reload = useCallback(() => setOrder({ isByClock: false }), []);
  const latest = useRef({ load, everyMs, shownKey: shown.key });
  latest.current = { load, everyMs, shownKey: shown.key };
  const isLoading = useRef(false);

  useEffect(() => {
    // Who has paused a list sees no more of it by itself, not even what is on its way.
    const isLeftOut = () => order.isByClock && latest.current.everyMs === 0 && latest.current.shownKey === key;
    if (!isVisible || isLeftOut()) return;
    let isCurrent = true;
    isLoading.current = true;
    const slow = setTimeout(() => setSlow(true), slowAfterMs);
    const end = () => {
      isCurrent = false;
      isLoading.current = false;
      clearTimeout(slow);
    };
    const settle = (next: Shown<T>) => {
      if (!isCurrent) return;
      end();
      setSlow(false);
      if (!isLeftOut()) setShown((former) => ({ ...former, error: undefined, ...next, at: Date.now() }));
    };
    // What is wrong with a filter is thrown before anything is asked for.
    const loading = (async () => latest.current.load())();
    loading.then(
      (data) => settle({ data, key }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      if (isCurrent) end();
    };
  }, [isVisible, key, order]);

  useEffect(() => {
    if (!isVisible || !everyMs || !shown.at) return;
    const again = setTimeout(
      () => {
        if (!isLoading.current) setOrder({ isByClock: true });
      },
      Math.max(0, shown.at + everyMs - Date.now()),
    );
    return () => clearTimeout(again);
  }, [isVisible, everyMs, shown.at]);

  return { data: shown.data, key: shown.key, error: shown.error, isSlow, reload };
}
