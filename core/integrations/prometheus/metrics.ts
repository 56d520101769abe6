import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import { version } from '../../version.ts';

/** What a process has counted, as plain JSON that can be sent to another process. */
export type MetricSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  registry: Registry;
  /** In the format Prometheus reads. */
  text(): Promise<string>;
  snapshot(): Promise<MetricSnapshot>;
}

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of this process; names begin with `tollgate_`. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const buildInfo = new Gauge({
    name: 'tollgate_build_info',
    help: 'The version that runs; the value is always 1.',
    labelNames: ['version'],
    registers: [registry],
    aggregator: 'first',
  });
  buildInfo.set({ version }, 1);
  return { registry, text: () => registry.metrics(), snapshot: () => registry.getMetricsAsJSON() };
}

/** Several processes as if they were one: counts are added, states are taken as their metric says. */
export function sumOf(snapshots: readonly MetricSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}
