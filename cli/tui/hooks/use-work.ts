import { useCallback, useEffect, useRef, useState } from 'react';

export interface WorkProgress {
  label: string;
  done: number;
  total: number;
}

export interface RunningWork {
  progress: WorkProgress | undefined;
  /** False while other work runs. What `run` throws goes to the caller that started it. */
  start<T>(label: string, run: (report: Report, signal: AbortSignal) => Promise<T>): Promise<T> | undefined;
  /** Ends after the item under way. */
  stop(): void;
}

export type Report = (done: number, total: number) => void;

/** One long piece of work at a time; it goes on while people look at other screens. */
export function useWork(): RunningWork {
  const [progress, setProgress] = useState<WorkProgress>();
  const abort = useRef<AbortController>(undefined);
  const stop = useCallback(() => abort.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const start = useCallback(
    <T>(label: string, run: (report: Report, signal: AbortSignal) => Promise<T>): Promise<T> | undefined => {
      if (abort.current) return undefined;
      const controller = new AbortController();
      abort.current = controller;
      setProgress({ label, done: 0, total: 0 });
      return run((done, total) => setProgress({ label, done, total }), controller.signal).finally(() => {
        abort.current = undefined;
        setProgress(undefined);
      });
    },
    [],
  );
  return { progress, start, stop };
}
