import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeCollector, type SeenPoint, startFakeCollector } from '../../../support/fake-collector.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { fixture } from '../../../support/upstream-script.ts';

describe.each(['http/json', 'http/protobuf'])('the metrics of calls over %s', (protocol) => {
  let collector: FakeCollector;
  let gateway: TestGateway;
  beforeAll(async () => {
    collector = await startFakeCollector();
    gateway = await startGateway('sqlite', {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/own/path`,
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
      OTEL_METRIC_EXPORT_INTERVAL: '20',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await collector.close();
  });

  const pointsOf = (name: string) => collector.metrics.find((metric) => metric.name === name)?.points ?? [];
  const countOf = (points: SeenPoint[]) => points.reduce((sum, { count }) => sum + count, 0);
  const calls = (count: number) =>
    collector.waitFor(() => countOf(pointsOf('gen_ai.server.request.duration')) === count);

  it('measure duration and tokens of calls, and the duration of attempts', async () => {
    await (await gateway.chat()).text();
    await calls(1);
    const [row] = await gateway.logs();
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
    };
    expect(pointsOf('gen_ai.client.operation.duration')).toMatchObject([
      {
        attributes: { ...common, 'server.address': '127.0.0.1', 'server.port': gateway.upstream.port },
        count: 1,
        bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
      },
    ]);
    expect(pointsOf('gen_ai.client.token.usage')).toMatchObject([
      { attributes: { ...common, 'gen_ai.token.type': 'input' }, count: 1, sum: row?.prompt_tokens },
      { attributes: { ...common, 'gen_ai.token.type': 'output' }, count: 1, sum: row?.completion_tokens },
    ]);
    expect(collector.metrics.map(({ name, unit, isCumulative }) => [name, unit, isCumulative])).toEqual([
      ['gen_ai.client.operation.duration', 's', true],
      ['gen_ai.client.token.usage', '{token}', true],
      ['gen_ai.server.request.duration', 's', true],
    ]);
    const [duration] = pointsOf('gen_ai.server.request.duration');
    expect(duration?.attributes).toEqual(common);
    expect(duration?.buckets.length).toBe((duration?.bounds.length ?? 0) + 1);
    expect(duration?.buckets.reduce((sum, one) => sum + one)).toBe(1);
    expect(duration?.min).toBe(duration?.max);
    expect(duration?.sum).toBeCloseTo(duration?.min ?? 0);
  });

  it('measure the first token of a stream, and the time of each one after it', async () => {
    gateway.upstream.respond(fixture('openai/chat.sse', { delayMs: 5 }));
    await (await gateway.chat({ stream: true })).text();
    await calls(2);
    const [first] = pointsOf('gen_ai.server.time_to_first_token');
    const [each] = pointsOf('gen_ai.server.time_per_output_token');
    expect(first).toMatchObject({ count: 1, attributes: { 'gen_ai.request.model': 'gpt-4o-mini' } });
    expect(first?.bounds).toEqual([
      0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]);
    expect(each).toMatchObject({ count: 1 });
    const row = await gateway.lastLog();
    const [duration] = pointsOf('gen_ai.server.request.duration');
    const rest = (each?.sum ?? 0) * ((row?.completion_tokens ?? 0) - 1);
    expect(rest).toBeGreaterThan(0);
    expect(rest + (first?.sum ?? 0)).toBeLessThanOrEqual(duration?.max ?? 0);
  });

  it('tell failures apart by their kind, and count no tokens for them', async () => {
    const before = countOf(pointsOf('gen_ai.client.token.usage'));
    gateway.upstream.always({ status: 500 });
    await (await gateway.chat()).text();
    await calls(3);
    expect(countOf(pointsOf('gen_ai.client.token.usage'))).toBe(before);
    const failed = pointsOf('gen_ai.server.request.duration').filter(({ attributes }) => attributes['error.type']);
    expect(failed).toMatchObject([{ count: 1, attributes: { 'error.type': '500' } }]);
    const attempts = pointsOf('gen_ai.client.operation.duration').filter(({ attributes }) => attributes['error.type']);
    expect(countOf(attempts)).toBe(gateway.upstream.requests.length - 2);
  });

  it('name no model that a caller made up', async () => {
    gateway.upstream.reset();
    await gateway.addChannel({ models: 'gpt-4-gizmo-*' });
    await (await gateway.chat({ model: 'gpt-4-gizmo-planted' })).text();
    await (await gateway.chat({ model: 'planted' })).text();
    await calls(5);
    const sent = collector.requests.map(({ body }) => body.toString('latin1')).join();
    expect(sent).not.toContain('planted');
    const other = pointsOf('gen_ai.server.request.duration').filter(
      ({ attributes }) => attributes['gen_ai.request.model'] === 'other',
    );
    expect(countOf(other)).toBe(2);
  });

  it('go to the address that was set, and send no trace context on where no traces are sent', async () => {
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/own/path']));
    await (await gateway.chat({}, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } })).text();
    expect(gateway.upstream.requests.at(-1)?.headers.traceparent).toBeUndefined();
  });
});
