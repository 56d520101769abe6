import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import type { FakeResponse } from '../../../support/upstream-script.ts';
import { failure, fixture, stall } from '../../../support/upstream-script.ts';
import { attemptsOf, expectCharged, expectRefused, waitFor } from '../relay-checks.ts';
import { says, streamOf } from '../responses.ts';

/** After it a caller who leaves says something of the channel. */
const silenceMs = 60;
let gateway: TestGateway;
let cases = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { limits: { headersMs: 6000, slowHeadersMs: 1000, silenceMs } });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** A model of its own with channels that the upstream tells apart by their keys; resolves with model and channel ids. */
async function channelsOf(...inputs: Record<string, unknown>[]): Promise<{ model: string; ids: number[] }> {
  cases += 1;
  const model = `model-${cases}`;
  const ratios = Array.from({ length: cases }, (_, index) => [`model-${index + 1}`, 1]);
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(ratios)));
  const ids: number[] = [];
  for (const [index, input] of inputs.entries()) {
    ids.push(await gateway.addChannel({ name: `c${index}`, key: `key-${index}`, models: model, ...input }));
  }
  return { model, ids };
}

/** The response of each channel by its index; channels not named succeed. */
function responses(byPlace: Record<number, FakeResponse | (() => FakeResponse)>): void {
  gateway.upstream.always((request) => {
    const place = Number(/key-(\d+)$/.exec(request.headers.authorization ?? '')?.[1]);
    const response = byPlace[place];
    if (response) return typeof response === 'function' ? response() : response;
    return fixture((request.json as { stream?: boolean }).stream ? 'openai/chat.sse' : 'openai/chat.json');
  });
}

/** The places of the channels that were asked, in order. */
function asked(): number[] {
  return gateway.upstream.requests.map(({ headers }) => Number(/key-(\d+)$/.exec(headers.authorization ?? '')?.[1]));
}

const broken = failure(500);

describe('the choice of a channel', () => {
  it('takes the highest priority, and a lower one only when that failed', async () => {
    const { model } = await channelsOf({ priority: 1 }, { priority: 9 }, { priority: 5 }, { priority: 9, status: 1 });
    responses({});
    for (let call = 0; call < 8; call += 1) await gateway.chat({ model });
    expect(asked().every((place) => place === 1 || place === 3)).toBe(true);
    gateway.upstream.requests.length = 0;
    responses({ 1: broken, 3: broken });
    expect((await gateway.chat({ model })).status).toBe(200);
    const [first, again, second, last] = asked();
    expect([first, second].sort()).toEqual([1, 3]);
    expect([again, last]).toEqual([first, 2]);
  });

  it('follows the weights within one priority, each with ten added', async () => {
    const { model } = await channelsOf({ weight: 0 }, { weight: 20 });
    responses({});
    for (let call = 0; call < 200; call += 1) await (await gateway.chat({ model })).arrayBuffer();
    // 10 : 30 of 200 calls; six standard deviations around 50.
    const light = asked().filter((place) => place === 0).length;
    expect(light).toBeGreaterThan(13);
    expect(light).toBeLessThan(87);
    await gateway.verifyBooks();
  });

  it('A-062 leaves out what was tried, and ends with the last error when RetryTimes are used up', async () => {
    const { model } = await channelsOf({}, {}, {}, {});
    responses({ 0: broken, 1: broken, 2: broken, 3: broken });
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 500, upstreamCalls: 4 });
    expect(new Set(asked()).size).toBe(3);
    gateway.upstream.requests.length = 0;
    await gateway.setOption('RetryTimes', '0');
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 500, upstreamCalls: 1 });
    await gateway.setOption('RetryTimes', '10');
    gateway.upstream.requests.length = 0;
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 500, upstreamCalls: 5 });
    expect(new Set(asked())).toEqual(new Set([0, 1, 2, 3]));
    await gateway.setOption('RetryTimes', '2');
  });

  it('serves most calls while three of ten channels are down', async () => {
    const { model } = await channelsOf(...new Array(10).fill({}));
    responses({ 0: broken, 4: broken, 8: broken });
    let served = 0;
    for (let call = 0; call < 60; call += 1) served += (await gateway.chat({ model })).status === 200 ? 1 : 0;
    expect(served).toBeGreaterThanOrEqual(54);
    await gateway.verifyBooks();
  });

  it('F11 multiplies a total outage by little: retries stay within 20 and a fifth', async () => {
    const { model } = await channelsOf({}, {});
    gateway.upstream.always(broken);
    const startedAt = performance.now();
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await gateway.chat({ model })).status));
    expect(new Set(statuses)).toEqual(new Set([500]));
    // The budget is one of ten seconds, and a busy machine may take longer than that.
    const budgets = 1 + Math.floor((performance.now() - startedAt) / 10_000);
    expect(gateway.upstream.requests.length).toBeLessThanOrEqual(60 + budgets * (20 + 12 + 1));
    await gateway.verifyBooks();
  });
});

describe('a failed attempt', () => {
  it('is repeated on the same channel once when there is no other', async () => {
    const { model, ids } = await channelsOf({});
    gateway.upstream.respond(broken);
    const response = await gateway.chat({ model });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-tollgate-served')).toBe(`channel=${ids[0]}; model=${model}; attempt=2`);
    expect(attemptsOf(await expectCharged(gateway))).toMatchObject([{ outcome: '500' }, { outcome: 'ok' }]);
  });

  it('is repeated once on a channel that was well, and passed on from one that was not', async () => {
    const { model } = await channelsOf({ priority: 9 }, {});
    let failures = 0;
    const failing = (times: number) => ({
      0: () => {
        failures += 1;
        return failures <= times ? broken : fixture('openai/chat.json');
      },
    });
    responses(failing(1));
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([0, 0]);
    gateway.upstream.requests.length = 0;
    failures = 0;
    responses(failing(3));
    expect((await gateway.chat({ model })).status).toBe(200);
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([0, 0, 1, 0, 1]);
    await gateway.verifyBooks();
  });

  it('is not repeated on the same channel when retries are off', async () => {
    const { model } = await channelsOf({});
    await gateway.setOption('RetryTimes', '0');
    gateway.upstream.respond(broken);
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 500, upstreamCalls: 1 });
    await gateway.setOption('RetryTimes', '2');
  });

  it('is not repeated on a channel that was silent', async () => {
    const { model } = await channelsOf({});
    gateway.upstream.always(stall('headers'));
    await expectRefused(gateway, () => gateway.chat({ model }), { status: 504, upstreamCalls: 1 });
  });

  it('R5 F10 with Retry-After up to 3 s waits on the same channel, even when another one is free', async () => {
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    let limited = true;
    responses({
      0: () => {
        if (!limited) return fixture('openai/chat.json');
        limited = false;
        return failure(429, { headers: { 'retry-after': '1' } });
      },
    });
    const started = Date.now();
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    expect(asked()).toEqual([0, 0]);
    expect((await expectCharged(gateway)).channel_id).toBe(ids[0]);
  });

  it('R5 F10 with a longer Retry-After moves on, and that channel is left alone meanwhile', async () => {
    const { model } = await channelsOf({ priority: 9 }, {});
    responses({ 0: failure(429, { headers: { 'retry-after': '60' } }) });
    expect((await gateway.chat({ model })).status).toBe(200);
    for (let call = 0; call < 3; call += 1) expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([0, 1, 1, 1, 1]);
  });

  it('that names the context length goes to a channel with another model, and to no other', async () => {
    const small = (model: string) => JSON.stringify({ [model]: 'small-8k' });
    const large = (model: string) => JSON.stringify({ [model]: 'large-128k' });
    const name = `model-${cases + 1}`;
    const { model, ids } = await channelsOf(
      { priority: 9, model_mapping: small(name) },
      { priority: 5, model_mapping: small(name) },
      { priority: 1, model_mapping: large(name) },
    );
    const tooLong = fixture('openai/error-context-length.json', { status: 400 });
    responses({ 0: tooLong, 1: tooLong });
    const response = await gateway.chat({ model });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-tollgate-served')).toBe(`channel=${ids[2]}; model=large-128k; attempt=2`);
    expect(asked()).toEqual([0, 2]);
    responses({ 0: tooLong, 1: tooLong, 2: tooLong });
    await expectRefused(gateway, () => gateway.chat({ model }), {
      status: 400,
      code: 'context_length_exceeded',
      upstreamCalls: 2,
    });
  });

  it('that names the context length goes to the larger of two models that are known', async () => {
    const name = `model-${cases + 1}`;
    const mapped = (upstream: string) => JSON.stringify({ [name]: upstream });
    const { model } = await channelsOf(
      { priority: 9, model_mapping: mapped('gpt-4o') },
      { priority: 5, model_mapping: mapped('gpt-4') },
      { priority: 1, model_mapping: mapped('gpt-4.1') },
    );
    responses({ 0: fixture('openai/error-context-length.json', { status: 400 }) });
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([0, 2]);
  });

  it('that was the client’s own error goes back as it is', async () => {
    const { model } = await channelsOf({}, {});
    gateway.upstream.always(fixture('openai/error-unsupported.json', { status: 400 }));
    await expectRefused(gateway, () => gateway.chat({ model }), {
      status: 400,
      code: 'unsupported_parameter',
      param: 'max_tokens',
      upstreamCalls: 1,
    });
  });
});

describe('the option FirstTokenTimeout', () => {
  const begins = streamOf([
    { ...says(''), choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] },
  ]);
  it.each<[string, FakeResponse]>([
    ['says nothing after its headers', stall('body', begins, begins.pieces?.[0]?.length ?? 0)],
    ['sends no headers', { ...begins, firstByteMs: 20_000 }],
  ])('moves a stream to another channel when the first one %s', async (_name, silent) => {
    await gateway.setOption('FirstTokenTimeout', '1');
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    responses({ 0: silent });
    const { text, done } = await collectSse(await gateway.chat({ model, stream: true }));
    expect([text, done]).toEqual(['Hi there. 你好。', 1]);
    const row = await expectCharged(gateway, { prompt: 1024 });
    expect(row.channel_id).toBe(ids[1]);
    expect(gateway.upstream.requests[0]?.aborted).toBe(true);
    await gateway.setOption('FirstTokenTimeout', '0');
  });

  it('does not give up the last channel', async () => {
    await gateway.setOption('FirstTokenTimeout', '1');
    const { model } = await channelsOf({});
    const [first = Buffer.alloc(0), ...rest] = fixture('openai/chat.sse').pieces ?? [];
    responses({ 0: { ...fixture('openai/chat.sse', { delayMs: 1300 }), pieces: [first, Buffer.concat(rest)] } });
    const response = await gateway.chat({ model, stream: true });
    expect(response.status).toBe(200);
    await response.text();
    expect(gateway.upstream.requests).toHaveLength(1);
    await gateway.setOption('FirstTokenTimeout', '0');
  });
});

describe('the breaker', () => {
  it('R5 leaves a channel alone after five failures in a row, and takes it back soon after it is well', async () => {
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    responses({ 0: broken });
    for (let call = 0; call < 5; call += 1) await gateway.chat({ model });
    expect(asked()).toEqual([0, 0, 1, 0, 1, 0, 1, 0, 1, 1]);
    gateway.upstream.requests.length = 0;
    for (let call = 0; call < 3; call += 1) expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([1, 1, 1]);
    responses({});
    const back = async () => (await gateway.chat({ model })).status === 200 && asked().at(-1) === 0;
    await waitFor('the channel serves again', back, 5000);
    const row = await expectCharged(gateway);
    expect(row.channel_id).toBe(ids[0]);
    expect(attemptsOf(row)).toHaveLength(1);
  });

  it('R5 lets one call try a channel whose time is over, and stays open when that fails', async () => {
    const { model } = await channelsOf({ priority: 9 }, {});
    responses({ 0: broken });
    for (let call = 0; call < 5; call += 1) await gateway.chat({ model });
    gateway.upstream.requests.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 2500));
    responses({ 0: { ...broken, firstByteMs: 300 } });
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await gateway.chat({ model })).status));
    expect(statuses).toEqual(new Array(6).fill(200));
    expect(asked().filter((place) => place === 0)).toHaveLength(1);
  });

  it('leaves a channel alone whose streams break after their first word', async () => {
    const { model } = await channelsOf({ priority: 9 }, {});
    responses({ 0: streamOf([says('half an answer')]) });
    for (let call = 0; call < 5; call += 1) {
      expect(await (await gateway.chat({ model, stream: true })).text()).toContain('upstream_broken');
    }
    gateway.upstream.requests.length = 0;
    for (let call = 0; call < 3; call += 1) {
      expect((await collectSse(await gateway.chat({ model, stream: true }))).done).toBe(1);
    }
    expect(asked()).toEqual([1, 1, 1]);
  });

  /** A caller who leaves so long after the upstream was asked. */
  async function leave(model: string, afterMs: number): Promise<void> {
    const calls = gateway.upstream.requests.length;
    const leaving = new AbortController();
    const response = gateway.chat({ model, stream: true }, { signal: leaving.signal });
    response.catch(() => undefined);
    await gateway.upstream.waitForRequests(calls + 1);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    leaving.abort();
    await waitFor('the call is over', async () => gateway.gateway.relay.inFlight() === 0);
  }

  it('does not take a caller who gives up for success', async () => {
    const { model } = await channelsOf({ priority: 9 }, {});
    for (let call = 0; call < 5; call += 1) {
      responses({ 0: broken });
      expect((await gateway.chat({ model })).status).toBe(200);
      responses({ 0: stall('headers') });
      if (call < 4) await leave(model, 0);
    }
    responses({});
    gateway.upstream.requests.length = 0;
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([1]);
  });

  it.each<[string, FakeResponse]>([
    ['sends no headers', stall('headers')],
    ['says nothing after its headers', stall('body', streamOf([says('')]), 1000)],
  ])('leaves a channel alone that %s until ten callers have given up', async (_what, silent) => {
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    const { breaker } = gateway.gateway.relay;
    responses({ 0: silent });
    for (let call = 0; call < 10; call += 1) {
      expect(breaker.allows(ids[0] ?? 0)).toBe(true);
      await leave(model, silenceMs + 10);
    }
    expect(breaker.allows(ids[0] ?? 0)).toBe(false);
  });

  it('R5 never takes away the last channel', async () => {
    const { model } = await channelsOf({});
    await gateway.setOption('RetryTimes', '0');
    responses({ 0: broken });
    for (let call = 0; call < 8; call += 1) expect((await gateway.chat({ model })).status).toBe(500);
    expect(gateway.upstream.requests).toHaveLength(8);
    responses({});
    expect((await gateway.chat({ model })).status).toBe(200);
    await gateway.setOption('RetryTimes', '2');
  });

  it('R5 does not count errors of the client, nor calls that a channel cannot serve', async () => {
    const { model } = await channelsOf({ priority: 9 }, {}, { priority: 99, type: 3, other: '2024-10-21' });
    gateway.upstream.always(fixture('openai/error-unsupported.json', { status: 400 }));
    for (let call = 0; call < 6; call += 1) expect((await gateway.chat({ model })).status).toBe(400);
    gateway.upstream.reset();
    // Azure has no moderations: the channel is passed over, but stays good for everything else.
    for (let call = 0; call < 6; call += 1) {
      const response = await gateway.call('/v1/moderations', { model, input: 'hi' });
      expect(response.status).toBe(200);
    }
    expect(asked()).toEqual(new Array(6).fill(0));
    gateway.upstream.reset();
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(gateway.upstream.requests[0]?.path).toContain('/openai/deployments/');
  });
});

describe('a channel whose key is dead', () => {
  const dead = fixture('openai/error-invalid-key.json', { status: 401 });
  const statusOf = async (id = 0) =>
    (await gateway.app.database.channels.findOne({ where: { id }, raw: true }))?.status;

  it('is disabled too when it says so in the middle of a response', async () => {
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    const error = {
      message: 'You exceeded your current quota.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    };
    responses({ 0: streamOf([says('half an answer'), { error }]) });
    const text = await (await gateway.chat({ model, stream: true })).text();
    expect(text).toMatch(/upstream_(saturated|account_error)/);
    expect(text).not.toContain('exceeded');
    await waitFor('the channel is off', async () => (await statusOf(ids[0])) === 3);
    await gateway.gateway.refresh();
    await gateway.setOption('AutomaticDisableChannelEnabled', 'false');
  });

  it('is disabled with AutomaticDisableChannelEnabled, and others serve', async () => {
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
    const { model, ids } = await channelsOf({ priority: 9 }, {});
    responses({ 0: dead });
    expect((await gateway.chat({ model })).status).toBe(200);
    await waitFor('the channel is off', async () => (await statusOf(ids[0])) === 3);
    await gateway.gateway.refresh();
    gateway.upstream.requests.length = 0;
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([1]);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'false');
  });

  it('stays on without the option, or when its own switch says so', async () => {
    const { model, ids } = await channelsOf({ priority: 9 }, { priority: 5, auto_ban: 0 }, {});
    responses({ 0: dead, 1: dead });
    expect((await gateway.chat({ model })).status).toBe(200);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
    responses({ 0: broken, 1: dead });
    expect((await gateway.chat({ model })).status).toBe(200);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'false');
    expect(await statusOf(ids[0])).toBe(1);
    expect(await statusOf(ids[1])).toBe(1);
  });
});
