import OpenAI, { toFile } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

const video = (changes: object = {}) => ({
  id: 'video_1',
  object: 'video',
  model: 'sora-2',
  status: 'queued',
  progress: 0,
  created_at: 1_700_000_000,
  completed_at: null,
  expires_at: null,
  error: null,
  seconds: '8',
  size: '1280x720',
  prompt: 'a cat',
  ...changes,
});
const done = video({ status: 'completed', progress: 100, completed_at: 1_700_000_090, expires_at: 1_700_090_000 });
const mp4 = { headers: { 'content-type': 'video/mp4' }, body: Buffer.from('mp4-bytes') };
/** 0.1 dollars a second. */
const second = 50_000;

describe.each(engines)('videos on %s', (engine) => {
  let gateway: TestGateway;
  let client: OpenAI;
  let before: number;

  beforeEach(async () => {
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'sora', models: 'sora-2,sora-2-pro', key: 'sora-key' });
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
    before = await gateway.quotaOf(gateway.userId);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));
  const create = (changes: Partial<OpenAI.VideoCreateParams> = {}) =>
    client.videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '8', size: '1280x720', ...changes });

  it('are made, followed, downloaded, listed and deleted with the SDK, paid by the second', async () => {
    gateway.upstream.route('/v1/videos', json(200, video()));
    expect(await create()).toMatchObject({ id: 'video_1', status: 'queued', progress: 0 });
    expect(gateway.upstream.requests[0]).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer sora-key' },
    });
    expect(await spent()).toBe(8 * second);
    expect(await client.videos.retrieve('video_1')).toMatchObject({
      model: 'sora-2',
      status: 'queued',
      seconds: '8',
      size: '1280x720',
      prompt: 'a cat',
      error: null,
    });
    await expect(client.videos.downloadContent('video_1')).rejects.toMatchObject({ status: 409 });
    gateway.upstream.route('/v1/videos/video_1', json(200, video({ status: 'in_progress', progress: 40 })));
    await poll();
    expect(await client.videos.retrieve('video_1')).toMatchObject({ status: 'in_progress', progress: 40 });
    gateway.upstream.route('/v1/videos/video_1', json(200, done));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    expect(await client.videos.retrieve('video_1')).toMatchObject({
      status: 'completed',
      progress: 100,
      completed_at: 1_700_000_090,
      expires_at: 1_700_090_000,
    });
    gateway.upstream.route('/v1/videos/video_1/content', mp4);
    const content = await client.videos.downloadContent('video_1', { variant: 'video' });
    expect([content.headers.get('content-type'), await content.text()]).toEqual(['video/mp4', 'mp4-bytes']);
    expect(gateway.upstream.requests.at(-1)?.path).toBe('/v1/videos/video_1/content?variant=video');

    gateway.upstream.route('/v1/videos', json(200, video({ id: 'video_2' })));
    await create();
    const page = await client.videos.list({ limit: 1 });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([['video_2'], true]);
    const all: string[] = [];
    for await (const { id } of client.videos.list({ limit: 1 })) all.push(id);
    expect(all).toEqual(['video_2', 'video_1']);
    gateway.upstream.route('/v1/videos/video_1', json(200, { id: 'video_1', object: 'video.deleted', deleted: true }));
    expect(await client.videos.delete('video_1')).toMatchObject({ id: 'video_1', deleted: true });
    expect(gateway.upstream.requests.at(-1)?.method).toBe('DELETE');
    await expect(client.videos.retrieve('video_1')).rejects.toMatchObject({ status: 404 });
    expect(await spent()).toBe(16 * second);

    const key = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
    await expect(stranger.videos.retrieve('video_2')).rejects.toMatchObject({ status: 404 });
    await expect(stranger.videos.delete('video_2')).rejects.toMatchObject({ status: 404 });
    expect((await stranger.videos.list()).data).toEqual([]);
  });

  it('send the picture of a form on, and cost more where they are large', async () => {
    gateway.upstream.route('/v1/videos', json(200, video({ model: 'sora-2-pro' })));
    const picture = await toFile(Buffer.from('png-bytes'), 'first.png', { type: 'image/png' });
    await create({ model: 'sora-2-pro', seconds: '4', size: '1792x1024', input_reference: picture });
    const { form } = gateway.upstream.requests[0] ?? {};
    expect(form?.fields).toMatchObject({ model: ['sora-2-pro'], prompt: ['a cat'], size: ['1792x1024'] });
    expect(form?.files).toMatchObject([
      { name: 'input_reference', filename: 'first.png', body: Buffer.from('png-bytes') },
    ]);
    // 0.50 dollars a second.
    expect(await spent()).toBe(4 * 250_000);
    await client.videos.create({ model: 'sora-2', prompt: 'a cat', input_reference: picture });
    // What was paid is said, whatever the default of the upstream is.
    expect(gateway.upstream.requests[1]?.form?.fields).toMatchObject({ seconds: ['4'], size: ['720x1280'] });
  });

  it('are paid by the length that other servers read as well, and said once', async () => {
    gateway.upstream.route('/v1/videos', json(200, video()));
    const asked = { model: 'sora-2', prompt: 'a cat' };
    expect((await gateway.call('/v1/videos', { ...asked, duration: 8 })).status).toBe(200);
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ seconds: '8', size: '720x1280' });
    expect(await spent()).toBe(8 * second);
    for (const [length, param] of [
      [{ seconds: '1', duration: 60 }, 'duration'],
      [{ seconds: '1', Seconds: '60' }, 'Seconds'],
    ] as const) {
      const response = await gateway.call('/v1/videos', { ...asked, ...length });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(param)]);
    }
    expect([gateway.upstream.requests.length, await spent()]).toEqual([1, 8 * second]);
  });

  it('tell how far they are where their server counts in fractions, and when they ended that were done at once', async () => {
    gateway.upstream.route('/v1/videos', json(200, video({ progress: 12.9 })));
    await create();
    expect(await client.videos.retrieve('video_1')).toMatchObject({ status: 'queued', progress: 12 });
    gateway.upstream.route('/v1/videos/video_1', json(200, video({ status: 'in_progress', progress: 66.7 })));
    await poll();
    expect(await client.videos.retrieve('video_1')).toMatchObject({ progress: 66 });
    gateway.upstream.route('/v1/videos', json(200, { ...done, id: 'video_2' }));
    await create();
    const { created_at, completed_at } = await client.videos.retrieve('video_2');
    expect(completed_at).toBe(created_at);
  });

  it('are paid and followed also where their server has words of its own for what they do', async () => {
    gateway.upstream.route('/v1/videos', json(200, video({ status: 'pending' })));
    expect(await create()).toMatchObject({ id: 'video_1', status: 'pending' });
    expect([gateway.upstream.requests.length, await spent()]).toEqual([1, 8 * second]);
    expect(await client.videos.retrieve('video_1')).toMatchObject({ status: 'queued' });
    gateway.upstream.route('/v1/videos/video_1', json(200, video({ status: 'rendering', progress: 50 })));
    expect(await poll()).toMatchObject({ asked: 1, failed: 0 });
    gateway.upstream.route('/v1/videos/video_1', json(200, done));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    expect(await spent()).toBe(8 * second);
  });

  it('that fail at once cost nothing', async () => {
    const error = { code: 'moderation_blocked', message: 'Blocked by our moderation system.' };
    gateway.upstream.route('/v1/videos', json(200, video({ status: 'failed', error })));
    expect(await create()).toMatchObject({ id: 'video_1', status: 'failed', error });
    expect(await spent()).toBe(0);
    expect(await poll()).toBeUndefined();
    expect(await client.videos.retrieve('video_1')).toMatchObject({
      status: 'failed',
      error: { code: 'moderation_blocked', message: 'moderation_blocked: Blocked by our moderation system.' },
    });
    await gateway.addChannel({ type: 26, name: 'glm', models: 'cogvideox-3', key: 'id.secret' });
    await gateway.setOption('ModelPrice', JSON.stringify({ 'cogvideox-3': 0.03 }));
    const failed = { id: '8353992', task_status: 'FAIL', error: { code: '1301', message: 'Unsafe content.' } };
    gateway.upstream.route('/api/paas/v4/videos/generations', json(200, failed));
    const response = await gateway.call('/v1/videos', { model: 'cogvideox-3', prompt: 'a cat', seconds: 5 });
    expect(await response.json()).toMatchObject({ status: 'failed', error: { message: 'Unsafe content.' } });
    expect(await spent()).toBe(0);
  });

  it('of a model that only channels of other kinds have are refused by its name', async () => {
    await gateway.addChannel({ type: 14, name: 'claude', models: 'claude-sonnet-4-5' });
    const response = await gateway.call('/v1/videos', { model: 'claude-sonnet-4-5', prompt: 'a cat' });
    const message = expect.stringContaining('No channel provides the model claude-sonnet-4-5 in the group default.');
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: expect.objectContaining({ message, param: 'model', code: 'model_not_found' }) },
    ]);
  });

  it('are not free where their model has a ratio and no price', async () => {
    await gateway.addChannel({ name: 'clips', models: 'clip-1,clip-free' });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'clip-1': 2, 'clip-free': 0 }));
    gateway.upstream.route('/v1/videos', json(200, video({ model: 'clip-1' })));
    const make = (model: string, size: string) =>
      gateway.call('/v1/videos', { model, prompt: 'a cat', seconds: 4, size });
    expect((await make('clip-1', '1280x720')).status).toBe(200);
    // 0.1 dollars a second, as for any job whose price nothing says.
    expect(await spent()).toBe(4 * second);
    await make('clip-1', '1792x1024');
    expect(await spent()).toBe(4 * second + Math.floor((4 * second * 5) / 3));
    const log = await gateway.lastLog();
    expect(log).toMatchObject({
      model_name: 'clip-1',
      quota: Math.floor((4 * second * 5) / 3),
      other: { model_price: 0.1 },
    });
    const before = await spent();
    await make('clip-free', '1280x720');
    expect(await spent()).toBe(before);
  });

  it('that are deleted while they are made are paid back at once, unless they were done already', async () => {
    gateway.upstream.route('/v1/videos', json(200, video()));
    await create();
    const deleted = { id: 'video_1', object: 'video.deleted', deleted: true };
    gateway.upstream.route('/v1/videos/video_1', ({ method }) =>
      json(200, method === 'DELETE' ? deleted : video({ status: 'in_progress', progress: 40 })),
    );
    expect(await client.videos.delete('video_1')).toMatchObject({ deleted: true });
    expect(await spent()).toBe(0);
    expect(await poll()).toBeUndefined();
    await expect(client.videos.retrieve('video_1')).rejects.toMatchObject({ status: 404 });

    gateway.upstream.route('/v1/videos', json(200, video({ id: 'video_2' })));
    await create();
    gateway.upstream.route('/v1/videos/video_2', ({ method }) =>
      json(200, method === 'DELETE' ? { ...deleted, id: 'video_2' } : { ...done, id: 'video_2' }),
    );
    expect(await client.videos.delete('video_2')).toMatchObject({ deleted: true });
    expect(await spent()).toBe(8 * second);

    gateway.upstream.route('/v1/videos', json(200, video({ id: 'video_3' })));
    await create();
    gateway.upstream.route('/v1/videos/video_3', ({ method }) =>
      method === 'DELETE'
        ? json(400, { error: { message: 'still in progress', type: 'invalid_request_error', param: null, code: null } })
        : json(200, video({ id: 'video_3', status: 'in_progress' })),
    );
    await expect(client.videos.delete('video_3')).rejects.toMatchObject({ status: 409 });
    expect(await client.videos.retrieve('video_3')).toMatchObject({ id: 'video_3', status: 'queued' });
    expect(await spent()).toBe(16 * second);
  });

  it('cannot begin with a file of the account at the upstream, named in JSON or in a form', async () => {
    gateway.upstream.route('/v1/videos', json(200, video()));
    const body = { model: 'sora-2', prompt: 'a cat', input_reference: { file_id: 'file-of-another' } };
    const named = await gateway.call('/v1/videos', body);
    const refusal = { error: { message: expect.stringContaining('input_reference.file_id') } };
    expect([named.status, await named.json()]).toMatchObject([400, refusal]);
    const form = new FormData();
    form.set('model', 'sora-2');
    form.set('prompt', 'a cat');
    form.set('input_reference[file_id]', 'file-of-another');
    const headers = { authorization: `Bearer ${gateway.key}` };
    const posted = await fetch(`${gateway.url}/v1/videos`, { method: 'POST', headers, body: form });
    expect([posted.status, await posted.json()]).toMatchObject([400, refusal]);
    expect([gateway.upstream.requests.length, await spent()]).toEqual([0, 0]);
    const address = { ...body, input_reference: { image_url: 'https://cdn.example/first.png' } };
    expect((await gateway.call('/v1/videos', address)).status).toBe(200);
  });

  it('that fail are paid back, and tell why', async () => {
    gateway.upstream.route('/v1/videos', json(200, video()));
    await create();
    const error = { code: 'moderation_blocked', message: 'Blocked by our moderation system.' };
    gateway.upstream.route('/v1/videos/video_1', json(200, video({ status: 'failed', error })));
    expect(await poll()).toMatchObject({ failed: 1 });
    expect(await spent()).toBe(0);
    expect(await client.videos.retrieve('video_1')).toMatchObject({
      status: 'failed',
      error: { code: 'moderation_blocked', message: 'moderation_blocked: Blocked by our moderation system.' },
    });
    gateway.upstream.route(
      '/v1/videos',
      json(400, { error: { message: 'bad size', type: 'invalid_request_error', code: null, param: 'size' } }),
    );
    await expect(create()).rejects.toMatchObject({ status: 400, message: expect.stringContaining('bad size') });
    await expect(create({ seconds: '0' as never })).rejects.toMatchObject({ status: 400, param: 'seconds' });
    await expect(create({ size: 'huge' as never })).rejects.toMatchObject({ status: 400, param: 'size' });
    await expect(create({ prompt: '' })).rejects.toMatchObject({ status: 400, param: 'prompt' });
    expect(await spent()).toBe(0);
  });

  it('of another vendor look the same to the client', async () => {
    await gateway.addChannel({ type: 26, name: 'glm', models: 'cogvideox-3', key: 'id.secret' });
    await gateway.setOption('ModelPrice', JSON.stringify({ 'cogvideox-3': 0.03 }));
    const started = { id: '8353992', model: 'cogvideox-3', request_id: 'r', task_status: 'PROCESSING' };
    gateway.upstream.route('/api/paas/v4/videos/generations', json(200, started));
    const input_reference = { image_url: 'https://cdn.example/first.png' };
    const created = await gateway.call('/v1/videos', {
      model: 'cogvideox-3',
      prompt: 'a cat',
      seconds: 5,
      size: '1280x720',
      input_reference,
    });
    expect(await created.json()).toMatchObject({ id: '8353992', object: 'video', status: 'in_progress', seconds: '5' });
    expect(gateway.upstream.requests[0]?.json).toEqual({
      model: 'cogvideox-3',
      prompt: 'a cat',
      size: '1280x720',
      duration: 5,
      image_url: 'https://cdn.example/first.png',
    });
    expect(await spent()).toBe(5 * 15_000);
    const result = [{ url: 'https://cdn.example/v.mp4', cover_image_url: 'https://cdn.example/v.png' }];
    const finished = { ...started, task_status: 'SUCCESS', video_result: result };
    gateway.upstream.route('/api/paas/v4/async-result/8353992', json(200, finished));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    expect(await client.videos.retrieve('8353992')).toMatchObject({ status: 'completed', model: 'cogvideox-3' });
    await expect(client.videos.downloadContent('8353992')).rejects.toMatchObject({ status: 502 });
  });
});
