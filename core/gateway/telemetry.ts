import type { App } from '../app.ts';
import type { Metrics } from '../integrations/prometheus/metrics.ts';
import type { RelayTelemetry } from '../relay/telemetry/relay-telemetry.ts';
import type { Routing } from '../services/routing.ts';

/** Undefined where no collector is set; then nothing of it is even loaded. */
export async function openTelemetry(
  { config, outbound, logger }: Pick<App, 'config' | 'outbound' | 'logger'>,
  { metrics, routing }: { metrics: Metrics; routing: Routing },
): Promise<RelayTelemetry | undefined> {
  if (!config.telemetry) return undefined;
  const { createOpenTelemetry } = await import('../integrations/opentelemetry/opentelemetry.ts');
  const { measures } = await import('../relay/telemetry/convention.ts');
  const { createRelayTelemetry } = await import('../relay/telemetry/relay-telemetry.ts');
  const parts = { config: config.telemetry, measured: measures, outbound, logger, metrics };
  return createRelayTelemetry({ openTelemetry: createOpenTelemetry(parts), routing });
}
