import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../../core/errors/app-error.ts';
import { type MetricSnapshot, type Metrics, sumOf } from '../../core/integrations/prometheus/metrics.ts';

/** From a worker that a client asked for metrics: requests the metrics of all workers. */
interface Wanted {
  metricsWanted: number;
}
/** To every worker: yours, please. */
interface Asked {
  metricsAsked: number;
}
interface Reported {
  metricsReported: number;
  snapshot: MetricSnapshot;
}
/** Back to the worker with the client; without text when a worker did not report in time. */
interface Summed {
  metricsSummed: number;
  text?: string;
}

const reportMs = 3000;
const responseMs = 5000;

/**
 * In the primary: adds up what the workers have counted. What a worker reported last stays in the sum after its death, because a
 * sum that falls looks like a restart of everything.
 */
export function sumWorkerMetrics(): void {
  /** Those that listen; before that they do not respond. */
  const ready = new Map<number, Worker>();
  const latest = new Map<number, MetricSnapshot>();
  const open = new Map<number, { missing: Set<number>; done(isComplete: boolean): void }>();
  let gone: Promise<MetricSnapshot[]> = Promise.resolve([]);
  let number = 0;

  function collect(): Promise<boolean> {
    const asked = ++number;
    const workers = [...ready.values()];
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(false), reportMs);
      const missing = new Set(workers.map(({ id }) => id));
      function done(isComplete: boolean): void {
        clearTimeout(timer);
        open.delete(asked);
        resolve(isComplete);
      }
      open.set(asked, { missing, done });
      for (const worker of workers) worker.send({ metricsAsked: asked } satisfies Asked);
    });
  }

  function noReportFrom(worker: Worker, asked?: number): void {
    for (const [of, { missing, done }] of open) {
      if (asked !== undefined && of !== asked) continue;
      missing.delete(worker.id);
      if (missing.size === 0) done(true);
    }
  }

  async function respond(worker: Worker, wanted: number): Promise<void> {
    const isComplete = await collect();
    const text = isComplete ? await sumOf([...(await gone), ...latest.values()]).metrics() : undefined;
    if (worker.isConnected())
      worker.send({ metricsSummed: wanted, ...(text !== undefined && { text }) } satisfies Summed);
  }

  async function bury(last: MetricSnapshot, before: Promise<MetricSnapshot[]>): Promise<MetricSnapshot[]> {
    // States end with the process, counts do not.
    const counts = last.filter(({ type }) => String(type) !== 'gauge');
    return [await sumOf([...(await before), counts]).getMetricsAsJSON()];
  }

  cluster.on('message', (worker, message: Partial<Wanted & Reported & { listening: number }> | null) => {
    if (message?.listening !== undefined) ready.set(worker.id, worker);
    if (message?.metricsWanted !== undefined) void respond(worker, message.metricsWanted);
    if (message?.metricsReported === undefined || message.snapshot === undefined) return;
    latest.set(worker.id, message.snapshot);
    noReportFrom(worker, message.metricsReported);
  });
  cluster.on('exit', (worker) => {
    const last = latest.get(worker.id);
    latest.delete(worker.id);
    ready.delete(worker.id);
    noReportFrom(worker);
    if (last) gone = bury(last, gone);
  });
}

/** In a worker: what a client that asks for figures is shown, and where this process reports its own. */
export function shareMetrics() {
  const open = new Map<number, (text: string | undefined) => void>();
  let number = 0;

  return {
    report(own: Metrics): void {
      process.on('message', async (message: Partial<Asked & Summed> | null) => {
        if (message?.metricsSummed !== undefined) open.get(message.metricsSummed)?.(message.text);
        if (message?.metricsAsked === undefined) return;
        const report: Reported = { metricsReported: message.metricsAsked, snapshot: await own.snapshot() };
        process.send?.(report);
      });
    },
    async text(): Promise<string> {
      const wanted = ++number;
      const text = await new Promise<string | undefined>((resolve) => {
        const timer = setTimeout(() => resolve(undefined), responseMs);
        open.set(wanted, (sum) => {
          clearTimeout(timer);
          resolve(sum);
        });
        process.send?.({ metricsWanted: wanted } satisfies Wanted);
      });
      open.delete(wanted);
      if (text === undefined) throw new AppError('metrics.incomplete');
      return text;
    },
  };
}
