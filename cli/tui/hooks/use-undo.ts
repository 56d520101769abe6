import { useCallback, useEffect, useRef, useState } from 'react';
import { keyLayer, onKeys, useKeys } from './use-keys.tsx';

export interface Undo {
  /** Seconds that are left to take the last step back. */
  left: number;
  offer(undo: () => void): void;
}

const undoSeconds = 10;

/** `u` takes the last step back for ten seconds. */
export function useUndo(): Undo {
  const [left, setLeft] = useState(0);
  const latest = useRef<() => void>(undefined);

  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);

  const undo = () => {
    setLeft(0);
    latest.current?.();
  };
  useKeys(onKeys({ u: undo }), { layer: keyLayer.pane, isActive: left > 0 });

  const offer = useCallback((step: () => void) => {
    latest.current = step;
    setLeft(undoSeconds);
  }, []);
  return { left, offer };
}
