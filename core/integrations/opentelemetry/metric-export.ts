import type { MetricConfig } from '../../config/telemetry.ts';
import { CellCounter } from '../prometheus/cell-counter.ts';
import { createCollector } from './collector.ts';
import { type Exporter, type ExporterDependencies, stateLog } from './exporter.ts';
import type { Histogram } from './histogram.ts';
import { metricMessage } from './otlp-message.ts';

/** Reports what the histograms have counted, from time to time. What one report misses is in the next. */
export function createMetricExport(
  config: MetricConfig,
  histograms: readonly Histogram[],
  { outbound, logger, metrics, resource }: ExporterDependencies,
): Exporter {
  const collector = createCollector(config, outbound);
  const exports = new CellCounter({
    registry: metrics.registry,
    name: 'tollgate_otel_metric_exports_total',
    help: 'Reports of OpenTelemetry metrics by what became of them: sent or failed.',
    labels: ['outcome'],
  });
  for (const outcome of ['sent', 'failed']) exports.of(outcome).value = 0;
  const note = stateLog(logger, 'metrics');
  let sending: Promise<void> | undefined;

  async function report(): Promise<void> {
    const now = Date.now();
    const measured = histograms.map((one) => one.collect(now)).filter((one) => one !== undefined);
    if (measured.length === 0) return;
    const reason = await collector.send(metricMessage(config.format, resource, measured));
    exports.of(reason === undefined ? 'sent' : 'failed').value += 1;
    note(reason);
  }

  function begin(): void {
    sending ??= report().finally(() => {
      sending = undefined;
    });
  }

  const timer = setInterval(begin, config.intervalMs).unref();

  async function close(): Promise<void> {
    clearInterval(timer);
    await sending;
    begin();
    await sending;
  }

  return { hurry: collector.hurry, stop: collector.stop, close };
}
