import type { Attributes } from '../../integrations/opentelemetry/attribute.ts';
import { type FinishedSpan, type SpanEvent, spanKind } from '../../integrations/opentelemetry/span.ts';
import { newSpanId, type TraceContext, traceHeaders } from '../../integrations/opentelemetry/trace-context.ts';
import type { RoutedChannel } from '../../services/routing.ts';
import { toUpstreamError } from '../attempt/failure.ts';
import { otherModel } from '../report/model-label.ts';
import { finishReasonsOf, providerOf } from './convention.ts';
import { errorTypeOf, upstreamCodeOf } from './error-type.ts';
import type { AttemptTrace, ResponseFacts } from './trace.ts';

export const firstTokenEvent = 'gen_ai.first_token';

/** A span as it knows itself; the rest is the call's. */
export type OwnPart = Pick<
  FinishedSpan,
  'spanId' | 'name' | 'kind' | 'startedAt' | 'endedAt' | 'attributes' | 'events' | 'isError'
>;

/** The call that an attempt is part of. */
interface AttemptOwner {
  readonly operation: string;
  readonly root: TraceContext | undefined;
  readonly propagates: boolean;
  add(part: OwnPart): void;
  attemptEnded(attempt: TracedAttempt, attributes: Attributes): void;
}

/** A request to an upstream, as a client span and a measurement. */
export class TracedAttempt implements AttemptTrace {
  readonly provider: string;
  readonly startedAt = performance.now();
  endedAt: number | undefined;
  /** Known once it was served. */
  response: ResponseFacts | undefined;
  readonly #call: AttemptOwner;
  readonly #channel: RoutedChannel;
  readonly #spanId = newSpanId();
  readonly #number: number;
  #upstreamModel: string | undefined;
  #host: URL | undefined;
  #status: number | undefined;

  constructor(call: AttemptOwner, channel: RoutedChannel, number: number) {
    this.#call = call;
    this.#number = number;
    this.#channel = channel;
    this.provider = providerOf(channel.type);
  }

  get channelId(): number {
    return this.#channel.id;
  }

  sending({ url, headers }: { url: string; headers: Record<string, string> }, upstreamModel: string): void {
    this.#upstreamModel = upstreamModel;
    // Its path and query may hold a key.
    this.#host = URL.canParse(url) ? new URL(url) : undefined;
    const { root, propagates } = this.#call;
    if (root && propagates) Object.assign(headers, traceHeaders({ ...root, spanId: this.#spanId }));
  }

  responded(status: number): void {
    this.#status = status;
  }

  served(end: { kind: string; error?: unknown }, response: ResponseFacts): void {
    this.response = response;
    this.#end(end.kind, end.kind === 'broken' ? end.error : undefined);
  }

  failed(error: unknown, isClientGone: boolean): void {
    if (isClientGone) this.#end('clientGone', undefined);
    else this.#end('failed', toUpstreamError(error));
  }

  #end(outcome: string, error: unknown): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = performance.now();
    this.#call.attemptEnded(this, {
      'gen_ai.operation.name': this.#call.operation,
      'gen_ai.provider.name': this.provider,
      'gen_ai.request.model': this.#modelLabel(),
      'server.address': this.#host?.hostname,
      'server.port': this.#host && portOf(this.#host),
      'error.type': error === undefined ? undefined : errorTypeOf(error),
    });
    if (!this.#call.root?.isSampled) return;
    this.#call.add({
      spanId: this.#spanId,
      name: [this.#call.operation, this.#upstreamModel].filter(Boolean).join(' '),
      kind: spanKind.client,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      attributes: this.#attributes(outcome, error),
      events: this.#events(),
      isError: error !== undefined,
    });
  }

  /** Measurements are kept for as long as the process lives: a model that a caller made up is not named in them. */
  #modelLabel(): string | undefined {
    const model = this.#upstreamModel;
    const { models, modelMapping } = this.#channel;
    if (model === undefined || models.includes(model) || [...modelMapping.values()].includes(model)) return model;
    return otherModel;
  }

  #attributes(outcome: string, error: unknown): Attributes {
    return {
      'gen_ai.operation.name': this.#call.operation,
      'gen_ai.provider.name': this.provider,
      'gen_ai.system': this.provider,
      'gen_ai.request.model': this.#upstreamModel,
      ...responseAttributes(this.response),
      'gen_ai.response.id': this.response?.responseId,
      'gen_ai.usage.input_tokens': this.response?.usage?.prompt,
      'gen_ai.usage.output_tokens': this.response?.usage?.completion,
      'server.address': this.#host?.hostname,
      'server.port': this.#host && portOf(this.#host),
      'http.response.status_code': this.#status,
      'error.type': error === undefined ? undefined : errorTypeOf(error),
      'tollgate.upstream.error_code': upstreamCodeOf(error),
      'tollgate.channel.id': this.channelId,
      'tollgate.attempt.number': this.#number,
      'tollgate.outcome': outcome,
    };
  }

  #events(): SpanEvent[] {
    const at = this.response?.contentAt;
    return at === undefined ? [] : [{ name: firstTokenEvent, at }];
  }
}

/** What both the call and the attempt that served it say of the response. */
export function responseAttributes(response: ResponseFacts | undefined): Attributes {
  const { usage, responseModel, finishReasons = '' } = response ?? {};
  return {
    'gen_ai.response.model': responseModel,
    'gen_ai.response.finish_reasons': finishReasonsOf(finishReasons),
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedRead || undefined,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite || undefined,
  };
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' || protocol === 'ws:' ? 80 : 443) : Number(port);
}
