import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { cut, json, stall } from '../../../support/upstream-script.ts';
import { expectCharged, openHolds, waitFor } from '../relay-checks.ts';
import { streamOf } from '../responses.ts';

/** 0.04 US dollars a picture. */
const price = 20_000;
const model = 'gpt-image-1';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.setOption('ModelPrice', JSON.stringify({ [model]: 0.04 }));
  await gateway.addChannel({ name: 'all', models: model });
});
afterEach(async () => {
  gateway.upstream.reset();
  for (const id of [1, 2]) gateway.gateway.relay.breaker.succeed(id);
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const partial = { type: 'image_generation.partial_image', b64_json: 'iVBO', partial_image_index: 0 };
const whole = { type: 'image_generation.completed', b64_json: 'iVBORw0KGgo=' };
const ask = (n: number, { isStream = true, signal }: { isStream?: boolean; signal?: AbortSignal } = {}) =>
  gateway.call(
    '/v1/images/generations',
    { model, prompt: 'a cat', n, ...(isStream && { stream: true, partial_images: 1 }) },
    { ...(signal && { signal }) },
  );

async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = await gateway.quotaOf(gateway.userId);
  await work();
  expect(await openHolds(gateway)).toBe(0);
  return before - (await gateway.quotaOf(gateway.userId));
}

describe('pictures that come as a stream, at a fixed price each', () => {
  it.each([
    ['as many as were asked for', 2, [partial, whole, partial, whole], 2],
    ['fewer than were asked for', 3, [partial, whole], 1],
    ['more than were asked for', 1, [whole, whole], 1],
  ])('%s: those that came are paid', async (_what, asked, events, paid) => {
    gateway.upstream.respond(streamOf(events));
    expect(await cost(async () => (await ask(asked)).text())).toBe(paid * price);
    await expectCharged(gateway);
  });

  it('in one document are paid by their number, too', async () => {
    gateway.upstream.respond(json(200, { created: 1, data: [{ b64_json: 'iVBO' }] }));
    expect(await cost(async () => (await ask(3)).text())).toBe(price);
  });

  it.each([
    ['before one is whole', [partial, partial], 0],
    ['after the first', [partial, whole, partial], 1],
  ])('that break off %s: those that are whole are paid', async (_what, events, paid) => {
    const stream = streamOf(events, { delayMs: 20 });
    const length = (stream.pieces ?? []).reduce((sum, piece) => sum + piece.length, 0);
    gateway.upstream.always(cut(streamOf([...events, partial], { delayMs: 20 }), length));
    const text = async () => expect(await (await ask(2)).text()).toContain('"error"');
    expect(await cost(text)).toBe(paid * price);
    expect((await gateway.lastLog())?.other.outcome).toBe('broken');
  });

  it('in one long document, fewer than were asked for: those that came are paid', async () => {
    const data = [{ b64_json: 'A'.repeat(1 << 20) }, { b64_json: 'A'.repeat(2 << 20) }];
    gateway.upstream.respond(json(200, { created: 1, data }));
    expect(await cost(async () => (await ask(4, { isStream: false })).text())).toBe(2 * price);
    await expectCharged(gateway);
  });

  it('in one long document that breaks off: those that are whole are paid', async () => {
    const document = json(200, {
      created: 1,
      data: [{ b64_json: 'A'.repeat(1_600_000) }, { b64_json: 'A'.repeat(2_000_000) }],
    });
    for (const [asked, length, paid] of [
      [1, 1_300_000, 0],
      [2, 2_500_000, 1],
      [4, 2_500_000, 1],
    ] as const) {
      gateway.upstream.always(cut(document, length));
      const broken = async () => {
        await expect((await ask(asked, { isStream: false })).text()).rejects.toThrow();
      };
      expect(await cost(broken)).toBe(paid * price);
      expect((await gateway.lastLog())?.other.outcome).toBe('broken');
    }
  });

  it('that their client does not wait for are paid all', async () => {
    gateway.upstream.respond(stall('body', streamOf([partial, partial]), 120));
    const leaving = new AbortController();
    const spent = await cost(async () => {
      const reader = (await ask(2, { signal: leaving.signal })).body?.getReader();
      await reader?.read();
      leaving.abort();
      await waitFor('it is charged', async () => gateway.gateway.relay.inFlight() === 0);
    });
    expect(spent).toBe(2 * price);
  });
});
