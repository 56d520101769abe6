import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { historyText } from '../../../../cli/print/receipt.ts';
import { createSpeak } from '../../../../cli/text.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { collectSse } from '../../../support/sse.ts';
import { type LogEntry, startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { type FakeResponse, failure, fixture } from '../../../support/upstream-script.ts';
import { attemptsOf, waitFor } from '../relay-checks.ts';

let gateway: TestGateway;
let cases = 0;

const keyOf = (channel: string, number: number) => `upstream-${channel}-key-000${number}`;

/** A model of its own and one channel with several keys for it. */
async function poolOf(count: number, input: Record<string, unknown> = {}): Promise<{ model: string; id: number }> {
  cases += 1;
  const model = `pool-${cases}`;
  const ratios = Array.from({ length: cases }, (_, index) => [`pool-${index + 1}`, 1]);
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(ratios)));
  const key = Array.from({ length: count }, (_, index) => keyOf(model, index + 1)).join('\n');
  return { model, id: await gateway.addChannel({ name: model, key, models: model, key_mode: 'polling', ...input }) };
}

/** What the upstream says to each key, by its number; others succeed. */
function responses(byNumber: Record<number, FakeResponse>): void {
  gateway.upstream.always((request) => {
    const refusal = byNumber[Number(/-key-000(\d)$/.exec(request.headers.authorization ?? '')?.[1])];
    const isStream = (request.json as { stream?: boolean }).stream;
    return refusal ?? fixture(isStream ? 'openai/chat.sse' : 'openai/chat.json');
  });
}

/** The numbers of the keys that the upstream saw, in order. */
function asked(): number[] {
  return gateway.upstream.requests.map(({ headers }) => Number(/-key-000(\d)$/.exec(headers.authorization ?? '')?.[1]));
}

const keysOf = (id: number) => gateway.app.services.channels.listKeys(systemActor, id);
const statusOf = async (id: number) => (await gateway.app.services.channels.get(systemActor, id)).status;
const invalid = failure(401, { code: 'invalid_api_key', message: 'Incorrect API key provided' });
const limited = failure(429, { headers: { 'retry-after': '30' } });

async function callTimes(model: string, count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    const response = await gateway.chat({ model });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
}

describe.each(engines)('a channel with several keys on %s', (engine) => {
  beforeAll(async () => {
    gateway = await startGateway(engine);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  it('sends the calls of one conversation to one key, which has its prompt cached', async () => {
    const { model } = await poolOf(3);
    responses({});
    const firsts = new Set<number | undefined>();
    for (let conversation = 0; conversation < 12; conversation += 1) {
      gateway.upstream.reset();
      responses({});
      for (let call = 0; call < 3; call += 1) {
        const response = await gateway.chat({ model, prompt_cache_key: `conversation ${conversation}` });
        expect(response.status).toBe(200);
      }
      expect(new Set(asked()).size).toBe(1);
      firsts.add(asked()[0]);
    }
    expect(firsts.size).toBe(3);
  });

  it('takes each key in its turn, or any at random', async () => {
    responses({});
    const { model } = await poolOf(3);
    await callTimes(model, 6);
    expect(asked()).toEqual([1, 2, 3, 1, 2, 3]);
    gateway.upstream.requests.length = 0;
    const random = await poolOf(3, { key_mode: 'random' });
    await callTimes(random.model, 60);
    expect(new Set(asked())).toEqual(new Set([1, 2, 3]));
  });

  it('switches off the one key that is refused, and serves the call with another', async () => {
    const { model, id } = await poolOf(3);
    responses({ 1: invalid });
    await callTimes(model, 1);
    expect(asked()).toEqual([1, 2]);
    expect(attemptsOf((await gateway.lastLog()) as LogEntry)).toMatchObject([
      { channel: id, key: '#1 …0001', outcome: 'invalid_api_key' },
      { channel: id, key: '#2 …0002', outcome: 'ok' },
    ]);
    const receipt = historyText({ other: JSON.stringify((await gateway.lastLog())?.other) }, createSpeak('en')).join();
    expect(receipt).toContain(`${id} key #1 …0001 invalid_api_key`);
    expect(receipt).not.toContain('-key-000');
    await waitFor('key 1 is off', async () => (await keysOf(id))[0]?.status === 3);
    const [first] = await keysOf(id);
    expect(first).toMatchObject({ id: 1, ends: '0001', reason: '401 Incorrect API key provided' });
    expect(first?.time).toBeGreaterThan(0);
    expect(await statusOf(id)).toBe(1);
    await gateway.gateway.refresh();
    gateway.upstream.requests.length = 0;
    await callTimes(model, 4);
    expect(asked()).not.toContain(1);
  });

  it('goes off as a whole with its last key', async () => {
    const { model, id } = await poolOf(2);
    responses({ 1: invalid, 2: invalid });
    expect((await gateway.chat({ model })).status).toBe(502);
    await waitFor('the channel is off', async () => (await statusOf(id)) === 3);
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([3, 3]);
    await gateway.app.services.channels.setStatus(systemActor, [id], 1);
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 1]);
  });

  it('lets a key rest that has no calls left for now, and no other', async () => {
    const { model, id } = await poolOf(2);
    responses({ 2: limited });
    await callTimes(model, 6);
    expect(asked().filter((number) => number === 2)).toHaveLength(1);
    expect((await keysOf(id)).every(({ status }) => status === 1)).toBe(true);
  });

  it('streams with another key when the first is refused', async () => {
    const { model } = await poolOf(2);
    responses({ 1: limited });
    const response = await gateway.chat({ model, stream: true });
    const { done } = await collectSse(response);
    expect(done).toBe(1);
    expect(asked()).toEqual([1, 2]);
  });

  it('counts another key as a retry', async () => {
    const { model } = await poolOf(3);
    responses({ 1: limited, 2: limited, 3: limited });
    await gateway.setOption('RetryTimes', '1');
    try {
      expect((await gateway.chat({ model })).status).toBe(429);
      expect(asked()).toHaveLength(2);
    } finally {
      await gateway.setOption('RetryTimes', '3');
    }
  });

  it('follows what another process changed of its keys', async () => {
    responses({});
    const { model, id } = await poolOf(2);
    const key_pool = JSON.stringify({ mode: 'polling', last: 2, keys: [{ id: 1, status: 2, time: 0 }, { id: 2 }] });
    await gateway.app.database.channels.update({ key_pool }, { where: { id } });
    await gateway.gateway.refresh();
    await callTimes(model, 3);
    expect(asked()).toEqual([2, 2, 2]);
  });

  it('brings a key back that responds again, once it is tested', async () => {
    const { model, id } = await poolOf(2);
    responses({ 1: invalid });
    await callTimes(model, 1);
    await waitFor('key 1 is off', async () => (await keysOf(id))[0]?.status === 3);
    responses({});
    await gateway.setOption('AutomaticEnableChannelEnabled', 'true');
    await gateway.app.services.channelChecks.testAll(systemActor, { onlyAutoDisabled: true });
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 1]);
  });

  it('calls only what went off by itself where it looks for what may come back', async () => {
    const { model, id } = await poolOf(2);
    responses({ 1: invalid });
    await callTimes(model, 1);
    await waitFor('key 1 is off', async () => (await keysOf(id))[0]?.status === 3);
    await gateway.setOption('AutomaticEnableChannelEnabled', 'true');
    // Every response is slow by this measure.
    await gateway.setOption('ChannelDisableThreshold', '0.001');
    const { channelChecks, channels } = gateway.app.services;
    gateway.upstream.requests.length = 0;
    await channelChecks.testAll(systemActor, { onlyAutoDisabled: true });
    expect(asked()).toEqual([1]);
    expect(await statusOf(id)).toBe(1);
    await channels.setStatus(systemActor, [id], 2);
    await channelChecks.testAll(systemActor, { onlyAutoDisabled: true });
    expect(asked()).toEqual([1]);
    await gateway.setOption('ChannelDisableThreshold', '5');
  });

  it('tries other channels before a third of its keys', async () => {
    const { model } = await poolOf(4, { priority: 9 });
    await gateway.addChannel({ name: 'behind', key: 'another-key-0009', models: model });
    responses({ 1: invalid, 2: invalid, 3: invalid, 4: invalid });
    await callTimes(model, 1);
    expect(asked()).toEqual([1, 2, 9]);
  });
});
