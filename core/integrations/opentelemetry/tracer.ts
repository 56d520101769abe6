import type { SamplerConfig, TraceConfig } from '../../config/telemetry.ts';
import type { FinishedSpan } from './span.ts';
import { newSpanId, newTraceId, readTraceContext, type TraceContext } from './trace-context.ts';

export interface RootContext extends TraceContext {
  parentSpanId: string | undefined;
}

export interface Tracer {
  /** Where the spans of one call belong; `headers` are those of its client. */
  begin(headers: Parameters<typeof readTraceContext>[0]): RootContext;
  /** Whether upstreams are told of the trace. */
  readonly propagates: boolean;
  record(spans: readonly FinishedSpan[]): void;
}

export function createTracer(
  { sampler, propagates }: Pick<TraceConfig, 'sampler' | 'propagates'>,
  record: Tracer['record'],
): Tracer {
  function begin(headers: Parameters<typeof readTraceContext>[0]): RootContext {
    const parent = propagates ? readTraceContext(headers) : undefined;
    const traceId = parent?.traceId ?? newTraceId();
    return {
      traceId,
      spanId: newSpanId(),
      parentSpanId: parent?.spanId,
      isSampled: isSampled(sampler, traceId, parent),
      state: parent?.state,
    };
  }
  return { begin, propagates, record };
}

/** Decided by the id, so that every program with the same ratio keeps the same traces. */
export function isSampled({ followsParent, ratio }: SamplerConfig, traceId: string, parent?: TraceContext): boolean {
  if (followsParent && parent) return parent.isSampled;
  if (ratio >= 1) return true;
  // Of the 56 bits that are random in every trace id, those that a double takes without rounding.
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 >= 1 - ratio;
}
