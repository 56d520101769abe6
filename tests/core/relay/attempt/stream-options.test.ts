import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelUpdateSchema } from '../../../../core/schemas/channel.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { type FakeResponse, failure, json, type RecordedRequest, sse } from '../../../support/upstream-script.ts';
import { expectCharged, expectErrorShape, requestIdOf, waitFor } from '../relay-checks.ts';
import { says, stops, uses } from '../responses.ts';

const asking = { stream: true, stream_options: { include_usage: true } };
const day = 86_400;

const optionsOf = ({ json: body }: RecordedRequest) => (body as Record<string, unknown>).stream_options;
const events = [says('Hello'), stops];
const told = sse([...events, uses(11, 3), '[DONE]']);
const untold = sse([...events, '[DONE]']);

/** A server from before there was the field. */
const older =
  (refusal: FakeResponse) =>
  (request: RecordedRequest): FakeResponse =>
    optionsOf(request) === undefined ? untold : refusal;

const refusals: [string, FakeResponse][] = [
  [
    '400 by param',
    json(400, { error: { message: 'Unknown parameter.', type: 'x', param: 'stream_options', code: null } }),
  ],
  ['400 by message', failure(400, { message: 'Unrecognized request argument supplied: stream_options' })],
  [
    '422 of a strict server',
    json(422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }),
  ],
  [
    '400 in Mistral’s shape',
    json(400, {
      object: 'error',
      message: { detail: [{ loc: ['body', 'stream_options', 'include_usage'], msg: 'no' }] },
    }),
  ],
  [
    'an error as the first event of a stream',
    sse([
      { error: { message: 'stream_options is not supported', type: 'invalid_request_error', param: null, code: 400 } },
    ]),
  ],
];

describe.each(engines)('stream_options on %s', (engine) => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway(engine);
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  let number = 0;
  async function newChannel(input: Record<string, unknown> = {}) {
    number += 1;
    const model = `gpt-4o-mini-${number}`;
    await gateway.setOption('ModelRatio', JSON.stringify({ [model]: 1 }));
    return { id: await gateway.addChannel({ name: model, models: model, ...input }), model };
  }

  const sent = () => gateway.upstream.requests.map(optionsOf);

  async function refusedAt(id: number): Promise<number> {
    return (await gateway.app.services.channels.get(systemActor, id)).stream_options_refused_time;
  }

  /** Until the note is in the database and in force. */
  async function remembered(id: number): Promise<void> {
    await waitFor('the note', async () => (await refusedAt(id)) > 0);
    await gateway.gateway.refresh();
  }

  it.each([1, 4, 6, 8, 19, 25, 26, 27, 31, 35, 40, 42, 43, 45, 46, 47, 48])(
    'ask a channel of type %d for usage, and bill what it says',
    async (type) => {
      const { model } = await newChannel({ type });
      gateway.upstream.respond(told);
      const { chunks, done } = await collectSse(await gateway.chat({ model, stream: true }));
      expect(sent()).toEqual([{ include_usage: true }]);
      expect(done).toBe(1);
      expect(chunks.filter(({ usage }) => usage)).toEqual([]);
      await expectCharged(gateway, { prompt: 11, completion: 3 });
    },
  );

  it.each(refusals)('are left out in the same call after %s, and for a day', async (_name, refusal) => {
    const { id, model } = await newChannel();
    gateway.upstream.respond(older(refusal), older(refusal), older(refusal));
    await gateway.setOption('RetryTimes', '0');
    const { text, chunks } = await collectSse(await gateway.chat({ model, ...asking }));
    expect(text).toBe('Hello');
    // Made up, because the client asked.
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
    expect(sent()).toEqual([{ include_usage: true }, undefined]);
    const row = await expectCharged(gateway);
    expect(row.other.usage_source).toBe('counted');
    expect(row.other).not.toHaveProperty('attempts');
    await remembered(id);
    const plain = await collectSse(await gateway.chat({ model, stream: true }));
    expect(plain.chunks.filter(({ usage }) => usage)).toEqual([]);
    expect(sent()).toHaveLength(3);
    expect(sent()[2]).toBeUndefined();
  });

  it('are asked for again when the day is over', async () => {
    const { id, model } = await newChannel();
    const stream_options_refused_time = Math.floor(Date.now() / 1000) - day;
    await gateway.app.database.channels.update({ stream_options_refused_time }, { where: { id } });
    await gateway.gateway.refresh();
    gateway.upstream.respond(told);
    await collectSse(await gateway.chat({ model, stream: true }));
    expect(sent()).toEqual([{ include_usage: true }]);
  });

  it('that another process found refused are left out here', async () => {
    const { id, model } = await newChannel();
    const stream_options_refused_time = Math.floor(Date.now() / 1000);
    await gateway.app.database.channels.update({ stream_options_refused_time }, { where: { id } });
    await gateway.gateway.refresh();
    gateway.upstream.respond(untold);
    await collectSse(await gateway.chat({ model, stream: true }));
    expect(sent()).toEqual([undefined]);
  });

  it.each([
    ['base URL', (url: string) => ({ base_url: `${url}/v1` })],
    ['type', () => ({ type: 40 })],
    ['API version', () => ({ other: '2024-10-21' })],
  ])('are asked for again once the channel has another %s', async (_what, change) => {
    const { id } = await newChannel();
    await gateway.app.database.channels.update({ stream_options_refused_time: 5_000_000_000 }, { where: { id } });
    const update = channelUpdateSchema.parse({ id, key: 'k', ...change(gateway.upstream.url) });
    await gateway.app.services.channels.update(systemActor, channelUpdateSchema.parse({ id, name: 'same' }));
    expect(await refusedAt(id)).toBe(5_000_000_000);
    await gateway.app.services.channels.update(systemActor, update);
    expect(await refusedAt(id)).toBe(0);
  });

  it.each([
    [true, [{ include_usage: true }]],
    [false, [undefined]],
  ])('are what the channel’s setting says: %s', async (stream_options, expected) => {
    const { id, model } = await newChannel({ setting: JSON.stringify({ stream_options }) });
    await gateway.app.database.channels.update({ stream_options_refused_time: 5_000_000_000 }, { where: { id } });
    await gateway.gateway.refresh();
    gateway.upstream.respond(untold);
    await collectSse(await gateway.chat({ model, ...asking }));
    expect(sent()).toEqual(expected);
  });

  it('of a client that are wrong do not cost us the usage, and nothing is remembered', async () => {
    const { id, model } = await newChannel();
    const strict = (request: RecordedRequest) =>
      Object.keys(optionsOf(request) as object).length > 1
        ? failure(400, { message: "Unknown parameter: 'stream_options.odd'" })
        : told;
    gateway.upstream.respond(strict, strict);
    await collectSse(await gateway.chat({ model, stream: true, stream_options: { odd: 1 } }));
    expect(sent()).toEqual([{ odd: 1, include_usage: true }, { include_usage: true }]);
    await expectCharged(gateway, { prompt: 11, completion: 3 });
    expect(await refusedAt(id)).toBe(0);
  });

  it('are not blamed for another refusal, and nothing is billed', async () => {
    const { id, model } = await newChannel();
    const before = await gateway.quotaOf(gateway.userId);
    const refusal = (request: RecordedRequest) =>
      failure(400, {
        message: optionsOf(request) ? 'messages: too few; got {"stream_options":{}}' : 'messages: too few',
      });
    gateway.upstream.respond(refusal, refusal);
    const response = await gateway.chat({ model, ...asking });
    expect(response.status).toBe(400);
    expect(expectErrorShape(await response.json(), requestIdOf(response)).message).toContain('messages: too few');
    expect(sent()).toHaveLength(2);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    expect(await refusedAt(id)).toBe(0);
  });
});
