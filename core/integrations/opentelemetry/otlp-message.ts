import type { CollectorConfig } from '../../config/telemetry.ts';
import { version } from '../../version.ts';
import { type Attributes, keyValues } from './attribute.ts';
import type { OtlpHistogram } from './histogram.ts';
import { type MessageFields, metricsRequest, traceRequest } from './otlp-fields.ts';
import { writeProtobuf } from './protobuf.ts';
import type { OtlpSpan } from './span.ts';

type Format = CollectorConfig['format'];

const scope = { name: 'tollgate', version };

export const contentTypes: Record<Format, string> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

export function traceMessage(format: Format, resource: Attributes, spans: readonly OtlpSpan[]): Buffer {
  const message = {
    resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans }] }],
  };
  return written(format, message, traceRequest);
}

export function metricMessage(format: Format, resource: Attributes, metrics: readonly OtlpHistogram[]): Buffer {
  const message = {
    resourceMetrics: [{ resource: { attributes: keyValues(resource) }, scopeMetrics: [{ scope, metrics }] }],
  };
  return written(format, message, metricsRequest);
}

function written(format: Format, message: Record<string, unknown>, fields: MessageFields): Buffer {
  return format === 'json' ? Buffer.from(JSON.stringify(message)) : writeProtobuf(message, fields);
}
