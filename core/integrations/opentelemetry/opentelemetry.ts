import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { TelemetryConfig } from '../../config/telemetry.ts';
import { version } from '../../version.ts';
import type { Exporter, ExporterDependencies } from './exporter.ts';
import { Histogram, type HistogramInput } from './histogram.ts';
import { createMetricExport } from './metric-export.ts';
import { createTraceExport } from './trace-export.ts';
import type { Tracer } from './tracer.ts';

export interface OpenTelemetry<Name extends string> {
  /** Undefined where no traces are sent. */
  tracer: Tracer | undefined;
  /** Undefined where no metrics are sent. */
  histograms: Record<Name, Histogram> | undefined;
  /** Sends what is left, for `limitMs` at the longest. */
  close(limitMs: number): Promise<void>;
}

interface OpenTelemetryInput<Name extends string> extends Omit<ExporterDependencies, 'resource'> {
  config: TelemetryConfig;
  measured: Record<Name, HistogramInput>;
}

/** Traces and metrics on their way to a collector, in batches beside the calls: one that is slow or gone delays none of them. */
export function createOpenTelemetry<Name extends string>({
  config,
  measured,
  ...input
}: OpenTelemetryInput<Name>): OpenTelemetry<Name> {
  const dependencies: ExporterDependencies = { ...input, resource: { ...ownResource(), ...config.resource } };
  const exporters: Exporter[] = [];
  const traces = config.traces && createTraceExport(config.traces, dependencies);
  if (traces) exporters.push(traces);
  const histograms = config.metrics && createHistograms(measured);
  if (config.metrics && histograms) {
    exporters.push(createMetricExport(config.metrics, Object.values(histograms), dependencies));
  }

  async function close(limitMs: number): Promise<void> {
    for (const { hurry } of exporters) hurry();
    const late = setTimeout(() => {
      for (const { stop } of exporters) stop();
    }, limitMs);
    await Promise.all(exporters.map((exporter) => exporter.close()));
    clearTimeout(late);
  }

  return { tracer: traces?.tracer, histograms, close };
}

function createHistograms<Name extends string>(measured: Record<Name, HistogramInput>): Record<Name, Histogram> {
  const now = Date.now();
  const entries = Object.entries<HistogramInput>(measured).map(([name, input]) => [name, new Histogram(input, now)]);
  return Object.fromEntries(entries) as Record<Name, Histogram>;
}

/** `service.instance.id` tells processes apart, whose counts a backend adds up. */
function ownResource(): ExporterDependencies['resource'] {
  return {
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
    'telemetry.sdk.name': 'tollgate',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
  };
}
