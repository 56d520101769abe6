import cluster from 'node:cluster';
import type { Host } from '../host.ts';

/** What the primary process of several sends its workers. */
export const stopMessage = 'stop';

/**
 * Resolves with the next order to stop. A worker obeys its primary alone: a terminal and a service manager signal the whole
 * group, and a worker that also heard its primary would take the two for a second signal.
 */
export function untilStopped(host: Pick<Host, 'on' | 'off'>): Promise<void> {
  return new Promise((resolve) => {
    if (cluster.isWorker) {
      const onMessage = (message: unknown) => {
        if (message === stopMessage) settle();
      };
      const settle = () => {
        process.off('message', onMessage);
        process.off('disconnect', settle);
        resolve();
      };
      ignoreSignals();
      process.on('message', onMessage);
      // Without its primary nobody would ever stop it.
      process.on('disconnect', settle);
      return;
    }
    const onSignal = () => {
      host.off('SIGINT', onSignal);
      host.off('SIGTERM', onSignal);
      resolve();
    };
    host.on('SIGINT', onSignal);
    host.on('SIGTERM', onSignal);
  });
}

let ignoring = false;

function ignoreSignals(): void {
  if (ignoring) return;
  ignoring = true;
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}
