import type { TraceConfig } from '../../config/telemetry.ts';
import { CellCounter } from '../prometheus/cell-counter.ts';
import { createCollector } from './collector.ts';
import { type Exporter, type ExporterDependencies, stateLog } from './exporter.ts';
import { traceMessage } from './otlp-message.ts';
import { SpanQueue } from './span-queue.ts';
import { createTracer, type Tracer } from './tracer.ts';

export function createTraceExport(
  config: TraceConfig,
  { outbound, logger, metrics, resource }: ExporterDependencies,
): Exporter & { tracer: Tracer } {
  const collector = createCollector(config, outbound);
  const spans = new CellCounter({
    registry: metrics.registry,
    name: 'tollgate_otel_spans_total',
    help: 'Spans by what became of them: sent, dropped because the queue was full, or failed.',
    labels: ['outcome'],
  });
  for (const outcome of ['sent', 'dropped', 'failed']) spans.of(outcome).value = 0;
  const note = stateLog(logger, 'traces');
  let hasWarned = false;
  const queue = new SpanQueue({
    ...config,
    async send(batch) {
      const reason = await collector.send(await traceMessage(config.format, resource, batch));
      spans.of(reason === undefined ? 'sent' : 'failed').value += batch.length;
      note(reason);
    },
    dropped(count) {
      spans.of('dropped').value += count;
      if (hasWarned) return;
      hasWarned = true;
      const text =
        'spans are dropped because their queue is full: raise OTEL_BSP_MAX_QUEUE_SIZE or sample fewer traces';
      logger.log('warn', text, { size: config.maxQueueSize });
    },
  });
  const tracer = createTracer(config, (list) => queue.push(list));
  return { tracer, hurry: collector.hurry, stop: collector.stop, close: () => queue.close() };
}
