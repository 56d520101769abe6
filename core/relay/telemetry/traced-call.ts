import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes } from '../../integrations/opentelemetry/attribute.ts';
import { type FinishedSpan, type SpanEvent, spanKind } from '../../integrations/opentelemetry/span.ts';
import { newSpanId } from '../../integrations/opentelemetry/trace-context.ts';
import type { RootContext, Tracer } from '../../integrations/opentelemetry/tracer.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { operationOf } from './convention.ts';
import type { CallStep, CallTrace } from './trace.ts';
import { type OwnPart, TracedAttempt } from './traced-attempt.ts';

const stepNames: Record<CallStep, string> = {
  hold: 'hold quota',
  choose: 'choose channel',
  settle: 'settle quota',
};

/** What the end of an attempt is measured by. */
export type AttemptMeasured = (attempt: TracedAttempt, attributes: Attributes) => void;

interface TracedCallInput {
  tracer: Tracer | undefined;
  protocol: string;
  startedAt: number;
  headers: IncomingHttpHeaders;
  measure: AttemptMeasured;
}

/** The spans of one call, kept until it ends. Without a tracer, or where the sampler does not want it, it only measures. */
export class TracedCall implements CallTrace {
  readonly root: RootContext | undefined;
  readonly operation: string;
  readonly startedAt: number;
  lastAttempt: TracedAttempt | undefined;
  /** The last one that the client got something of. */
  lastServed: TracedAttempt | undefined;
  readonly #tracer: Tracer | undefined;
  readonly #measure: AttemptMeasured;
  readonly #epochMs = Date.now() - performance.now();
  readonly #spans: FinishedSpan[] = [];
  #attempts = 0;
  #step: { name: string; startedAt: number } | undefined;

  constructor({ tracer, protocol, startedAt, headers, measure }: TracedCallInput) {
    this.#tracer = tracer;
    this.#measure = measure;
    this.root = tracer?.begin(headers);
    this.operation = operationOf(protocol);
    this.startedAt = startedAt;
  }

  get traceId(): string | undefined {
    return this.root?.traceId;
  }

  get propagates(): boolean {
    return this.#tracer?.propagates ?? false;
  }

  enter(step: CallStep): void {
    if (this.root?.isSampled) this.#step = { name: stepNames[step], startedAt: performance.now() };
  }

  leave(attributes: Attributes = {}, refusal?: string): void {
    if (!this.#step) return;
    const { name, startedAt } = this.#step;
    this.#step = undefined;
    this.add({
      spanId: newSpanId(),
      name,
      kind: spanKind.internal,
      startedAt,
      endedAt: performance.now(),
      attributes: refusal === undefined ? attributes : { ...attributes, 'error.type': refusal },
      events: [],
      isError: refusal !== undefined,
    });
  }

  attempt(channel: RoutedChannel): TracedAttempt {
    this.#attempts += 1;
    this.lastAttempt = new TracedAttempt(this, channel, this.#attempts);
    return this.lastAttempt;
  }

  attemptEnded(attempt: TracedAttempt, attributes: Attributes): void {
    if (attempt.response) this.lastServed = attempt;
    this.#measure(attempt, attributes);
  }

  /** A span inside the call. */
  add(part: OwnPart): void {
    if (this.root) this.#push(this.root, part, this.root.spanId, false);
  }

  /** The span of the call itself, and with it all of them. */
  finish(own: { name: string; attributes: Attributes; events: SpanEvent[]; isError: boolean }, failure?: string): void {
    const { root } = this;
    if (!root?.isSampled) return;
    if (this.#step) this.leave({}, failure ?? 'internal_error');
    const { spanId, parentSpanId } = root;
    const { startedAt } = this;
    const part = { ...own, spanId, kind: spanKind.server, startedAt, endedAt: performance.now() };
    this.#push(root, part, parentSpanId, parentSpanId !== undefined);
    this.#tracer?.record(this.#spans);
  }

  #push({ traceId, state }: RootContext, part: OwnPart, parentSpanId: string | undefined, isParentRemote: boolean) {
    const epochMs = this.#epochMs;
    this.#spans.push({ ...part, traceId, state, parentSpanId, isParentRemote, epochMs });
  }
}
