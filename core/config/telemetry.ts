import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';
import { pairsOf } from './pair-list.ts';
import type { Read } from './reader.ts';
import { choice, whole } from './value.ts';

/** Where one kind of telemetry goes, and how (OTLP over HTTP). */
export interface CollectorConfig {
  url: string;
  headers: Record<string, string>;
  format: 'json' | 'protobuf';
  compresses: boolean;
  /** For one request. */
  timeoutMs: number;
  /** For one batch with all its retries. */
  exportTimeoutMs: number;
}

export interface SamplerConfig {
  /** A caller that sends a trace context has decided already. */
  followsParent: boolean;
  /** Share of the traces that begin here, from 0 to 1. */
  ratio: number;
}

export interface TraceConfig extends CollectorConfig {
  sampler: SamplerConfig;
  /** Takes the `traceparent` of clients and sends our own to upstreams. */
  propagates: boolean;
  scheduleDelayMs: number;
  maxQueueSize: number;
  maxBatchSize: number;
}

export interface MetricConfig extends CollectorConfig {
  intervalMs: number;
}

export interface TelemetryConfig {
  /** What the telemetry says of this service, its name included. */
  resource: Record<string, string>;
  traces: TraceConfig | undefined;
  metrics: MetricConfig | undefined;
}

/** The variables of the OpenTelemetry specification that are read, with their defaults. */
const defaults = {
  OTEL_SDK_DISABLED: 'false',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: '',
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: '',
  OTEL_EXPORTER_OTLP_HEADERS: '',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: '',
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: '',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: '',
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: '',
  OTEL_EXPORTER_OTLP_TIMEOUT: '10000',
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '',
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '',
  OTEL_SERVICE_NAME: '',
  OTEL_RESOURCE_ATTRIBUTES: '',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: '1',
  OTEL_PROPAGATORS: 'tracecontext',
  OTEL_BSP_SCHEDULE_DELAY: '5000',
  OTEL_BSP_EXPORT_TIMEOUT: '30000',
  OTEL_BSP_MAX_QUEUE_SIZE: '2048',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '512',
  OTEL_METRIC_EXPORT_INTERVAL: '60000',
  OTEL_METRIC_EXPORT_TIMEOUT: '30000',
};

type VariableName = keyof typeof defaults;
export type TelemetryVariables = Record<VariableName, string>;

const names = Object.keys(defaults) as VariableName[];
const maxMs = 3_600_000;

export function readTelemetry(read: Read): TelemetryVariables {
  return Object.fromEntries(names.map((name) => [name, read(name)?.trim() || defaults[name]])) as TelemetryVariables;
}

/** Undefined when nothing is sent; then no variable is checked, as they may be meant for other programs on the machine. */
export function telemetryOf(variables: TelemetryVariables): TelemetryConfig | undefined {
  const isOff = choice('OTEL_SDK_DISABLED', variables.OTEL_SDK_DISABLED.toLowerCase(), 'false', ['true', 'false']);
  if (isOff === 'true') return undefined;
  const traces = tracesOf(variables);
  const metrics = metricsOf(variables);
  return traces || metrics ? { resource: resourceOf(variables), traces, metrics } : undefined;
}

/** Exporters that were asked for and have no address to send to. */
export function withoutEndpoint(variables: TelemetryVariables, isSet: (name: string) => boolean): string[] {
  if (variables.OTEL_SDK_DISABLED.toLowerCase() === 'true') return [];
  return (['TRACES', 'METRICS'] as const)
    .filter((signal) => endpointOf(variables, signal) === undefined)
    .map((signal) => `OTEL_${signal}_EXPORTER` as const)
    .filter((name) => isSet(name) && variables[name].toLowerCase() !== 'none');
}

function tracesOf(variables: TelemetryVariables): TraceConfig | undefined {
  const collector = collectorOf(variables, 'TRACES', 'OTEL_BSP_EXPORT_TIMEOUT');
  if (!collector) return undefined;
  const maxQueueSize = count(variables, 'OTEL_BSP_MAX_QUEUE_SIZE', 1, 1_000_000);
  return {
    ...collector,
    sampler: samplerOf(variables),
    propagates: propagatesOf(variables),
    scheduleDelayMs: count(variables, 'OTEL_BSP_SCHEDULE_DELAY', 1, maxMs),
    maxQueueSize,
    maxBatchSize: Math.min(maxQueueSize, count(variables, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1, 100_000)),
  };
}

function metricsOf(variables: TelemetryVariables): MetricConfig | undefined {
  const collector = collectorOf(variables, 'METRICS', 'OTEL_METRIC_EXPORT_TIMEOUT');
  return collector && { ...collector, intervalMs: count(variables, 'OTEL_METRIC_EXPORT_INTERVAL', 1, maxMs) };
}

function collectorOf(
  variables: TelemetryVariables,
  signal: 'TRACES' | 'METRICS',
  exportTimeout: VariableName,
): CollectorConfig | undefined {
  const url = endpointOf(variables, signal);
  if (url === undefined) return undefined;
  const exporter = `OTEL_${signal}_EXPORTER` as const;
  if (choice(exporter, variables[exporter].toLowerCase(), 'otlp', ['otlp', 'none']) === 'none') return undefined;
  const compression = ownOrShared(variables, signal, 'COMPRESSION');
  return {
    url,
    headers: headersOf(ownOrShared(variables, signal, 'HEADERS')),
    format: formatOf(ownOrShared(variables, signal, 'PROTOCOL')),
    compresses: choice(compression.name, compression.value.toLowerCase(), 'none', ['gzip', 'none']) === 'gzip',
    timeoutMs: wholeOf(ownOrShared(variables, signal, 'TIMEOUT'), 1, maxMs),
    exportTimeoutMs: count(variables, exportTimeout, 1, maxMs),
  };
}

interface Value {
  name: string;
  value: string;
}

/** The variable of the one signal, else the one for both. */
function ownOrShared(
  variables: TelemetryVariables,
  signal: 'TRACES' | 'METRICS',
  what: 'HEADERS' | 'PROTOCOL' | 'COMPRESSION' | 'TIMEOUT',
): Value {
  const own = `OTEL_EXPORTER_OTLP_${signal}_${what}` as const;
  const name = variables[own] === '' ? (`OTEL_EXPORTER_OTLP_${what}` as const) : own;
  return { name, value: variables[name] };
}

/** The address for one signal is used as it is, the one for both gets the path of the signal. */
function endpointOf(variables: TelemetryVariables, signal: 'TRACES' | 'METRICS'): string | undefined {
  const own = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT` as const;
  if (variables[own] !== '') return addressOf({ name: own, value: variables[own] }).href;
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  if (variables[name] === '') return undefined;
  const url = addressOf({ name, value: variables[name] });
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`;
  return url.href;
}

function addressOf({ name, value }: Value): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // A name and a password in an address end up in logs; OTEL_EXPORTER_OTLP_HEADERS is the place for them.
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash) return url;
  const shown = url?.password ? '********' : value;
  throw new AppError('config.invalid', { name, value: shown, allowed: coded('input.collectorAddress') });
}

function formatOf({ name, value }: Value): CollectorConfig['format'] {
  const protocol = value.toLowerCase();
  if (protocol === 'grpc') throw new AppError('config.otlpGrpc', { name });
  return choice(name, protocol, 'http/protobuf', ['http/protobuf', 'http/json']) === 'http/json' ? 'json' : 'protobuf';
}

const headerName = /^[!#$%&'*+.^`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function headersOf({ name, value }: Value): Record<string, string> {
  const pairs = pairsOf(value);
  const isRight = pairs?.every(([key, text]) => headerName.test(key) && headerValue.test(text));
  // Most often a secret: it is not repeated.
  if (!pairs || !isRight) throw notPairs({ name, value: '********' });
  return Object.fromEntries(pairs.map(([key, text]) => [key.toLowerCase(), text]));
}

function resourceOf(variables: TelemetryVariables): Record<string, string> {
  const name = 'OTEL_RESOURCE_ATTRIBUTES';
  const pairs = pairsOf(variables[name]);
  if (!pairs) throw notPairs({ name, value: variables[name] });
  return { ...Object.fromEntries(pairs), 'service.name': serviceNameOf(variables) };
}

/** The name that the telemetry carries: the one that is set, else the one among the attributes, else ours. */
export function serviceNameOf({
  OTEL_SERVICE_NAME: own,
  OTEL_RESOURCE_ATTRIBUTES: attributes,
}: TelemetryVariables): string {
  const pairs = Object.fromEntries(pairsOf(attributes) ?? []);
  return own || (pairs['service.name'] ?? 'tollgate');
}

function notPairs({ name, value }: Value): AppError {
  return new AppError('config.invalid', { name, value, allowed: coded('input.namesAndValues') });
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

function samplerOf(variables: TelemetryVariables): SamplerConfig {
  const name = 'OTEL_TRACES_SAMPLER';
  const sampler = choice(name, variables[name].toLowerCase(), 'parentbased_always_on', samplers);
  const followsParent = sampler.startsWith('parentbased_');
  if (!sampler.endsWith('traceidratio')) return { followsParent, ratio: sampler.endsWith('always_on') ? 1 : 0 };
  const argument = variables.OTEL_TRACES_SAMPLER_ARG;
  const ratio = /^(\d+\.?\d*|\.\d+)(e-\d+)?$/i.test(argument) ? Number(argument) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return { followsParent, ratio };
  const allowed = coded('input.ratio');
  throw new AppError('config.invalid', { name: 'OTEL_TRACES_SAMPLER_ARG', value: argument, allowed });
}

/** Baggage is never passed on, so asking for it changes nothing. */
function propagatesOf(variables: TelemetryVariables): boolean {
  const name = 'OTEL_PROPAGATORS';
  const wanted = variables[name].split(',').map((part) => part.trim().toLowerCase());
  for (const one of wanted) choice(name, one, 'tracecontext', ['tracecontext', 'baggage', 'none']);
  return wanted.includes('tracecontext');
}

function count(variables: TelemetryVariables, name: VariableName, min: number, max: number): number {
  return wholeOf({ name, value: variables[name] }, min, max);
}

function wholeOf({ name, value }: Value, min: number, max: number): number {
  return whole(name, value, min, min, max);
}
