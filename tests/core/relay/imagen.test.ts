import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { json } from '../../support/upstream-script.ts';
import { expectCharged, expectRefused } from './relay-checks.ts';

const painter = 'imagen-4.0-generate-001';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('ModelPrice', JSON.stringify({ [painter]: 0.04, 'gemini-3-pro-image': 0.1 }));
  await gateway.addChannel({ type: 24, name: 'google', models: painter });
  await gateway.addChannel({ type: 24, name: 'nano', models: 'gemini-3-pro-image' });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});
beforeEach(() => gateway.upstream.reset());

describe('images of Imagen', () => {
  const predictions = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ mimeType: 'image/png', bytesBase64Encoded: `AA0${index}` }));
  const draw = (change: object = {}) =>
    gateway.call('/v1/images/generations', { model: painter, prompt: 'A fjord', ...change });

  it.each([1, 2, 3, 4])('all come back, and each is paid (%i)', async (n) => {
    gateway.upstream.respond(json(200, { predictions: predictions(n) }));
    const { data } = (await (await draw({ n })).json()) as { data: { b64_json: string }[] };
    expect(data.map(({ b64_json }) => b64_json)).toEqual(predictions(n).map((one) => one.bytesBase64Encoded));
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ parameters: { sampleCount: n } });
    // 0.04 dollars each
    expect((await expectCharged(gateway)).quota).toBe(20_000 * n);
  });

  it('are paid in full where a small one is asked for, since all are drawn in full size', async () => {
    gateway.upstream.respond(json(200, { predictions: predictions(1) }));
    expect((await draw({ size: '256x256' })).status).toBe(200);
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ parameters: { sampleCount: 1, aspectRatio: '1:1' } });
    expect((await expectCharged(gateway)).quota).toBe(20_000);
  });

  it('are paid as far as they came', async () => {
    const filtered = { raiFilteredReason: 'not shown' };
    gateway.upstream.respond(json(200, { predictions: [...predictions(2), filtered] }));
    const { data } = (await (await draw({ n: 3 })).json()) as { data: object[] };
    expect(data).toHaveLength(2);
    expect((await expectCharged(gateway)).quota).toBe(40_000);
  });

  it('beyond its limit are refused before anything is held', async () => {
    const says = /at most 4 images per call, but n is 5/;
    await expectRefused(gateway, () => draw({ n: 5 }), { status: 400, param: 'n', says });
    const poor = await gateway.addToken(await gateway.addUser('penniless', 0));
    const asked = { model: painter, prompt: 'A fjord', n: 5 };
    const response = await gateway.call('/v1/images/generations', asked, { key: poor });
    expect(await response.text()).toMatch(says);
  });

  it('of Gemini’s own models come one at a time', async () => {
    const says = /generate 1 image per call, but n is 2/;
    const one = () => draw({ model: 'gemini-3-pro-image', n: 2 });
    await expectRefused(gateway, one, { status: 400, param: 'n', says });
  });

  it('beyond its limit go to another channel that draws them', async () => {
    const id = await gateway.addChannel({ name: 'other', models: painter, priority: -1 });
    const data = Array.from({ length: 6 }, () => ({ b64_json: 'AA' }));
    gateway.upstream.respond(json(200, { created: 1, data }));
    expect(((await (await draw({ n: 6 })).json()) as { data: object[] }).data).toHaveLength(6);
    const row = await expectCharged(gateway);
    expect([row.channel_id, row.quota]).toEqual([id, 120_000]);
  });
});
