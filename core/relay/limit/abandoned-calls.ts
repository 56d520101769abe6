import type { RunningCall, RunningCalls } from '../deliver/delivery.ts';

interface AbandonedWatch {
  running: Pick<RunningCalls, 'all'>;
  /** How long a call may go on without its client: what it holds is given back within a moment. */
  afterMs: number;
  /** Told once of each call. */
  report(call: RunningCall, goneMs: number): void;
}

const looks = 6;
const maxLookMs = 5000;

/** Notices calls that do not end although their client has left: each keeps its hold and its place among those allowed at once. */
export function watchAbandoned({ running, afterMs, report }: AbandonedWatch) {
  const timer = setInterval(look, Math.min(maxLookMs, afterMs / looks)).unref();

  function goneMs(client: { gone: boolean; goneAt?: number }): number {
    return client.gone && client.goneAt !== undefined ? performance.now() - client.goneAt : 0;
  }

  function look(): void {
    for (const control of running.all()) {
      const ms = goneMs(control.client);
      if (ms < afterMs || control.isReported) continue;
      control.isReported = true;
      report(control.call, ms);
    }
  }

  return {
    count: () => running.all().filter(({ client }) => goneMs(client) >= afterMs).length,
    stop: () => clearInterval(timer),
  };
}
