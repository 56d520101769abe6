import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { drawingQuery } from '../../../../core/schemas/drawing.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import { startFakeUpstream } from '../../../support/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

const cell = '3dbbd469-0000-4000-8000-000000000000';
const buttons = [
  { customId: `MJ::JOB::upsample::1::${cell}`, emoji: '', label: 'U1', style: 2, type: 2 },
  { customId: `MJ::Inpaint::1::${cell}::SOLO`, emoji: '', label: 'Vary region', style: 2, type: 2 },
];
const models = [
  'imagine',
  'upscale',
  'variation',
  'reroll',
  'describe',
  'blend',
  'shorten',
  'upload',
  'modal',
  'inpaint',
];
const accepted = (id: string, code = 1, properties: object = {}) =>
  json(200, { code, description: 'ok', result: id, properties });
const drawing = (id: string, changes: object = {}) => ({
  id,
  action: 'IMAGINE',
  status: 'IN_PROGRESS',
  progress: '46%',
  prompt: 'a red cat',
  promptEn: 'a red cat',
  description: '/imagine a red cat',
  state: '',
  submitTime: 1_700_000_000_123,
  startTime: 1_700_000_003_000,
  finishTime: null,
  imageUrl: 'https://cdn.example/p.webp',
  failReason: null,
  properties: {},
  ...changes,
});
const finished = (id: string) =>
  drawing(id, {
    status: 'SUCCESS',
    progress: '100%',
    finishTime: 1_700_000_060_000,
    imageUrl: 'https://cdn.example/f.png',
    buttons,
    properties: { finalPrompt: 'a red cat --ar 1:1' },
  });
/** 0.1 and 0.05 dollars. */
const [price, half] = [50_000, 25_000];

describe.each(engines)('drawings on %s', (engine) => {
  let gateway: TestGateway;
  let before: number;

  beforeEach(async () => {
    // The test polls by itself.
    gateway = await startGateway(engine, { NODE_TYPE: 'slave' });
    const listed = [...models.map((name) => `mj_${name}`), 'swap_face'].join(',');
    await gateway.addChannel({ type: 5, name: 'drawings', models: listed, key: 'mj-secret' });
    before = await gateway.quotaOf(gateway.userId);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  const post = async (path: string, body: object, key = gateway.key) => {
    const headers = { 'content-type': 'application/json', 'mj-api-secret': key, authorization: 'midjourney-proxy' };
    const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const get = async (path: string, key = gateway.key) => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const imagine = (body: object = {}) => post('/mj/submit/imagine', { prompt: 'a red cat --fast', ...body });
  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));
  const lastSent = () => gateway.upstream.requests.at(-1);

  it('are charged, followed and shown as midjourney-proxy shows them', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1700000000000123', 22, { numberOfQueues: 1 }));
    const response = await imagine({
      notifyHook: 'https://hook.example',
      accountFilter: { modes: ['FAST'] },
      state: 's',
    });
    // Clients wait for 1; that the job is in a queue shows in its state.
    expect(response).toMatchObject({ status: 200, body: { code: 1, result: '1700000000000123' } });
    expect(lastSent()?.headers['mj-api-secret']).toBe('mj-secret');
    expect(lastSent()?.json).toEqual({ prompt: 'a red cat --fast', state: 's' });
    expect(await spent()).toBe(price);
    expect((await get('/mj/task/1700000000000123/fetch')).body).toMatchObject({
      id: '1700000000000123',
      action: 'IMAGINE',
      status: 'SUBMITTED',
      progress: '0%',
      prompt: 'a red cat --fast',
    });
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [drawing('1700000000000123')]));
    await poll();
    expect((await get('/mj/task/1700000000000123/fetch')).body).toMatchObject({
      status: 'IN_PROGRESS',
      progress: '46%',
      startTime: 1_700_000_003_000,
      imageUrl: 'https://cdn.example/p.webp',
    });
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('1700000000000123'), drawing('strange')]));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    const list = await post('/mj/task/list-by-condition', { ids: ['1700000000000123', 'unknown'] });
    expect(list.body).toMatchObject([{ status: 'SUCCESS', progress: '100%', finishTime: 1_700_000_060_000, buttons }]);
    const stranger = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    expect(await get('/mj/task/1700000000000123/fetch', stranger)).toMatchObject({
      status: 400,
      body: { code: 4, type: 'new_api_error', description: expect.stringMatching(/^task_not_found: /) },
    });
  });

  it('that are ended here have the time of their end, also where the vendor had written none', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    // As servers write them that have a number in place of null.
    const running = drawing('1', { startTime: 0, finishTime: 0 });
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [running]));
    await poll();
    const [channel] = await gateway.app.database.select<{ id: number }>(
      "SELECT id FROM channels WHERE name = 'drawings'",
    );
    await gateway.app.services.channels.remove(systemActor, [channel?.id ?? 0]);
    await poll();
    const now = Date.now();
    const { body } = await get('/mj/task/1/fetch');
    expect(body).toMatchObject({ status: 'FAILURE', startTime: 0 });
    expect(Math.abs(Number(body.finishTime) - now)).toBeLessThan(60_000);
    const [shown] = await gateway.app.services.drawings.list(systemActor, drawingQuery.parse({}));
    expect(shown?.finish_time).toBe(body.finishTime);
  });

  it('A-067 A-069 obey the options of the operator', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    for (const key of ['MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjModeClearEnabled']) {
      await gateway.setOption(key, 'true');
    }
    await imagine({ notifyHook: 'https://hook.example', accountFilter: { modes: ['FAST'] } });
    expect(lastSent()?.json).toEqual({
      prompt: 'a red cat ',
      notifyHook: 'https://hook.example',
      accountFilter: { modes: ['FAST'] },
    });
    gateway.upstream.route('/mj/submit/change', accepted('2'));
    expect((await post('/mj/submit/change', { taskId: '1', action: 'UPSCALE', index: 1 })).body).toMatchObject({
      code: 4,
      description: expect.stringMatching(/^task_status_not_success: /),
    });
    await gateway.setOption('MjActionCheckSuccessEnabled', 'false');
    expect((await post('/mj/submit/change', { taskId: '1', action: 'UPSCALE', index: 1 })).body).toMatchObject({
      code: 1,
    });
  });

  it('go on in every way there is, at the price of each', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('1')]));
    await poll();
    let paid = price;
    const steps: [path: string, body: object, upstream: string, sent: object, action: string, cost: number][] = [
      [
        'submit/change',
        { taskId: '1', action: 'REROLL' },
        '/mj/submit/change',
        { taskId: '1', action: 'REROLL' },
        'REROLL',
        price,
      ],
      [
        'submit/simple-change',
        { content: '1 u2' },
        '/mj/submit/change',
        { taskId: '1', action: 'UPSCALE', index: 2 },
        'UPSCALE',
        half,
      ],
      [
        'submit/simple-change',
        { content: '1 R' },
        '/mj/submit/change',
        { taskId: '1', action: 'REROLL' },
        'REROLL',
        price,
      ],
      [
        'submit/action',
        { taskId: '1', customId: buttons[0]?.customId },
        '/mj/submit/action',
        { taskId: '1' },
        'UPSCALE',
        half,
      ],
      [
        'submit/action',
        { taskId: '1', customId: buttons[1]?.customId },
        '/mj/submit/action',
        { taskId: '1' },
        'INPAINT',
        0,
      ],
      ['submit/describe', { base64: 'data:image/png;base64,iVBO' }, '/mj/submit/describe', {}, 'DESCRIBE', half],
      ['submit/blend', { base64Array: ['a', 'b'] }, '/mj/submit/blend', {}, 'BLEND', price],
      ['submit/shorten', { prompt: 'a very long prompt' }, '/mj/submit/shorten', {}, 'SHORTEN', price],
      ['insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, '/mj/insight-face/swap', {}, 'SWAP_FACE', half],
    ];
    for (const [at, [path, body, upstream, sent, action, cost]] of steps.entries()) {
      gateway.upstream.route(upstream, accepted(`step-${at}`));
      expect(await post(`/mj/${path}`, body), path).toMatchObject({ status: 200, body: { code: 1 } });
      expect(lastSent()?.path).toBe(upstream);
      expect(lastSent()?.json).toMatchObject(sent);
      paid += cost;
      expect([action, await spent()]).toEqual([action, paid]);
      expect((await get(`/mj/task/step-${at}/fetch`)).body).toMatchObject({ action });
    }
    // What goes on from a picture shows what that one was asked for with.
    expect((await get('/mj/task/step-0/fetch')).body).toMatchObject({ prompt: 'a red cat --fast' });
    gateway.upstream.route(
      '/mj/submit/upload-discord-images',
      json(200, { code: 1, description: 'ok', result: ['https://cdn.example/1.png'] }),
    );
    const upload = await post('/mj/submit/upload-discord-images', { base64Array: ['a'] });
    expect(upload.body).toMatchObject({ code: 1, result: ['https://cdn.example/1.png'] });
  });

  it('open a window for what costs nothing yet, and charge what the window is filled with', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('1')]));
    await poll();
    gateway.upstream.route(
      '/mj/submit/action',
      json(200, { code: 21, description: 'Waiting for window confirm', result: '2', properties: {} }),
    );
    const opened = await post('/mj/submit/action', { taskId: '1', customId: buttons[1]?.customId });
    expect([opened.body.code, await spent()]).toEqual([21, price]);
    gateway.upstream.route(
      '/mj/task/list-by-condition',
      json(200, [drawing('2', { status: 'MODAL', progress: '0%' })]),
    );
    await poll();
    expect((await get('/mj/task/2/fetch')).body).toMatchObject({ status: 'MODAL' });
    gateway.upstream.route('/mj/submit/modal', accepted('2'));
    await post('/mj/submit/modal', { taskId: '2', prompt: 'a hat', maskBase64: 'data:image/png;base64,AA==' });
    expect(await spent()).toBe(2 * price);
    gateway.upstream.route(
      '/mj/task/list-by-condition',
      json(200, [drawing('2', { status: 'FAILURE', progress: '', failReason: '[Invalid parameter] bad value' })]),
    );
    expect(await poll()).toMatchObject({ failed: 2 });
    expect(await spent()).toBe(price);
    expect((await get('/mj/task/2/fetch')).body).toMatchObject({
      status: 'FAILURE',
      failReason: '[Invalid parameter] bad value',
    });
  });

  it('G-140 keep what the server said to their submission, also where the client is told 1', async () => {
    for (const [id, code] of [
      ['1', 1],
      ['2', 21],
      ['3', 22],
    ] as const) {
      gateway.upstream.route('/mj/submit/imagine', accepted(id, code));
      expect(await imagine()).toMatchObject({ status: 200, body: { code: 1, result: id } });
    }
    gateway.upstream.route('/mj/submit/imagine', json(200, { code: 24, description: 'banned' }));
    await imagine();
    const drawings = await gateway.app.services.drawings.list(systemActor, drawingQuery.parse({}));
    expect(drawings.map(({ mj_id, code }) => [mj_id, code])).toEqual([
      ['', 0],
      ['3', 22],
      ['2', 21],
      ['1', 1],
    ]);
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('3'), finished('2'), finished('1')]));
    await poll();
    const [, last] = await gateway.app.services.drawings.list(systemActor, drawingQuery.parse({}));
    expect([last?.status, last?.code]).toEqual(['SUCCESS', 22]);
  });

  it('that are not taken cost nothing and say why', async () => {
    gateway.upstream.route(
      '/mj/submit/imagine',
      json(200, { code: 24, description: 'banned', properties: { bannedWord: 'x' } }),
    );
    expect(await imagine()).toMatchObject({ status: 200, body: { code: 24, description: 'banned' } });
    const [row] = await gateway.app.database.select<object>('SELECT status, fail_reason, quota FROM tasks');
    expect(row).toEqual({ status: 'FAILURE', fail_reason: 'banned', quota: 0 });
    const failed = () =>
      gateway.app.database.select<{ content: string; other: string; channel_id: number; quota: number }>(
        'SELECT content, other, channel_id, quota FROM logs WHERE type = 5',
      );
    await expect.poll(async () => (await failed()).length).toBe(1);
    const [{ content = '', other = '', channel_id = 0, quota = -1 } = {}] = await failed();
    expect(wordsIn('en', content)).toBe(
      'The provider refused the request with status 200 (24). Check the request; nothing was charged.',
    );
    expect([channel_id > 0, quota]).toEqual([true, 0]);
    expect(JSON.parse(other)).toMatchObject({ status: 200, outcome: 'upstream', code: '24', protocol: 'mj' });
    gateway.upstream.route('/mj/submit/imagine', json(200, { code: 23, description: 'queue full' }));
    expect(await imagine()).toMatchObject({ status: 503, body: { type: 'upstream_error', code: 5 } });
    gateway.upstream.route('/mj/submit/imagine', json(429, { code: 30, description: 'busy' }));
    expect(await imagine()).toMatchObject({ status: 429, body: { code: 30 } });
    const wrong: [path: string, body: object, words: RegExp][] = [
      ['submit/imagine', {}, /prompt is required/],
      ['submit/change', { taskId: '1', action: 'UPSCALE', index: 5 }, /index must be a whole number from 1 to 4/],
      ['submit/change', { taskId: '1', action: 'PAINT' }, /action must be one of/],
      ['submit/simple-change', { content: '1 X9' }, /U1 to U4/],
      ['submit/action', { taskId: '1', customId: 'MJ::JOB::upsample' }, /not a supported action/],
      ['submit/action', { taskId: '1', customId: 'MJ' }, /not a supported action/],
      ['submit/blend', { base64Array: ['a'] }, /2 to 5 images/],
      ['submit/change', { taskId: 'foreign', action: 'REROLL' }, /task foreign does not exist/],
    ];
    for (const [path, body, words] of wrong) {
      expect(await post(`/mj/${path}`, body)).toMatchObject({
        status: 400,
        body: { code: 4, description: expect.stringMatching(words) },
      });
    }
    const poor = await gateway.addToken(await gateway.addUser('poor', 100));
    const unpaid = await post('/mj/submit/imagine', { prompt: 'x' }, poor);
    expect(unpaid).toMatchObject({ status: 403, body: { description: expect.stringMatching(/^quota_not_enough/) } });
    expect(await spent()).toBe(0);
  });

  it('take a mode by their path, which only the newer servers know', async () => {
    gateway.upstream.always(accepted('1'));
    await post('/mj-fast/mj/submit/imagine', { prompt: 'x' });
    expect(lastSent()?.path).toBe('/mj-fast/mj/submit/imagine');
    await gateway.addChannel({ type: 2, name: 'older', models: 'mj_imagine', key: 'k', priority: 9 });
    await post('/mj-fast/mj/submit/imagine', { prompt: 'x' });
    expect(lastSent()?.path).toBe('/mj/submit/imagine');
  });

  it('are checked when a callback reports progress, whatever it says', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [drawing('1')]));
    const forged = { id: '1', status: 'FAILURE', failReason: 'give me my money back', imageUrl: 'http://127.0.0.1/' };
    expect((await post('/mj/notify', forged)).status).toBe(200);
    expect((await get('/mj/task/1/fetch')).body).toMatchObject({ status: 'IN_PROGRESS', progress: '46%' });
    expect(await spent()).toBe(price);
    const stranger = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    expect((await post('/mj/notify', forged, stranger)).status).toBe(400);
    expect((await post('/mj/notify', forged, 'sk-unknown')).status).toBe(401);
    for (const id of [['1'], { id: '1' }, null, true]) expect((await post('/mj/notify', { id })).status).toBe(400);
  });

  it('are asked about no more often because a callback is repeated, and not at all when it comes late', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [drawing('1')]));
    const asked = () => gateway.upstream.requests.filter(({ path }) => path === '/mj/task/list-by-condition').length;
    const hint = async () => (await post('/mj/notify', { id: '1', status: 'SUCCESS' })).status;
    expect(await hint()).toBe(200);
    expect(asked()).toBe(1);
    const lookedAt = (ago: number) =>
      gateway.app.database.sequelize.query('UPDATE tasks SET updated_at = :at', {
        replacements: { at: gateway.app.now() - ago },
      });
    for (let count = 0; count < 5; count++) {
      await lookedAt(0);
      expect(await hint()).toBe(200);
    }
    expect(asked()).toBe(1);
    // The hint is not lost: the poller's next turn takes it up.
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('1')]));
    expect(await gateway.app.services.taskProgress.poll()).toMatchObject({ succeeded: 1 });
    const known = asked();
    await lookedAt(60);
    expect(await hint()).toBe(200);
    expect(asked()).toBe(known);
    expect((await get('/mj/task/1/fetch')).body).toMatchObject({ status: 'SUCCESS' });
    expect(await spent()).toBe(price);
  });

  it('are left as they are when a callback comes while their upstream is away', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    gateway.upstream.route('/mj/task/list-by-condition', json(500, 'away'));
    expect((await post('/mj/notify', { id: '1', status: 'FAILURE' })).status).toBe(200);
    expect((await get('/mj/task/1/fetch')).body).toMatchObject({ status: 'SUBMITTED' });
    expect(await spent()).toBe(price);
  });

  it('tell their seed, and show their picture under a signed address that ends', async () => {
    gateway.upstream.route('/mj/submit/imagine', accepted('1'));
    await imagine();
    await gateway.setOption('ServerAddress', gateway.url);
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [finished('1')]));
    await poll();
    gateway.upstream.route('/mj/task/1/image-seed', json(200, { code: 1, description: 'ok', result: '1983456' }));
    expect((await get('/mj/task/1/image-seed')).body).toMatchObject({ result: '1983456' });
    const { imageUrl } = (await get('/mj/task/1/fetch')).body as { imageUrl: string };
    expect(imageUrl).toMatch(/\/mj\/image\/1\?user=\d+&expires=\d+&signature=[\da-f]{32}$/);
    const status = async (address: string) => (await fetch(address)).status;
    // The vendor's own address leads nowhere here, and one inside this network is not followed.
    expect(await status(imageUrl)).toBe(502);
    expect(await status(imageUrl.replace('image/1?', 'image/2?'))).toBe(400);
    expect(await status(imageUrl.replace(/expires=\d+/, 'expires=1'))).toBe(400);
    expect(await status(`${gateway.url}/mj/image/1`)).toBe(400);
    const png = { headers: { 'content-type': 'image/png' }, body: Buffer.from('\x89PNG') };
    const lieAt = (url: string) =>
      gateway.app.database.sequelize.query(`UPDATE tasks SET data = '{"imageUrl":"${url}/inside.png"}'`);
    const inside = await startFakeUpstream();
    inside.always(png);
    await lieAt(inside.url);
    expect(await status(imageUrl)).toBe(502);
    expect(inside.requests).toEqual([]);
    await inside.close();
    // Root gave the channel this address, though it is inside: what lies there is shown.
    gateway.upstream.route('/inside.png', png);
    await lieAt(gateway.upstream.url);
    expect(await status(imageUrl)).toBe(200);
  });
});
