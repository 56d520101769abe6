import cluster from 'node:cluster';
import type { Host } from '../host.ts';

/** What the primary process of several sends its workers. */
export const stopMessage = 'stop';

export interface StopOrders {
  /** Resolves with the next unread order; orders given meanwhile wait. */
  next(): Promise<void>;
  /** From here on a signal does again what it usually does. */
  close(): void;
}

/**
 * Takes the orders to stop for as long as it is open: a signal without a listener would end the process at once, with
 * its calls unsettled. A worker obeys its primary alone: a terminal and a service manager signal the whole group, and a worker that
 * also heard its primary would take the two for a second signal.
 */
export function openStopOrders(host: Pick<Host, 'on' | 'off'>): StopOrders {
  let waiting: (() => void)[] = [];
  let untold = 0;

  function order(): void {
    const told = waiting;
    waiting = [];
    if (told.length === 0) untold += 1;
    for (const resolve of told) resolve();
  }

  function next(): Promise<void> {
    if (untold === 0) return new Promise((resolve) => waiting.push(resolve));
    untold -= 1;
    return Promise.resolve();
  }

  const close = cluster.isWorker ? hearPrimary(order) : hearSignals(host, order);
  return { next, close };
}

function hearSignals(host: Pick<Host, 'on' | 'off'>, order: () => void): () => void {
  host.on('SIGINT', order);
  host.on('SIGTERM', order);
  return () => {
    host.off('SIGINT', order);
    host.off('SIGTERM', order);
  };
}

function hearPrimary(order: () => void): () => void {
  const onMessage = (message: unknown) => {
    if (message === stopMessage) order();
  };
  ignoreSignals();
  process.on('message', onMessage);
  // Without its primary it would never be stopped.
  process.on('disconnect', order);
  return () => {
    process.off('message', onMessage);
    process.off('disconnect', order);
  };
}

function ignoreSignals(): void {
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}
