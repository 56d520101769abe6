import type { Usage } from '../../canonical/usage.ts';
import type { Attributes } from '../../integrations/opentelemetry/attribute.ts';
import type { RoutedChannel } from '../../services/routing.ts';

/** What a call does by itself, beside asking upstreams. */
export type CallStep = 'hold' | 'choose' | 'settle';

/** What of a call is told to OpenTelemetry, while the call goes on; a call has none while telemetry is off. */
export interface CallTrace {
  /** For log lines; undefined where no traces are sent. */
  readonly traceId: string | undefined;
  /** Begins a step; one ends before the next begins. */
  enter(step: CallStep): void;
  /** Ends it. `refusal`: why it came to nothing. */
  leave(attributes?: Attributes, refusal?: string): void;
  /** Begins an attempt on a channel. */
  attempt(channel: RoutedChannel): AttemptTrace;
}

/** One request to an upstream. */
export interface AttemptTrace {
  /** Adds to the headers by which the upstream can take part in the trace. */
  sending(request: { url: string; headers: Record<string, string> }, upstreamModel: string): void;
  /** The upstream began to respond with this status. */
  responded(status: number): void;
  /** The response went to the client, as far as it came. */
  served(end: { kind: string; error?: unknown }, response: ResponseFacts): void;
  /** There is no response, or none that may go to the client. */
  failed(error: unknown, isClientGone: boolean): void;
}

/** What is known of an upstream's response in the end. */
export interface ResponseFacts {
  readonly usage: Usage | undefined;
  readonly responseId: string | undefined;
  /** As the upstream names it. */
  readonly responseModel: string | undefined;
  /** Why each choice ended: neutral reasons, separated by commas. */
  readonly finishReasons: string;
  /** Monotonic milliseconds of the first content of a stream. */
  readonly contentAt: number | undefined;
}
