import cluster from 'node:cluster';
import type { Logger } from '../../core/lib/logger.ts';
import type { Host } from '../host.ts';

/** What the primary process of several sends its workers. */
export const stopMessage = 'stop';

type SignaledHost = Pick<Host, 'on' | 'off' | 'stdin' | 'stdout' | 'stderr'>;

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
export function openStopOrders(host: SignaledHost, logger: Logger): StopOrders {
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

  const close = cluster.isWorker ? hearPrimary(order) : hearSignals(host, order, logger);
  return { next, close };
}

function hearSignals(host: SignaledHost, order: () => void, logger: Logger): () => void {
  const hasTerminal = [host.stdin, host.stdout, host.stderr].some(({ isTTY }) => isTTY);
  let isOrdered = false;
  const onOrder = () => {
    isOrdered = true;
    order();
  };
  // A terminal that closes sends it, often twice (the system and the shell), and some service managers send it behind SIGTERM: it never
  // hurries. Node.js undoes what `nohup` asked for, so a server without a terminal has to ignore it by itself.
  const onHangUp = () => {
    if (hasTerminal && !isOrdered) onOrder();
    else if (!hasTerminal)
      logger.log(
        'warn',
        'SIGHUP was ignored, because this server has no terminal: SIGTERM stops it, and a restart reads its settings again',
      );
  };
  host.on('SIGINT', onOrder);
  host.on('SIGTERM', onOrder);
  host.on('SIGHUP', onHangUp);
  return () => {
    host.off('SIGINT', onOrder);
    host.off('SIGTERM', onOrder);
    host.off('SIGHUP', onHangUp);
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
  process.on('SIGHUP', () => undefined);
}
