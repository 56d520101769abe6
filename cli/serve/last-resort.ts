import type { Logger } from '../../core/lib/logger.ts';

/** More rejections than this within the time below, and the process is not what it was: better a fresh one. */
const maxRejections = 20;
const withinMs = 10_000;

export interface LastResort {
  /** Resolves when the process should be replaced. */
  fatal: Promise<void>;
  stop(): void;
}

/**
 * What happens to an error that no code caught. An exception may have left a step half done, in state that all calls share: the
 * process is to be replaced. A promise that was rejected and that no code waited for ended in order; the calls go on.
 */
export function installLastResort(logger: Logger): LastResort {
  const recentMs: number[] = [];
  let isFatal = false;
  let giveUp: () => void = () => undefined;
  const fatal = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const onException = (error: unknown) => {
    const outcome = isFatal ? 'the server is already stopping' : 'the server finishes its calls and exits with code 1';
    logger.log('error', `uncaught exception: ${outcome}`, {}, error);
    isFatal = true;
    giveUp();
  };
  const onRejection = (error: unknown) => {
    logger.log('error', 'unhandled rejection: the server goes on', {}, error);
    const now = performance.now();
    recentMs.push(now);
    while (now - (recentMs[0] ?? now) > withinMs) recentMs.shift();
    if (isFatal || recentMs.length <= maxRejections) return;
    logger.log('error', 'too many unhandled rejections: the server finishes its calls and exits with code 1');
    isFatal = true;
    giveUp();
  };
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return {
    fatal,
    stop() {
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    },
  };
}
