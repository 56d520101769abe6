import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../core/config.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { wordsIn } from '../../../core/text/text.ts';
import { runCli } from '../../support/run-cli.ts';

const endpoint = 'https://collector.example/base/';

describe('the variables of OpenTelemetry', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-otel-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = (environment: Record<string, string>) => loadConfig({}, { TOLLGATE_HOME: folder, ...environment });
  const read = (environment: Record<string, string>) =>
    load({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment }).telemetry;
  function refusal(environment: Record<string, string>): string {
    try {
      read(environment);
    } catch (error) {
      if (error instanceof AppError) return `${error.text('en')}; ${error.hint('en') ?? ''}`;
    }
    return 'accepted';
  }

  it('have the defaults of the specification', () => {
    expect(read({})).toEqual({
      resource: { 'service.name': 'tollgate' },
      traces: {
        url: 'https://collector.example/base/v1/traces',
        headers: {},
        format: 'protobuf',
        compresses: false,
        timeoutMs: 10_000,
        exportTimeoutMs: 30_000,
        sampler: { followsParent: true, ratio: 1 },
        propagates: true,
        scheduleDelayMs: 5000,
        maxQueueSize: 2048,
        maxBatchSize: 512,
      },
      metrics: {
        url: 'https://collector.example/base/v1/metrics',
        headers: {},
        format: 'protobuf',
        compresses: false,
        timeoutMs: 10_000,
        exportTimeoutMs: 30_000,
        intervalMs: 60_000,
      },
    });
  });

  it('may differ between traces and metrics', () => {
    const { traces, metrics } = read({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'HTTP/JSON',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'B = 2%2C3 ,c=',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: 'none',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '5',
    }) ?? { traces: undefined, metrics: undefined };
    expect(traces).toMatchObject({
      url: 'http://traces.example/',
      format: 'protobuf',
      headers: { b: '2,3', c: '' },
      compresses: true,
      timeoutMs: 10_000,
    });
    expect(metrics).toMatchObject({ format: 'json', headers: { a: '1' }, compresses: false, timeoutMs: 5 });
  });

  it.each([
    [{ OTEL_TRACES_EXPORTER: 'none' }, [false, true]],
    [{ OTEL_METRICS_EXPORTER: 'none' }, [true, false]],
  ])('send one of the two alone: %o', (environment, expected) => {
    const telemetry = read(environment);
    expect([telemetry?.traces !== undefined, telemetry?.metrics !== undefined]).toEqual(expected);
  });

  it.each([
    ['always_on', '0.1', { followsParent: false, ratio: 1 }],
    ['always_off', '0.1', { followsParent: false, ratio: 0 }],
    ['traceidratio', '0.25', { followsParent: false, ratio: 0.25 }],
    ['parentbased_always_off', '1', { followsParent: true, ratio: 0 }],
    ['parentbased_traceidratio', '1e-3', { followsParent: true, ratio: 0.001 }],
  ])('know the sampler %s', (sampler, argument, expected) => {
    const telemetry = read({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument });
    expect(telemetry?.traces?.sampler).toEqual(expected);
  });

  it('name the service over all that is said of it elsewhere', () => {
    const attributes = 'service.name=other,team=a%3Db';
    expect(read({ OTEL_RESOURCE_ATTRIBUTES: attributes })?.resource).toEqual({ 'service.name': 'other', team: 'a=b' });
    expect(read({ OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'mine' })?.resource).toEqual({
      'service.name': 'mine',
      team: 'a=b',
    });
  });

  it('refuse gRPC and say what to use instead', () => {
    const said = refusal({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(said).toContain('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but Tollgate sends telemetry over HTTP only');
    expect(said).toContain('set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json');
    expect(refusal({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' })).toContain('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is');
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'http://localhost:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'thrift', 'http/protobuf, http/json'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', 'gzip, none'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', 'a whole number from 1'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'otlp, none'],
    ['OTEL_METRICS_EXPORTER', 'prometheus', 'otlp, none'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'always_on, always_off, traceidratio'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'nonsense', 'name=value,name=value'],
    ['OTEL_PROPAGATORS', 'b3', 'tracecontext, baggage, none'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', 'a whole number from 1'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '-1', 'a whole number from 1'],
    ['OTEL_SDK_DISABLED', 'maybe', 'true, false'],
  ])('refuse %s with the value %s and say what is allowed', (name, value, allowed) => {
    const said = refusal({ [name]: value });
    expect(said).toContain(`${name} is "${value}"`);
    expect(said).toContain(allowed);
  });

  it('refuse a share that is none', () => {
    for (const OTEL_TRACES_SAMPLER_ARG of ['1.5', '-1', 'half', '0x1'])
      expect(refusal({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG })).toContain(
        'a number from 0 to 1',
      );
  });

  it('never repeat a secret', () => {
    expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'planted' })).not.toContain('planted');
    expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'a=planted%0d%0ab' })).not.toContain('planted');
    expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:planted@host' })).not.toContain('planted');
  });

  it('are not checked while nothing is sent', () => {
    const wrong = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'mine' };
    expect(load(wrong).telemetry).toBeUndefined();
    expect(read({ ...wrong, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(read({ ...wrong, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })).toBeUndefined();
  });

  it('warn of an exporter that has no address', () => {
    const { warnings } = load({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'none' });
    expect(warnings.map(({ text }) => wordsIn('en', text))).toEqual([
      'OTEL_TRACES_EXPORTER is set but has no effect without OTEL_EXPORTER_OTLP_ENDPOINT',
    ]);
    expect(load({}).warnings).toEqual([]);
  });

  it('are shown by `config show` and checked by `config check`, without the secrets in them', async () => {
    const env = {
      TOLLGATE_HOME: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=planted',
      OTEL_BSP_SCHEDULE_DELAY: 'soon',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    };
    const check = await runCli('config check --json', { env });
    const { items } = check.json<{ items: { check: string; status: string; message: string }[] }>();
    expect(items.filter(({ status }) => status === 'fail').map(({ check: name }) => name)).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_BSP_SCHEDULE_DELAY',
    ]);
    expect(check.stdout).not.toContain('planted');
    const show = await runCli('config show --json', { env: { TOLLGATE_HOME: folder, OTEL_SERVICE_NAME: 'mine' } });
    const { items: shown } = show.json<{ items: { name: string; value: string }[] }>();
    expect(shown).toContainEqual(expect.objectContaining({ name: 'OTEL_SERVICE_NAME', value: 'mine' }));
    expect(shown).toContainEqual(expect.objectContaining({ name: 'OTEL_BSP_SCHEDULE_DELAY', value: '5000' }));
    const unset = await runCli('config show --json', { env: { TOLLGATE_HOME: folder } });
    expect(unset.json<{ items: object[] }>().items).toContainEqual(
      expect.objectContaining({ name: 'OTEL_SERVICE_NAME', value: 'tollgate', source: 'default' }),
    );
  });
});
