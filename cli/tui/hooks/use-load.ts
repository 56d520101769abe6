import { isDeepStrictEqual } from 'node:util';
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
}

/** What the clock needs to know of the loads. */
interface Beat {
  /** The order that was carried out last. */
  order?: number;
  /** When the last one ended, in ms. */
  at?: number;
  /** Loads again, by the clock. */
  read?: () => void;
  /** Sets the clock for the load after this one. */
  wind?: () => void;
}

const slowAfterMs = 200;
/** Some texts depend on the clock, as times without their date do. */
const drawnAgainAfterMs = 60_000;

/**
 * Loads, and loads again every so often while it is on the screen. What was there stays until the new is here, and what is the same
 * is not drawn again: each drawing costs more than the load.
 */
export function useLoad<T>(load: () => Promise<T>, { key, everyMs }: LoadOptions): Loaded<T> {
  const isVisible = useIsVisible();
  const [shown, setShown] = useState<Shown<T>>({});
  const [isSlow, setSlow] = useState(false);
  const [order, setOrder] = useState(0);
  const reload = useCallback(() => setOrder((number) => number + 1), []);
  const latest = useRef({ load, everyMs });
  latest.current = { load, everyMs };
  const drawn = useRef<{ shown: Shown<T>; at: number }>({ shown: {}, at: 0 });
  const beat = useRef<Beat>({});

  useEffect(() => {
    if (!isVisible) return;
    let isCurrent = true;
    let isLoading = false;
    let slow: NodeJS.Timeout | undefined;

    const show = (next: Shown<T>) => {
      const { shown: former, at } = drawn.current;
      const isSame =
        former.key === next.key && former.error === next.error && isDeepStrictEqual(former.data, next.data);
      if (isSame && Date.now() - at < drawnAgainAfterMs) return;
      drawn.current = { shown: { ...former, error: undefined, ...next }, at: Date.now() };
      setShown(drawn.current.shown);
    };

    // Who has paused a list sees no more of it by itself, not even what is on its way.
    const isPaused = () => latest.current.everyMs === 0 && drawn.current.shown.key === key;
    const read = (isByClock: boolean) => {
      if (isLoading || (isByClock && isPaused())) return;
      isLoading = true;
      if (!isByClock) slow = setTimeout(() => setSlow(true), slowAfterMs);
      const settle = (next: Shown<T>) => {
        if (!isCurrent) return;
        isLoading = false;
        clearTimeout(slow);
        setSlow(false);
        if (!(isByClock && isPaused())) show(next);
        beat.current = { ...beat.current, at: Date.now(), order };
        beat.current.wind?.();
      };
      // What is wrong with a filter is thrown before anything is asked for.
      const loading = (async () => latest.current.load())();
      loading.then(
        (data) => settle({ data, key }),
        (error: unknown) => settle({ error }),
      );
    };

    if (beat.current.order !== order || !isPaused()) read(false);
    beat.current.read = () => read(true);
    return () => {
      isCurrent = false;
      clearTimeout(slow);
    };
  }, [isVisible, key, order]);

  useEffect(() => {
    if (!isVisible || !everyMs) return;
    let timer: NodeJS.Timeout | undefined;
    const wind = () => {
      clearTimeout(timer);
      const { at } = beat.current;
      if (at !== undefined) timer = setTimeout(() => beat.current.read?.(), Math.max(0, at + everyMs - Date.now()));
    };
    beat.current.wind = wind;
    wind();
    return () => {
      beat.current.wind = undefined;
      clearTimeout(timer);
    };
  }, [isVisible, everyMs]);

  return { data: shown.data, key: shown.key, error: shown.error, isSlow, reload };
}
