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
  everyMs?: number | undefined;
}

const slowAfterMs = 200;

/** Loads, and loads again every so often while it is on the screen. What was there stays until the new is here. */
export function useLoad<T>(load: () => Promise<T>, { key, everyMs }: LoadOptions): Loaded<T> {
  const isVisible = useIsVisible();
  const [state, setState] = useState<{ data?: T; key?: string; error?: unknown }>({});
  const [isSlow, setSlow] = useState(false);
  const [count, setCount] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => setCount((former) => former + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` asks for the same again.
  useEffect(() => {
    if (!isVisible) return;
    let isCurrent = true;
    let again: NodeJS.Timeout | undefined;
    const slow = setTimeout(() => setSlow(true), slowAfterMs);
    const settle = (next: { data?: T; key?: string; error?: unknown }) => {
      clearTimeout(slow);
      if (!isCurrent) return;
      setSlow(false);
      setState((former) => ({ ...former, error: undefined, ...next }));
      if (everyMs) again = setTimeout(reload, everyMs);
    };
    // What is wrong with a filter is thrown before anything is asked for.
    const loading = (async () => latest.current())();
    loading.then(
      (data) => settle({ data, key }),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isCurrent = false;
      clearTimeout(slow);
      clearTimeout(again);
    };
  }, [isVisible, key, count, everyMs, reload]);

  return { data: state.data, key: state.key, error: state.error, isSlow, reload };
}
