import { Gauge } from 'prom-client';
import type { Metrics } from '../../integrations/prometheus/metrics.ts';
import { systemActor } from '../../schemas/actor.ts';
import type { HealthSpan, ModelHealth } from '../../schemas/channel-health.ts';
import type { HealthService } from '../../services/health/health.ts';
import { createReadingCache } from '../../services/overview/reading-cache.ts';

interface HealthMetricsDependencies {
  metrics: Metrics;
  health: Pick<HealthService, 'read'>;
  onError(error: unknown): void;
}

/** Every label costs memory in Prometheus: the busiest pairs of channel and model are enough for charts and alerts. */
const maxPairs = 200;

type Sample = [labels: Record<string, string>, value: number | null];

/** How channels serve each model, as the database has it for all servers. */
export function createHealthMetrics({ metrics, health, onError }: HealthMetricsDependencies): void {
  const read = createReadingCache();
  const rows = async () => {
    const all = await read('health', () => health.read(systemActor, { model: '' }));
    return all.slice(0, maxPairs);
  };
  const gauge = (name: string, help: string, labels: string[], samplesOf: (span: HealthSpan) => Sample[]) =>
    new Gauge({
      name: `tollgate_channel_${name}`,
      help,
      labelNames: ['channel', 'model', 'span', ...labels],
      registers: [metrics.registry],
      aggregator: 'first',
      async collect() {
        this.reset();
        // Whatever else is counted is told all the same.
        const found = await rows().catch(onError);
        for (const row of found ?? []) setAll(this, row, samplesOf);
      },
    });

  gauge('attempts', 'Attempts on a channel for a model in the span.', [], ({ requests }) => [[{}, requests]]);
  gauge('success_ratio', 'The share of them that went well.', [], ({ success }) => [[{}, success]]);
  gauge('first_token_seconds', 'Time to first token of streams.', ['quantile'], (span) => [
    [{ quantile: '0.5' }, inSeconds(span.first_token_p50)],
    [{ quantile: '0.95' }, inSeconds(span.first_token_p95)],
  ]);
  gauge('tokens_per_second', 'Speed of streams; of 0.95, 95 of 100 were faster.', ['quantile'], (span) => [
    [{ quantile: '0.5' }, span.speed_p50],
    [{ quantile: '0.95' }, span.speed_p95],
  ]);
}

const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);

function setAll(gauge: Gauge, row: ModelHealth, samplesOf: (span: HealthSpan) => Sample[]): void {
  const spans = { '5m': row.five_minutes, '1h': row.hour, '1d': row.day };
  for (const [span, figures] of Object.entries(spans)) {
    for (const [labels, value] of samplesOf(figures)) {
      if (value !== null) gauge.set({ channel: String(row.channel_id), model: row.model, span, ...labels }, value);
    }
  }
}
