import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCollector, type SeenSpan, startFakeCollector } from '../../../support/fake-collector.ts';
import { type FakeRealtime, startFakeRealtime } from '../../../support/fake-realtime.ts';
import { openRealtime } from '../../../support/realtime-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('the traces of calls that are no responses', () => {
  let collector: FakeCollector;
  let gateway: TestGateway;
  let sessions: FakeRealtime;
  beforeAll(async () => {
    collector = await startFakeCollector();
    sessions = await startFakeRealtime();
    gateway = await startGateway('sqlite', {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music', key: 'suno-key' });
    await gateway.addChannel({ name: 'realtime', models: 'gpt-4o-realtime-preview', base_url: sessions.url });
  });
  afterAll(async () => {
    await gateway.stop();
    await sessions.close();
    await collector.close();
  });
  beforeEach(() => {
    collector.reset();
    gateway.upstream.reset();
  });

  const namesOf = (spans: SeenSpan[]) => spans.map(({ name }) => name).sort();

  it('show the steps of a job until its vendor has taken it', async () => {
    gateway.upstream.respond(json(200, { code: 'success', message: '', data: '0b1c2d3e-task' }));
    await (await gateway.call('/suno/submit/music', { prompt: '[Verse] la la' }, { headers: { traceparent } })).text();
    const spans = await collector.waitForCall();
    expect(namesOf(spans)).toEqual([
      'choose channel',
      'hold quota',
      'music_generation suno_music',
      'music_generation suno_music',
      'settle quota',
    ]);
    const attempt = spans.find(({ kind }) => kind === 3);
    expect(attempt).toMatchObject({ traceId, attributes: { 'http.response.status_code': 200 }, isError: false });
    expect(gateway.upstream.requests[0]?.headers.traceparent).toBe(`00-${traceId}-${attempt?.spanId}-01`);
    expect(spans.at(-1)).toMatchObject({
      attributes: { 'gen_ai.operation.name': 'music_generation', 'tollgate.outcome': 'complete' },
    });
  });

  it('show a job that its vendor could not take', async () => {
    gateway.upstream.always({ status: 500 });
    await (await gateway.call('/suno/submit/music', { prompt: '[Verse] la la' })).text();
    const spans = await collector.waitForCall();
    expect(spans.find(({ kind }) => kind === 3)).toMatchObject({ isError: true, attributes: { 'error.type': '500' } });
    expect(spans.at(-1)).toMatchObject({ isError: true, attributes: { 'error.type': '500' } });
  });

  it('have one span for a realtime session', async () => {
    const model = 'gpt-4o-realtime-preview';
    const client = await openRealtime(gateway.url, { key: gateway.key, model, headers: { traceparent } });
    await client.next('session.created');
    client.socket.close();
    await client.closed;
    const spans = await collector.waitForCall();
    expect(spans).toMatchObject([
      {
        name: `realtime ${model}`,
        traceId,
        isError: false,
        attributes: { 'gen_ai.provider.name': 'openai', 'http.response.status_code': 101 },
      },
    ]);
    expect(sessions.newest().headers.traceparent).toBeUndefined();
  });
});

it('the log line of a call names its trace', async () => {
  const collector = await startFakeCollector();
  const gateway = await startGateway('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const lines: unknown[] = [];
  gateway.app.logger.log = (_level, text, fields) => void lines.push({ text, ...fields });
  await (await gateway.chat({}, { headers: { traceparent } })).text();
  await gateway.stop();
  expect(lines).toContainEqual(expect.objectContaining({ text: 'relay', trace_id: traceId }));
  await collector.close();
});
