import type { Logger } from '../../core/lib/logger.ts';

/** More faults than this within the time below, and the process is not what it was: better a fresh one. */
const mostFaults = 20;
const withinMs = 10_000;

export interface LastResort {
  /** Resolves when the process should be replaced. */
  fatal: Promise<void>;
  stop(): void;
}

/** An error that nobody caught is logged, and the calls of everybody else go on. */
export function installLastResort(logger: Logger): LastResort {
  const recentMs: number[] = [];
  let giveUp: () => void = () => undefined;
  const fatal = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const onFault = (error: unknown) => {
    logger.log('error', 'an error was caught by nobody; the server goes on', {}, error);
    const now = performance.now();
    recentMs.push(now);
    while (now - (recentMs[0] ?? now) > withinMs) recentMs.shift();
    if (recentMs.length <= mostFaults) return;
    logger.log('error', 'too many errors that nobody catches; the server stops, so that a fresh one can take over');
    giveUp();
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  return {
    fatal,
    stop() {
      process.off('uncaughtException', onFault);
      process.off('unhandledRejection', onFault);
    },
  };
}
