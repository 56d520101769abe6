import { randomFillSync } from 'node:crypto';

/** Where in which trace something happens (W3C Trace Context). */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  isSampled: boolean;
  /** `tracestate`: what other systems note of the trace, passed on as it came. */
  state: string | undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;
const printable = /^[\t\x20-\x7e]{1,512}$/;
const maxStateMembers = 32;

/** The context a caller sent; undefined when it sent none, or one that must not be followed. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  const match = typeof traceparent === 'string' ? form.exec(traceparent.trim()) : null;
  if (!match) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  // Later versions may say more behind the fields of the first one.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0, state: stateOf(tracestate) };
}

/** For a request that is part of the trace. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

function stateOf(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : value;
  return text !== undefined && printable.test(text) && text.split(',').length <= maxStateMembers ? text : undefined;
}

// Random bytes are drawn a block at a time: one call into the system costs more than all the rest of a span.
const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}
