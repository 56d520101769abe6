import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCollector, startFakeCollector } from '../../../support/fake-collector.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const root = join(import.meta.dirname, '../../../..');
const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('telemetry', () => {
  let collector: FakeCollector;
  let gateway: TestGateway | undefined;
  beforeEach(async () => {
    collector = await startFakeCollector();
  });
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
    await collector.close();
  });

  async function callWith(environment: Record<string, string>): Promise<TestGateway> {
    const started = await startGateway('sqlite', { OTEL_BSP_SCHEDULE_DELAY: '5', ...environment });
    gateway = started;
    await (await started.chat({}, { headers: { traceparent, tracestate: 'a=b' } })).text();
    return started;
  }

  it.each([
    ['no collector is set', () => ({})],
    ['it is disabled', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'TRUE' })],
    [
      'both exporters are none',
      () => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
      }),
    ],
  ])('is off where %s: nothing is sent, counted or handed on', async (_name, environment) => {
    const { upstream, url, app, stop } = await callWith(environment());
    expect(app.config.telemetry).toBeUndefined();
    expect(upstream.requests[0]?.headers).not.toHaveProperty('traceparent');
    expect(upstream.requests[0]?.headers).not.toHaveProperty('tracestate');
    expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('tollgate_otel');
    gateway = undefined;
    await stop();
    expect(collector.requests).toEqual([]);
  });

  it('hands no trace context on where propagation is off, and follows none', async () => {
    const { upstream } = await callWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_PROPAGATORS: 'none' });
    const spans = await collector.waitForCall();
    expect(upstream.requests[0]?.headers).not.toHaveProperty('traceparent');
    expect(spans.at(-1)).toMatchObject({ parentSpanId: '' });
  });

  it('sends no span that the sampler leaves out, and tells the upstream so', async () => {
    const { upstream, stop } = await callWith({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    expect(upstream.requests[0]?.headers.traceparent).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-00$`));
    gateway = undefined;
    await stop();
    expect(collector.requests).toEqual([]);
  });

  it('is loaded by nothing but the one door that first looks whether a collector is set', () => {
    const sources = readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const own = /^(?:integrations\/opentelemetry|relay\/telemetry)\//;
    // `import type` is gone when the program runs.
    const loading = /^(?:import|export) (?!type )[^;]*?from '[^']*(?:\/opentelemetry\/|\/telemetry\/)[^']*';/gm;
    const found = sources
      .filter((name) => !own.test(name))
      .filter((name) => loading.test(readFileSync(join(root, 'core', name), 'utf8')));
    expect(found).toEqual([]);
    const door = readFileSync(join(root, 'core/gateway/telemetry.ts'), 'utf8');
    expect(door.indexOf('if (!config.telemetry) return undefined')).toBeLessThan(door.indexOf('await import('));
    expect(door).toContain('if (!config.telemetry) return undefined');
  });
});
