import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codedText } from '../../../../core/text/text.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { failure, json, type Script } from '../../../support/upstream-script.ts';

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
const running = video({ status: 'in_progress', progress: 40 });
const done = video({ status: 'completed', progress: 100, completed_at: 1_700_000_090 });
const deleted = { id: 'video_1', object: 'video.deleted', deleted: true };
const unknown = failure(404, { type: 'invalid_request_error', message: 'No such video.' });
const drawing = (changes: object = {}) => ({
  id: '1700000000000123',
  action: 'IMAGINE',
  status: 'IN_PROGRESS',
  progress: '46%',
  prompt: 'a red cat',
  submitTime: 1_700_000_000_123,
  startTime: 1_700_000_003_000,
  failReason: null,
  properties: {},
  ...changes,
});
/** Eight seconds at 0.1 dollars. */
const price = 400_000;

describe.each(engines)('canceling a paid job on %s', (engine) => {
  let gateway: TestGateway;
  let alice: ConsoleClient;
  let root: ConsoleClient;
  let before: number;

  beforeEach(async () => {
    gateway = await startGateway(engine);
    await gateway.addChannel({ name: 'sora', models: 'sora-2', key: 'sora-key' });
    before = await gateway.quotaOf(gateway.userId);
    alice = await signedIn('alice');
    root = await signedIn('root');
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  async function signedIn(name: string): Promise<ConsoleClient> {
    const client = createConsoleClient(gateway.url);
    await client.data(client.signIn(name, 'correct horse battery'));
    return client;
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));
  const rows = () =>
    gateway.app.database.select<Record<string, unknown>>(
      'SELECT id, status, progress, fail_reason, quota FROM tasks ORDER BY id',
    );
  const refunds = () => gateway.app.database.select("SELECT amount FROM quota_entries WHERE kind = 'task_refund'");
  const sent = (method: string) => gateway.upstream.requests.filter((request) => request.method === method);
  const cancel = (id: string | number = 'video_1', client = alice, path = 'task') =>
    client.post(`/api/${path}/${id}/cancel`);

  async function buyVideo(): Promise<void> {
    gateway.upstream.route('/v1/videos', json(200, video()));
    const { status } = await gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a cat', seconds: 8 });
    expect([status, await spent()]).toEqual([200, price]);
  }
  /** What the vendor says to looking at the video and to deleting it. */
  const vendorSays = (look: Script, remove: Script) =>
    gateway.upstream.route('/v1/videos/video_1', (request) => {
      const script = request.method === 'DELETE' ? remove : look;
      return typeof script === 'function' ? script(request) : script;
    });
  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }

  const listed = async (client: ConsoleClient, path: string) =>
    ((await client.data(client.get(path))) as { can_cancel: boolean }[]).map(({ can_cancel }) => can_cancel);

  it('gives everything back once the vendor has confirmed, and nothing again', async () => {
    await buyVideo();
    expect(await listed(alice, '/api/task/self')).toEqual([true]);
    vendorSays(json(200, running), json(200, deleted));
    const response = await cancel();
    expect(response).toMatchObject({
      success: true,
      data: { task_id: 'video_1', status: 'FAILURE', fail_reason: '已取消', refunded: price },
    });
    expect(sent('DELETE')).toMatchObject([
      { path: '/v1/videos/video_1', headers: { authorization: 'Bearer sora-key' } },
    ]);
    expect(await rows()).toMatchObject([
      { status: 'FAILURE', progress: '100%', fail_reason: codedText('detail', 'task.canceled'), quota: price },
    ]);
    expect(await spent()).toBe(0);
    expect(await listed(root, '/api/task/')).toEqual([false]);
    expect(await cancel()).toMatchObject({
      success: false,
      message: expect.stringMatching(/already ended \(FAILURE\)|已结束（FAILURE）/),
    });
    await poll();
    expect([await spent(), (await refunds()).length, sent('DELETE').length]).toEqual([0, 1, 1]);
    // An own job leaves no trace in the trail of administrators.
    expect((await root.data(root.get('/api/audit/?action=task.cancel'))).items).toEqual([]);
    const shown = await fetch(`${gateway.url}/v1/videos/video_1`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(await shown.json()).toMatchObject({ status: 'failed', error: { message: 'canceled' } });
  });

  it('leaves a job that finished first as it is, paid', async () => {
    await buyVideo();
    vendorSays(json(200, done), json(200, deleted));
    expect(await cancel()).toMatchObject({ success: false, message: expect.stringContaining('SUCCESS') });
    expect(sent('DELETE')).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'SUCCESS', fail_reason: '' }]);
    expect([await spent(), await refunds()]).toEqual([price, []]);
  });

  it('pays back once when two cancel and the poller looks at the same time', async () => {
    await buyVideo();
    let isDeleted = false;
    vendorSays(
      () => (isDeleted ? unknown : json(200, running)),
      () => {
        const response = isDeleted ? unknown : json(200, deleted);
        isDeleted = true;
        return response;
      },
    );
    const responses = await Promise.all([cancel(), cancel(1), cancel('video_1', root), poll().catch(() => undefined)]);
    expect(responses.filter((response) => (response as { success?: boolean } | undefined)?.success)).toHaveLength(1);
    expect([await spent(), (await refunds()).length]).toEqual([0, 1]);
  });

  it('ends what was deleted at the vendor before the response was lost', async () => {
    await buyVideo();
    vendorSays(unknown, unknown);
    expect(await cancel()).toMatchObject({ success: true, data: { refunded: price } });
    expect([await spent(), (await refunds()).length]).toEqual([0, 1]);
  });

  it('changes nothing when the vendor refuses, does not know the call, fails or is silent about it', async () => {
    await buyVideo();
    const cases: [look: Script, remove: Script, message: RegExp][] = [
      [json(200, running), failure(400, { message: 'Only finished videos can be deleted.' }), /Only finished videos/],
      [json(200, running), failure(404, { message: 'No such route.' }), /No such route/],
      [json(200, running), failure(500, { message: 'Try later.' }), /Try later/],
      [json(200, running), json(200, {}), /did not confirm|未确认/],
      [json(500, {}), json(200, deleted), /did not cancel|未取消/],
      // Whose key it is, is not the user's business.
      [json(200, running), failure(401, { message: 'Bad key.' }), /cannot be reached|暂时无法联系/],
    ];
    for (const [look, remove, message] of cases) {
      vendorSays(look, remove);
      expect(await cancel()).toMatchObject({ success: false, message: expect.stringMatching(message) });
    }
    vendorSays(json(200, running), failure(401, { message: 'Bad key.' }));
    expect((await cancel('video_1', root)).message).toContain('Bad key.');
    expect(await rows()).toMatchObject([{ status: 'QUEUED', fail_reason: '' }]);
    expect([await spent(), await refunds()]).toEqual([price, []]);
  });

  it('is open to owners and administrators only, and an administrator leaves a trace', async () => {
    await buyVideo();
    vendorSays(json(200, running), json(200, deleted));
    await gateway.addUser('mallory', 1_000_000);
    const mallory = await signedIn('mallory');
    for (const id of ['video_1', 1, 'video_9', 987654]) {
      const refused = await cancel(id, mallory);
      expect(refused).toMatchObject({ success: false, message: expect.stringMatching(/not found|未找到/) });
    }
    // Drawings are another list.
    expect(await cancel(1, root, 'mj')).toMatchObject({ success: false });
    expect(sent('DELETE')).toEqual([]);
    const [row] = await rows();
    expect(await cancel(Number(row?.id), root)).toMatchObject({ success: true });
    expect((await root.data(root.get('/api/audit/?action=task.cancel'))).items).toMatchObject([
      {
        actor_name: 'root',
        object_id: String(row?.id),
        before: { status: 'QUEUED' },
        after: { status: 'FAILURE', fail_reason: '已取消' },
      },
    ]);
    expect(await spent()).toBe(0);
  });

  describe('of a drawing', () => {
    const list = '/mj/task/list-by-condition';
    const stop = '/mj/task/1700000000000123/cancel';

    async function buyDrawing(type: number): Promise<void> {
      await gateway.addChannel({ type, name: 'drawings', models: 'mj_imagine', key: 'mj-secret' });
      const accepted = { code: 1, description: 'ok', result: '1700000000000123', properties: {} };
      gateway.upstream.route('/mj/submit/imagine', json(200, accepted));
      expect((await gateway.call('/mj/submit/imagine', { prompt: 'a red cat' })).status).toBe(200);
      expect(await spent()).toBe(50_000);
      gateway.upstream.route(list, json(200, [drawing()]));
    }
    const cancelDrawing = () => cancel('1700000000000123', alice, 'mj');

    it('asks the server for it, and accepts a refusal', async () => {
      await buyDrawing(5);
      expect(await listed(alice, '/api/mj/self')).toEqual([true]);
      gateway.upstream.route(stop, json(200, { code: 4, description: 'task is not in the queue' }));
      expect(await cancelDrawing()).toMatchObject({
        success: false,
        message: expect.stringContaining('task is not in the queue'),
      });
      expect(gateway.upstream.requests.at(-1)).toMatchObject({
        method: 'POST',
        path: stop,
        headers: { 'mj-api-secret': 'mj-secret' },
      });
      expect(await spent()).toBe(50_000);
      gateway.upstream.route(stop, json(200, { code: 1, description: 'ok' }));
      expect(await cancelDrawing()).toMatchObject({
        success: true,
        data: { fail_reason: '已取消', refunded: 50_000 },
      });
      expect([await spent(), (await refunds()).length]).toEqual([0, 1]);
    });

    it('looks at the job where the server responds without a word', async () => {
      await buyDrawing(5);
      gateway.upstream.route(stop, { status: 200 });
      expect(await cancelDrawing()).toMatchObject({
        success: false,
        message: expect.stringMatching(/did not confirm|未确认/),
      });
      expect(await spent()).toBe(50_000);
      let looks = 0;
      gateway.upstream.route(list, () => {
        looks += 1;
        return json(200, [looks === 1 ? drawing() : drawing({ status: 'CANCEL', progress: '' })]);
      });
      expect(await cancelDrawing()).toMatchObject({ success: true });
      expect(await rows()).toMatchObject([{ status: 'FAILURE', fail_reason: codedText('detail', 'task.canceled') }]);
      expect([await spent(), (await refunds()).length]).toEqual([0, 1]);
    });

    it('is refused for servers without such a call', async () => {
      await buyDrawing(2);
      expect(await listed(alice, '/api/mj/self')).toEqual([false]);
      expect(await cancelDrawing()).toMatchObject({
        success: false,
        message: expect.stringMatching(/cannot cancel|不支持取消/),
      });
      expect([await spent(), sent('POST').length]).toEqual([50_000, 1]);
    });
  });

  it('is refused for vendors that cannot: Suno and Zhipu', async () => {
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music', key: 'suno-secret' });
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'success', message: '', data: 'song-1' }));
    await gateway.call('/suno/submit/music', { prompt: 'la la' });
    await gateway.addChannel({ type: 26, name: 'glm', models: 'cogvideox-3', key: 'id.secret' });
    await gateway.setOption('ModelPrice', JSON.stringify({ 'cogvideox-3': 0.03, suno_music: 0.1 }));
    const started = { id: '8353992', model: 'cogvideox-3', request_id: 'r', task_status: 'PROCESSING' };
    gateway.upstream.route('/api/paas/v4/videos/generations', json(200, started));
    await gateway.call('/v1/videos', { model: 'cogvideox-3', prompt: 'a cat', seconds: 5 });
    const paid = await spent();
    const calls = gateway.upstream.requests.length;
    for (const [id, name] of [
      ['song-1', /Suno/],
      // A number that is not a row's.
      ['8353992', /(Zhipu|智谱|ChatGLM|GLM)/i],
    ] as const) {
      const response = await cancel(id);
      expect(response).toMatchObject({ success: false, message: expect.stringMatching(/cannot cancel|不支持取消/) });
      expect(response.message).toMatch(name);
    }
    expect([await spent(), gateway.upstream.requests.length]).toEqual([paid, calls]);
  });
});
