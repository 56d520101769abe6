import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollectorConfig } from '../../config/telemetry.ts';
import { version } from '../../version.ts';
import { type Attributes, keyValues } from './attribute.ts';
import type { OtlpHistogram } from './histogram.ts';
import { metricsRequest, traceRequest } from './otlp-fields.ts';
import { writeProtobuf } from './protobuf.ts';
import { type FinishedSpan, otlpSpan } from './span.ts';

type Format = CollectorConfig['format'];

const scope = { name: 'tollgate', version };
/** A batch is written in pieces of so many spans: all at once would keep the calls waiting for tens of milliseconds. */
const spansInTurn = 32;

export const contentTypes: Record<Format, string> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

export async function traceMessage(
  format: Format,
  resource: Attributes,
  spans: readonly FinishedSpan[],
): Promise<Buffer> {
  const attributes = keyValues(resource);
  const pieces: Buffer[] = [];
  for (let at = 0; at < spans.length; at += spansInTurn) {
    if (at > 0) await nextTurn();
    const part = spans.slice(at, at + spansInTurn).map(otlpSpan);
    const one = { resource: { attributes }, scopeSpans: [{ scope, spans: part }] };
    // One message after another is one message with the lists of both.
    if (format === 'protobuf') pieces.push(writeProtobuf({ resourceSpans: [one] }, traceRequest));
    else pieces.push(Buffer.from(`${at > 0 ? ',' : '{"resourceSpans":['}${JSON.stringify(one)}`));
  }
  if (format === 'json') pieces.push(Buffer.from(']}'));
  return Buffer.concat(pieces);
}

export function metricMessage(format: Format, resource: Attributes, metrics: readonly OtlpHistogram[]): Buffer {
  const message = {
    resourceMetrics: [{ resource: { attributes: keyValues(resource) }, scopeMetrics: [{ scope, metrics }] }],
  };
  return format === 'json' ? Buffer.from(JSON.stringify(message)) : writeProtobuf(message, metricsRequest);
}
