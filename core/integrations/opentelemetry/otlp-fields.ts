/** How a field is written: a kind of value, or the fields of a message inside it. */
export type FieldKind = 'string' | 'bool' | 'varint' | 'double' | 'fixed32' | 'fixed64' | 'hex';

/** The fields of a protobuf message by the names that its JSON form has: number and kind. */
export interface MessageFields {
  readonly [name: string]: readonly [number: number, kind: FieldKind | MessageFields];
}

// From opentelemetry-proto 1.x: common, resource, trace and metrics. Numbers of a released message never change.

const anyValue: MessageFields = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'varint'],
  doubleValue: [4, 'double'],
  // A list of lists is not written by us.
  arrayValue: [5, { values: [1, { stringValue: [1, 'string'] }] }],
};
const keyValue: MessageFields = { key: [1, 'string'], value: [2, anyValue] };
const resource: MessageFields = { attributes: [1, keyValue] };
const scope: MessageFields = { name: [1, 'string'], version: [2, 'string'] };

const span: MessageFields = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  traceState: [3, 'string'],
  parentSpanId: [4, 'hex'],
  name: [5, 'string'],
  kind: [6, 'varint'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, keyValue],
  events: [11, { timeUnixNano: [1, 'fixed64'], name: [2, 'string'] }],
  status: [15, { code: [3, 'varint'] }],
  flags: [16, 'fixed32'],
};

export const traceRequest: MessageFields = {
  resourceSpans: [1, { resource: [1, resource], scopeSpans: [2, { scope: [1, scope], spans: [2, span] }] }],
};

const dataPoint: MessageFields = {
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'fixed64'],
  explicitBounds: [7, 'double'],
  attributes: [9, keyValue],
  min: [11, 'double'],
  max: [12, 'double'],
};
const metric: MessageFields = {
  name: [1, 'string'],
  description: [2, 'string'],
  unit: [3, 'string'],
  histogram: [9, { dataPoints: [1, dataPoint], aggregationTemporality: [2, 'varint'] }],
};

export const metricsRequest: MessageFields = {
  resourceMetrics: [1, { resource: [1, resource], scopeMetrics: [2, { scope: [1, scope], metrics: [2, metric] }] }],
};
