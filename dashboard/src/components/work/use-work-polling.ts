import { useEffect, useState } from 'react';
import { isFinal } from '../../../../core/schemas/task-status.ts';
import { idlePollMs, isWaiting } from '../../api/retry.ts';

/** Neither done nor given up: its vendor is still asked about it. */
export const isUnderWay = ({ status }: { status: string }) => !isFinal(status);

/** Asks again for as long as something is under way and the page is looked at. */
export function useWorkPolling(isRunning: boolean, refresh: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new one with each render does the same
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isWaiting()) refresh();
    }, idlePollMs);
    return () => clearInterval(timer);
  }, [isRunning]);
}

/** Unix seconds; goes on by the second while something is under way. */
export function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(nowSeconds());
    const timer = setInterval(() => setNow(nowSeconds()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
