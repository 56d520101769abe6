import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';
import { inRanges } from '../../support/ranged-file.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';
import { json } from '../../support/upstream-script.ts';

const song = Buffer.from('ID3-the-bytes-of-a-song');
const password = 'correct horse battery';

describe.each(engines)('files of tasks in the console on %s', (engine) => {
  let gateway: TestGateway;
  let elsewhere: FakeUpstream;
  let alice: ConsoleClient;
  let root: ConsoleClient;

  beforeEach(async () => {
    gateway = await startGateway(engine);
    elsewhere = await startFakeUpstream();
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music', key: 'suno-key' });
    await gateway.addChannel({ name: 'sora', models: 'sora-2', key: 'sora-key' });
    [alice, root] = [createConsoleClient(gateway.url), createConsoleClient(gateway.url)];
    await alice.signIn('alice', password);
    await root.signIn('root', password);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
    await elsewhere.close();
  });

  async function poll(): Promise<void> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    await gateway.app.services.taskProgress.poll();
  }

  async function makeSong(): Promise<void> {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'success', message: '', data: 'task-1' }));
    await gateway.call('/suno/submit/music', { prompt: '[Verse] rain', title: 'Rain' });
    const clip = {
      id: 'a',
      status: 'complete',
      title: 'Rain',
      audio_url: `${gateway.upstream.url}/1.mp3`,
      video_url: '',
      image_url: `${elsewhere.url}/1.png`,
      metadata: { tags: 'pop', prompt: '[Verse] rain' },
    };
    const task = { task_id: 'task-1', action: 'MUSIC', status: 'SUCCESS', fail_reason: '', data: [clip] };
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data: [task] }));
    await poll();
  }

  /** As a player asks: the cookie and no header of ours. */
  const play = (client: ConsoleClient | undefined, path: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, { headers: { ...(client && { cookie: client.cookie }), ...headers } });

  it('are served to their owner and to admins only, whole or from any second', async () => {
    await makeSong();
    gateway.upstream.route('/1.mp3', inRanges('audio/mpeg', song));
    const [task] = await alice.data(alice.get('/api/task/self'));
    expect(task.made).toEqual([
      {
        title: 'Rain',
        text: '[Verse] rain',
        tags: 'pop',
        video: '',
        audio: `/api/task/${task.id}/file/0/audio`,
        picture: `/api/task/${task.id}/file/0/picture`,
      },
    ]);
    const { audio, picture } = task.made[0];
    const whole = await play(alice, audio);
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('content-length')]).toEqual([
      200,
      'audio/mpeg',
      String(song.length),
    ]);
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(song);
    // The vendor's key is for its interface, not for an address that its responses name.
    expect(gateway.upstream.requests.at(-1)?.headers.authorization).toBeUndefined();
    const part = await play(root, audio, { range: 'bytes=4-6' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-6/${song.length}`,
      'the',
    ]);
    expect((await play(alice, audio, { range: 'items=all' })).status).toBe(200);

    expect((await play(undefined, audio)).status).toBe(401);
    expect((await play(alice, audio, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    await gateway.addUser('mallory', 0);
    const mallory = createConsoleClient(gateway.url);
    await mallory.signIn('mallory', password);
    const unknown = [
      audio,
      audio.replace('file/0', 'file/1'),
      audio.replace('audio', 'video'),
      '/api/task/x/file/0/audio',
    ];
    const foreign = await play(mallory, audio);
    expect([foreign.status, ((await foreign.json()) as { success: boolean }).success]).toEqual([404, false]);
    for (const path of unknown.slice(1)) expect((await play(alice, path)).status, path).toBe(404);

    // The cover is at a private address that the channel was not given: it is not fetched.
    expect((await play(alice, picture)).status).toBe(502);
    expect(elsewhere.requests).toEqual([]);
    gateway.upstream.route('/1.mp3', { headers: { 'content-type': 'text/html' }, body: Buffer.from('<script>') });
    expect((await play(alice, audio)).status).toBe(502);
  });

  it('of videos come from the channel that made them, until their owner deletes them', async () => {
    const video = { id: 'video_1', object: 'video', model: 'sora-2', status: 'queued', progress: 0, error: null };
    gateway.upstream.route('/v1/videos', json(200, video));
    await gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a cat' });
    expect((await alice.data(alice.get('/api/task/self')))[0]).toMatchObject({ platform: 'video', made: [] });
    gateway.upstream.route('/v1/videos/video_1', json(200, { ...video, status: 'completed', progress: 100 }));
    await poll();
    const [task] = await alice.data(alice.get('/api/task/self?platform=video'));
    expect(task).toMatchObject({ status: 'SUCCESS', model: 'sora-2', properties: { input: 'a cat', seconds: '4' } });
    gateway.upstream.route('/v1/videos/video_1/content', inRanges('video/mp4', Buffer.from('mp4-bytes')));
    const part = await play(alice, task.made[0].video, { range: 'bytes=4-' });
    expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([206, 'video/mp4', 'bytes']);
    expect(gateway.upstream.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer sora-key' });

    gateway.upstream.route('/v1/videos/video_1', json(200, { id: 'video_1', deleted: true }));
    const removed = await fetch(`${gateway.url}/v1/videos/video_1`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(removed.status).toBe(200);
    expect((await alice.data(alice.get('/api/task/self')))[0].made).toEqual([]);
    expect((await play(alice, task.made[0].video)).status).toBe(404);
  });

  it('a job that failed tells what came back and leads to its charge', async () => {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'success', message: '', data: 'task-1' }));
    await gateway.call('/suno/submit/music', { prompt: 'la' });
    const [open] = await alice.data(alice.get('/api/task/self'));
    expect(open).toMatchObject({ quota: 50_000, refund: 0, refunded_at: 0, request_id: expect.any(String) });
    const task = { task_id: 'task-1', action: 'MUSIC', status: 'FAILURE', fail_reason: 'moderation', data: [] };
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data: [task] }));
    await poll();
    const [failed] = await root.data(root.get('/api/task/'));
    expect(failed).toMatchObject({ fail_reason: 'moderation', refund: 50_000, made: [], username: 'alice' });
    expect(failed.refunded_at).toBeGreaterThanOrEqual(failed.submit_time);
    const charge = await alice.data(alice.get(`/api/log/self?request_id=${failed.request_id}`));
    expect(charge.items).toMatchObject([{ request_id: failed.request_id, quota: 50_000, model_name: 'suno_music' }]);
    const others = createConsoleClient(gateway.url);
    await gateway.addUser('mallory', 0);
    await others.signIn('mallory', password);
    expect((await others.data(others.get(`/api/log/self?request_id=${failed.request_id}`))).items).toEqual([]);
  });
});
