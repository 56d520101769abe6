import { type Attributes, type KeyValue, keyValues } from './attribute.ts';

export const spanKind = { internal: 1, server: 2, client: 3 } as const;

export interface SpanEvent {
  name: string;
  /** Monotonic milliseconds. */
  at: number;
}

/** A span that has ended. Times are monotonic milliseconds. */
export interface FinishedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** The parent is another program's. */
  isParentRemote: boolean;
  state: string | undefined;
  name: string;
  kind: (typeof spanKind)[keyof typeof spanKind];
  startedAt: number;
  endedAt: number;
  /** Unix milliseconds at monotonic 0. */
  epochMs: number;
  attributes: Attributes;
  events: readonly SpanEvent[];
  isError: boolean;
}

/** A span of OTLP, in the JSON form of its protobuf message. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  traceState?: string;
  parentSpanId?: string;
  flags: number;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events: { timeUnixNano: string; name: string }[];
  status: { code?: number };
}

const sampledFlag = 0x1;
const remoteIsKnownFlag = 0x100;
const remoteFlag = 0x200;
const errorCode = 2;

export function otlpSpan(span: FinishedSpan): OtlpSpan {
  const { epochMs, parentSpanId, state } = span;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(state !== undefined && { traceState: state }),
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: sampledFlag | remoteIsKnownFlag | (span.isParentRemote ? remoteFlag : 0),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanoseconds(epochMs + span.startedAt),
    endTimeUnixNano: nanoseconds(epochMs + span.endedAt),
    attributes: keyValues(span.attributes),
    events: span.events.map(({ name, at }) => ({ timeUnixNano: nanoseconds(epochMs + at), name })),
    status: span.isError ? { code: errorCode } : {},
  };
}

/** Microseconds are what a double still holds of a time since 1970. */
export function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
