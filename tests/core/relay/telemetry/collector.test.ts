import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCollector, startFakeCollector } from '../../../support/fake-collector.ts';
import { freePort } from '../../../support/postgres.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

describe('a collector', () => {
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

  /** Nothing but the end of the server ends a wait. */
  const patient = {
    OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
    OTEL_BSP_EXPORT_TIMEOUT: '3600000',
    OTEL_METRIC_EXPORT_TIMEOUT: '3600000',
  };

  async function start(environment: Record<string, string> = {}): Promise<TestGateway> {
    gateway = await startGateway('sqlite', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      ...environment,
    });
    return gateway;
  }

  async function spansIn(outcome: string): Promise<number> {
    const text = await (await fetch(`${gateway?.url}/metrics`)).text();
    return Number(new RegExp(`^tollgate_otel_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  }

  async function until(what: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await what()); tries += 1) {
      if (tries > 2000) throw new Error('it did not come to that');
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  it.each([429, 502, 503, 504])('that is busy for a moment (%i) gets the spans a second time', async (status) => {
    const { chat } = await start();
    collector.act({ status, headers: { 'retry-after': '1' } });
    await (await chat()).text();
    await collector.waitForCall();
    expect(collector.requests.length).toBe(2);
    expect(collector.requests[0]?.body).toEqual(collector.requests[1]?.body);
    expect([await spansIn('sent'), await spansIn('failed'), await spansIn('dropped')]).toEqual([5, 0, 0]);
  });

  it.each([400, 401, 307])('that refuses (%i) is not asked again', async (status) => {
    const { chat } = await start();
    collector.act({ status, headers: { location: `${collector.url}/elsewhere` } });
    await (await chat()).text();
    await until(async () => (await spansIn('failed')) === 5);
    expect(collector.requests.length).toBe(1);
    await (await chat()).text();
    await collector.waitForCall();
    expect(await spansIn('sent')).toBe(5);
  });

  it('that stays silent delays no call; what finds no room in the queue is dropped and counted', async () => {
    const { chat } = await start({ OTEL_BSP_MAX_QUEUE_SIZE: '20', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' });
    collector.always('stall');
    for (let call = 0; call < 8; call += 1) expect((await chat()).status).toBe(200);
    // Five spans each: one batch is on its way, four wait.
    expect(await spansIn('dropped')).toBe(15);
    expect(collector.requests.length).toBe(1);
  });

  it('that is silent ends no later than its timeout, and the spans are sent again', async () => {
    const { chat } = await start({ OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '50' });
    collector.act('stall');
    await (await chat()).text();
    await collector.waitForCall();
    expect(collector.requests.length).toBe(2);
  });

  it('that is gone fails no call and does not keep the server from stopping', async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const { chat, stop } = await start({ ...patient, OTEL_EXPORTER_OTLP_ENDPOINT: address });
    for (let call = 0; call < 3; call += 1) expect((await chat()).status).toBe(200);
    gateway = undefined;
    await stop();
  });

  it('that asks for patience is asked once more when the server stops, and not waited for', async () => {
    const { chat, stop } = await start(patient);
    collector.always({ status: 503, headers: { 'retry-after': '3000' } });
    await (await chat()).text();
    await collector.waitFor(() => collector.requests.length === 1);
    gateway = undefined;
    await stop();
    expect(collector.requests.length).toBe(2);
  });

  it('that is silent keeps the server from stopping for two seconds and no longer', async () => {
    const { chat, stop } = await start({ ...patient, OTEL_METRICS_EXPORTER: 'otlp' });
    collector.always('stall');
    expect((await chat()).status).toBe(200);
    gateway = undefined;
    await stop();
    expect(collector.requests.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces']);
  });

  it('gets what is left when the server stops', async () => {
    const { chat, stop } = await start({
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '3',
      OTEL_BSP_MAX_QUEUE_SIZE: '2048',
      OTEL_METRIC_EXPORT_INTERVAL: '3600000',
    });
    await (await chat()).text();
    gateway = undefined;
    await stop();
    expect(collector.spans.length).toBe(5);
    expect(collector.metrics.map(({ name }) => name)).toContain('gen_ai.server.request.duration');
  });
});
