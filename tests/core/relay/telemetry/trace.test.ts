import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCollector, type SeenSpan, startFakeCollector } from '../../../support/fake-collector.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { fixture } from '../../../support/upstream-script.ts';

const server = 2;
const client = 3;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

describe.each(['http/json', 'http/protobuf'])('the traces of calls over %s', (protocol) => {
  let collector: FakeCollector;
  let gateway: TestGateway;
  beforeAll(async () => {
    collector = await startFakeCollector();
    gateway = await startGateway('sqlite', {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: protocol === 'http/json' ? 'none' : 'gzip',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue%2Cgreen, Authorization=Bearer%20collector-secret',
      OTEL_SERVICE_NAME: 'gateway-under-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%2Cb',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await collector.close();
  });
  beforeEach(() => {
    collector.reset();
    gateway.upstream.reset();
  });

  const rootOf = (spans: SeenSpan[]) => spans.find(({ kind }) => kind === server) as SeenSpan;
  const attemptsOf = (spans: SeenSpan[]) => spans.filter(({ kind }) => kind === client);
  const namesOf = (spans: SeenSpan[]) =>
    [...spans].sort((one, other) => one.start - other.start || other.end - one.end).map(({ name }) => name);

  it('have a span for the call and one for each of its steps', async () => {
    const before = await gateway.quotaOf(gateway.userId);
    const response = await gateway.chat();
    await response.text();
    const spans = await collector.waitForCall();
    expect(namesOf(spans)).toEqual([
      'chat gpt-4o-mini',
      'hold quota',
      'choose channel',
      'chat gpt-4o-mini',
      'settle quota',
    ]);
    const root = rootOf(spans);
    const [row] = (await gateway.logs()).slice(-1);
    expect(root).toMatchObject({
      name: 'chat gpt-4o-mini',
      parentSpanId: '',
      isError: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o-mini',
        'gen_ai.response.model': 'gpt-4o-mini',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': row?.prompt_tokens,
        'gen_ai.usage.output_tokens': row?.completion_tokens,
        'http.response.status_code': 200,
        'tollgate.request.id': response.headers.get('x-request-id'),
        'tollgate.user.id': gateway.userId,
        'tollgate.token.id': 1,
        'tollgate.group': 'default',
        'tollgate.protocol': 'openai-chat',
        'tollgate.channel.id': 1,
        'tollgate.quota': before - (await gateway.quotaOf(gateway.userId)),
        'tollgate.outcome': 'complete',
        'tollgate.usage.source': 'upstream',
      },
      resource: {
        'service.name': 'gateway-under-test',
        'deployment.environment.name': 'test',
        team: 'a,b',
        'telemetry.sdk.language': 'nodejs',
      },
    });
    const children = spans.filter((span) => span !== root);
    expect(children.every((span) => span.parentSpanId === root.spanId && span.traceId === root.traceId)).toBe(true);
    expect(children.every((span) => span.start >= root.start && span.end <= root.end + 0.001)).toBe(true);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(5);
    expect(Math.abs(root.end - Date.now())).toBeLessThan(60_000);
  });

  it('say of an attempt where it went, and tell the upstream of the span', async () => {
    await (await gateway.chat()).text();
    const spans = await collector.waitForCall();
    const [attempt] = attemptsOf(spans);
    expect(attempt).toMatchObject({
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o-mini',
        'gen_ai.response.model': 'gpt-4o-mini',
        'server.address': '127.0.0.1',
        'server.port': gateway.upstream.port,
        'http.response.status_code': 200,
        'tollgate.channel.id': 1,
        'tollgate.attempt.number': 1,
        'tollgate.outcome': 'complete',
      },
      isError: false,
    });
    const [request] = gateway.upstream.requests;
    expect(request?.headers.traceparent).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`);
    expect(request?.headers.tracestate).toBeUndefined();
  });

  it('are sent to the path of traces, with the headers that were set', async () => {
    await (await gateway.chat()).text();
    await collector.waitForCall();
    const [request] = collector.requests;
    expect(request?.path).toBe('/otlp/v1/traces');
    expect(request?.headers).toMatchObject({
      'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
      'x-tenant': 'blue,green',
      authorization: 'Bearer collector-secret',
    });
    expect(request?.headers['content-encoding']).toBe(protocol === 'http/json' ? undefined : 'gzip');
  });

  it('continue the trace of the client', async () => {
    const traceparent = `00-${traceId}-${parentId}-01`;
    await (await gateway.chat({}, { headers: { traceparent, tracestate: 'vendor=abc' } })).text();
    const spans = await collector.waitForCall();
    const root = rootOf(spans);
    expect(root).toMatchObject({ traceId, parentSpanId: parentId, traceState: 'vendor=abc', flags: 0x301 });
    const [attempt] = attemptsOf(spans);
    const { headers } = gateway.upstream.requests[0] ?? { headers: {} };
    expect(headers).toMatchObject({ traceparent: `00-${traceId}-${attempt?.spanId}-01`, tracestate: 'vendor=abc' });
  });

  it('that the client does not record are not sent, and the upstream is told so', async () => {
    await (await gateway.chat({}, { headers: { traceparent: `00-${traceId}-${parentId}-00` } })).text();
    expect(gateway.upstream.requests[0]?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    await (await gateway.chat()).text();
    const spans = await collector.waitForCall();
    expect(spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it.each([
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    'nonsense',
  ])('start a new trace for a traceparent that is not valid: %s', async (traceparent) => {
    await (await gateway.chat({}, { headers: { traceparent, tracestate: 'vendor=abc' } })).text();
    const root = rootOf(await collector.waitForCall());
    expect(root).toMatchObject({ parentSpanId: '', traceState: '' });
    expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(root.traceId).not.toBe(traceId);
  });

  it('mark the first token of a stream', async () => {
    const response = await gateway.chat({ stream: true, stream_options: { include_usage: true } });
    await response.text();
    const spans = await collector.waitForCall();
    const [attempt] = attemptsOf(spans);
    for (const span of [rootOf(spans), attempt as SeenSpan]) {
      expect(span.events.map(({ name }) => name)).toEqual(['gen_ai.first_token']);
      expect(span.events[0]?.at).toBeGreaterThanOrEqual((attempt as SeenSpan).start);
      expect(span.events[0]?.at).toBeLessThanOrEqual(span.end);
      expect(span.attributes).toMatchObject({
        'gen_ai.response.model': 'gpt-4o-mini',
        'gen_ai.response.finish_reasons': ['stop'],
      });
    }
  });

  it('have a span for the attempt that failed and one for the channel that took over', async () => {
    const first = await gateway.addChannel({ name: 'first', models: 'gpt-4o', priority: 5 });
    const second = await gateway.addChannel({ name: 'second', models: 'gpt-4o', priority: 1 });
    gateway.upstream.respond({ status: 400, body: Buffer.from('{"error":{"code":"billing_hard_limit_reached"}}') });
    const response = await gateway.chat({ model: 'gpt-4o' });
    expect(response.status).toBe(200);
    await response.text();
    const spans = await collector.waitForCall();
    const attempts = attemptsOf(spans);
    expect(attempts).toMatchObject([
      {
        isError: true,
        attributes: {
          'error.type': '400',
          'http.response.status_code': 400,
          'tollgate.upstream.error_code': 'billing_hard_limit_reached',
          'tollgate.channel.id': first,
          'tollgate.outcome': 'failed',
        },
      },
      { isError: false, attributes: { 'tollgate.channel.id': second, 'tollgate.attempt.number': 2 } },
    ]);
    expect(spans.filter(({ name }) => name === 'choose channel').map(({ attributes }) => attributes)).toEqual([
      { 'tollgate.channel.id': first },
      { 'tollgate.channel.id': second },
    ]);
    expect(rootOf(spans)).toMatchObject({
      isError: false,
      attributes: { 'tollgate.channel.id': second, 'http.response.status_code': 200 },
    });
    const parents = gateway.upstream.requests.map(({ headers }) => headers.traceparent);
    expect(parents).toEqual(attempts.map((span) => `00-${span.traceId}-${span.spanId}-01`));
  });

  it('end with the error when every attempt failed', async () => {
    const only = await gateway.addChannel({ name: 'only', models: 'gpt-4.1' });
    gateway.upstream.always({ status: 503, body: Buffer.from('{"error":{"message":"words of the upstream"}}') });
    const response = await gateway.chat({ model: 'gpt-4.1' });
    await response.text();
    const spans = await collector.waitForCall();
    expect(rootOf(spans)).toMatchObject({
      isError: true,
      attributes: {
        'error.type': '503',
        'http.response.status_code': response.status,
        'tollgate.channel.id': only,
        'tollgate.outcome': 'upstream',
        'tollgate.quota': 0,
      },
    });
    expect(attemptsOf(spans).length).toBe(gateway.upstream.requests.length);
    expect(namesOf(spans)).not.toContain('settle quota');
    expect(JSON.stringify(spans)).not.toContain('words');
  });

  it('show a call that was refused for want of quota as the fault of no server', async () => {
    const poor = await gateway.addUser(`poor-${protocol.slice(5, 9)}`, 1);
    const response = await gateway.chat({}, { key: await gateway.addToken(poor) });
    await response.text();
    const spans = await collector.waitForCall();
    expect(namesOf(spans)).toEqual(['chat gpt-4o-mini', 'hold quota']);
    expect(rootOf(spans)).toMatchObject({
      isError: false,
      attributes: {
        'error.type': 'insufficient_user_quota',
        'http.response.status_code': response.status,
        'tollgate.user.id': poor,
        'tollgate.outcome': 'refused',
      },
    });
    expect(spans.find(({ name }) => name === 'hold quota')).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'user_quota' },
    });
    expect(gateway.upstream.requests).toEqual([]);
  });

  it.each([false, true])('tell of a call that was converted for its upstream (stream: %s)', async (stream) => {
    const response = await gateway.call(
      '/v1/messages',
      { model: 'gpt-4o-mini', max_tokens: 50, stream, messages: [{ role: 'user', content: 'hi' }] },
      { headers: { 'anthropic-version': '2023-06-01' } },
    );
    expect(response.status).toBe(200);
    await response.text();
    const spans = await collector.waitForCall();
    const [row] = (await gateway.logs()).slice(-1);
    expect(rootOf(spans)).toMatchObject({
      name: 'chat gpt-4o-mini',
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.model': 'gpt-4o-mini',
        'gen_ai.usage.output_tokens': row?.completion_tokens,
        'tollgate.protocol': 'anthropic-messages',
      },
    });
    expect(gateway.upstream.requests[0]).toMatchObject({ path: '/v1/chat/completions' });
    expect(gateway.upstream.requests[0]?.headers.traceparent).toContain(attemptsOf(spans)[0]?.spanId);
  });

  it('name the model that the upstream was asked for where it has another name', async () => {
    await gateway.addChannel({ models: 'gpt-4.1-mini', model_mapping: '{"gpt-4.1-mini":"deployment-7"}' });
    await (await gateway.chat({ model: 'gpt-4.1-mini' })).text();
    const spans = await collector.waitForCall();
    expect(rootOf(spans)).toMatchObject({ attributes: { 'gen_ai.request.model': 'gpt-4.1-mini' } });
    expect(attemptsOf(spans)).toMatchObject([
      { name: 'chat deployment-7', attributes: { 'gen_ai.request.model': 'deployment-7' } },
    ]);
  });

  it('end a stream whose client left without an error', async () => {
    gateway.upstream.respond({ ...fixture('openai/chat.sse'), end: { after: 600, how: 'stall' } });
    const leaving = new AbortController();
    const response = await gateway.chat({ stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    const spans = await collector.waitForCall();
    for (const span of [rootOf(spans), ...attemptsOf(spans)]) {
      expect(span).toMatchObject({ isError: false, attributes: { 'tollgate.outcome': 'clientGone' } });
      expect(span.attributes['error.type']).toBeUndefined();
    }
  });

  it('end a stream that broke off with an error', async () => {
    gateway.upstream.respond({ ...fixture('openai/chat.sse'), end: { after: 600, how: 'cut' } });
    await (await gateway.chat({ stream: true })).text();
    const spans = await collector.waitForCall();
    // Others may be asked to go on where it broke off.
    for (const span of [rootOf(spans), attemptsOf(spans)[0]]) {
      expect(span).toMatchObject({
        isError: true,
        attributes: { 'tollgate.outcome': 'broken', 'error.type': '502', 'gen_ai.response.model': expect.any(String) },
      });
    }
  });

  it('hold no text of prompts and responses, no key and no name or address of a caller', async () => {
    gateway.upstream.defaults.text = 'planted response';
    const secret = { messages: [{ role: 'user', content: 'planted prompt' }], user: 'planted-user' };
    for (const stream of [false, true]) await (await gateway.chat({ ...secret, stream })).text();
    await (await gateway.chat({ ...secret, model: 'planted-model' })).text();
    const spans = await collector.waitForCall(3);
    expect(spans.filter(({ kind }) => kind === server).map(({ name }) => name)).toEqual([
      'chat gpt-4o-mini',
      'chat gpt-4o-mini',
      'chat',
    ]);
    const sent = collector.requests.map(({ body }) => body.toString('latin1')).join();
    for (const text of ['planted', gateway.key, gateway.key.slice(3), 'upstream-key', 'alice', '/v1/chat']) {
      expect(sent).not.toContain(text);
    }
  });
});
