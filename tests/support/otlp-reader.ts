import type { SeenMetric, SeenPoint, SeenSpan } from './fake-collector.ts';

/** Members of a message in their JSON form, whether it came as JSON or as protobuf. */
type Message = Record<string, unknown>;

export function readSpans(body: Buffer, isJson: boolean): SeenSpan[] {
  const message = isJson ? (JSON.parse(body.toString()) as Message) : protobuf(body, traceFields);
  return list(message.resourceSpans).flatMap(({ resource, scopeSpans }) =>
    list(scopeSpans).flatMap(({ spans }) =>
      list(spans).map((span) => ({
        traceId: String(span.traceId),
        spanId: String(span.spanId),
        parentSpanId: String(span.parentSpanId ?? ''),
        traceState: String(span.traceState ?? ''),
        flags: Number(span.flags),
        name: String(span.name),
        kind: Number(span.kind),
        start: Number(span.startTimeUnixNano) / 1e6,
        end: Number(span.endTimeUnixNano) / 1e6,
        attributes: attributesOf(span.attributes),
        events: list(span.events).map(({ name, timeUnixNano }) => ({
          name: String(name),
          at: Number(timeUnixNano) / 1e6,
        })),
        isError: (span.status as Message | undefined)?.code === 2,
        resource: attributesOf((resource as Message).attributes),
      })),
    ),
  );
}

export function readMetrics(body: Buffer, isJson: boolean): SeenMetric[] {
  const message = isJson ? (JSON.parse(body.toString()) as Message) : protobuf(body, metricFields);
  return list(message.resourceMetrics).flatMap(({ scopeMetrics }) =>
    list(scopeMetrics).flatMap(({ metrics }) =>
      list(metrics).map(({ name, unit, histogram }) => ({
        name: String(name),
        unit: String(unit),
        isCumulative: (histogram as Message).aggregationTemporality === 2,
        points: list((histogram as Message).dataPoints).map(pointOf),
      })),
    ),
  );
}

function pointOf(point: Message): SeenPoint {
  return {
    attributes: attributesOf(point.attributes),
    count: Number(point.count),
    sum: Number(point.sum),
    min: Number(point.min),
    max: Number(point.max),
    buckets: (point.bucketCounts as unknown[]).map(Number),
    bounds: point.explicitBounds as number[],
  };
}

function list(value: unknown): Message[] {
  return (value ?? []) as Message[];
}

function attributesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(list(value).map((one) => [one.key, plain(one.value as Message)]));
}

function plain(value: Message): unknown {
  if (value.arrayValue) return list((value.arrayValue as Message).values).map(plain);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue);
}

type Kind = 'text' | 'hex' | 'number' | 'bool' | 'long' | 'double' | 'int32' | 'longs' | 'doubles';
/** Names by number; a list of fields is a message, `many` one that repeats. */
interface Fields {
  [number: number]: [name: string, kind: Kind | Fields, many?: 'many'];
}

const anyValue: Fields = { 1: ['stringValue', 'text'], 2: ['boolValue', 'bool'], 3: ['intValue', 'number'] };
anyValue[4] = ['doubleValue', 'double'];
anyValue[5] = ['arrayValue', { 1: ['values', anyValue, 'many'] }];
const attribute: Fields = { 1: ['key', 'text'], 2: ['value', anyValue] };
const resource: Fields = { 1: ['attributes', attribute, 'many'] };

const traceFields = inScopes('resourceSpans', 'scopeSpans', 'spans', {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'number'],
  7: ['startTimeUnixNano', 'long'],
  8: ['endTimeUnixNano', 'long'],
  9: ['attributes', attribute, 'many'],
  11: ['events', { 1: ['timeUnixNano', 'long'], 2: ['name', 'text'] }, 'many'],
  15: ['status', { 3: ['code', 'number'] }],
  16: ['flags', 'int32'],
});

const metricFields = inScopes('resourceMetrics', 'scopeMetrics', 'metrics', {
  1: ['name', 'text'],
  2: ['description', 'text'],
  3: ['unit', 'text'],
  9: [
    'histogram',
    {
      1: [
        'dataPoints',
        {
          2: ['startTimeUnixNano', 'long'],
          3: ['timeUnixNano', 'long'],
          4: ['count', 'long'],
          5: ['sum', 'double'],
          6: ['bucketCounts', 'longs'],
          7: ['explicitBounds', 'doubles'],
          9: ['attributes', attribute, 'many'],
          11: ['min', 'double'],
          12: ['max', 'double'],
        },
        'many',
      ],
      2: ['aggregationTemporality', 'number'],
    },
  ],
});

function inScopes(outer: string, scopes: string, items: string, fields: Fields): Fields {
  const scope: Fields = { 1: ['name', 'text'], 2: ['version', 'text'] };
  const inner: Fields = { 1: ['scope', scope], 2: [items, fields, 'many'] };
  return { 1: [outer, { 1: ['resource', resource], 2: [scopes, inner, 'many'] }, 'many'] };
}

/** Written from the description of the wire format, and not from what the program does. */
function protobuf(bytes: Buffer, fields: Fields): Message {
  const message: Message = {};
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [name, kind, many] = fields[Math.floor(tag / 8)] ?? [];
    if (name === undefined || kind === undefined) throw new Error(`unknown field ${Math.floor(tag / 8)}`);
    const length = lengthOf(tag % 8, varint);
    const value = length === undefined ? varint() : bytes.subarray(at, at + length);
    at += length ?? 0;
    const read = readValue(value, kind);
    if (many) message[name] = [...list(message[name]), read];
    else message[name] = read;
  }
  return message;
}

function lengthOf(wireType: number, varint: () => number): number | undefined {
  if (wireType === 0) return undefined;
  return wireType === 1 ? 8 : wireType === 5 ? 4 : varint();
}

function readValue(value: number | Buffer, kind: Kind | Fields): unknown {
  if (typeof value === 'number') return kind === 'bool' ? value === 1 : value;
  if (typeof kind === 'object') return protobuf(value, kind);
  const eights = Array.from({ length: value.length / 8 }, (_, index) => index * 8);
  switch (kind) {
    case 'text':
      return value.toString();
    case 'hex':
      return value.toString('hex');
    case 'int32':
      return value.readUInt32LE();
    case 'long':
      return value.readBigUInt64LE().toString();
    case 'double':
      return value.readDoubleLE();
    case 'longs':
      return eights.map((at) => value.readBigUInt64LE(at));
    case 'doubles':
      return eights.map((at) => value.readDoubleLE(at));
    default:
      throw new Error(`a ${kind} of ${value.length} bytes`);
  }
}
