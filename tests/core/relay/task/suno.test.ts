import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

const accepted = { code: 'success', message: '', data: '0b1c2d3e-task' };
const clip = { id: 'clip-a', status: 'streaming', title: 'T', audio_url: 'https://a.example/1.mp3' };
const report = (changes: object) => ({
  code: 'success',
  message: '',
  data: [
    {
      id: 1,
      task_id: '0b1c2d3e-task',
      action: 'MUSIC',
      status: 'IN_PROGRESS',
      fail_reason: '',
      submit_time: 1_700_000_000,
      start_time: 1_700_000_005,
      finish_time: 0,
      data: [clip],
      ...changes,
    },
  ],
});
/** 0.1 dollars. */
const price = 50_000;

describe.each(engines)('songs on %s', (engine) => {
  let gateway: TestGateway;
  let channelId: number;
  let before: number;

  beforeEach(async () => {
    gateway = await startGateway(engine, {}, {});
    channelId = await gateway.addChannel({
      type: 36,
      name: 'songs',
      models: 'suno_music,suno_lyrics',
      key: 'suno-key',
    });
    before = await gateway.quotaOf(gateway.userId);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  const submit = (body: object = { prompt: '[Verse] la la', title: 'T' }, action = 'music', key?: string) =>
    gateway.call(`/suno/submit/${action}`, body, key === undefined ? {} : { key });
  const fetchTask = async (id = '0b1c2d3e-task', key = gateway.key) => {
    const response = await fetch(`${gateway.url}/suno/fetch/${id}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  /** As the job does, once all that is under way is due. */
  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));

  it('of a model with only a ratio cost what a picture does', async () => {
    await gateway.setOption('ModelRatio', '{"suno_music":40}');
    gateway.upstream.route('/suno/submit/MUSIC', json(200, accepted));
    expect((await submit()).status).toBe(200);
    // 0.0025 dollars times the ratio.
    expect(await spent()).toBe(price);
  });

  it('are charged when the vendor takes them, followed to their end, and shown to their owner alone', async () => {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, accepted));
    const response = await submit();
    expect([response.status, await response.json()]).toEqual([200, accepted]);
    const [sent] = gateway.upstream.requests;
    expect(sent?.headers.authorization).toBe('Bearer suno-key');
    expect(sent?.json).toEqual({ prompt: '[Verse] la la', title: 'T', mv: 'chirp-v3-0', make_instrumental: false });
    expect(await spent()).toBe(price);
    const [log] = await gateway.logs();
    expect(log).toMatchObject({ model_name: 'suno_music', quota: price, channel_id: channelId });
    expect(log?.other).toMatchObject({ task_id: '0b1c2d3e-task', action: 'MUSIC' });
    expect((await fetchTask()).body).toMatchObject({ code: 'success', data: { status: 'NOT_START', action: 'MUSIC' } });

    gateway.upstream.route('/suno/fetch', json(200, report({})));
    expect(await poll()).toEqual({ asked: 1, changed: 1, succeeded: 0, failed: 0 });
    expect((await fetchTask()).body).toMatchObject({
      data: { status: 'IN_PROGRESS', start_time: 1_700_000_005, data: [clip] },
    });
    gateway.upstream.route('/suno/fetch', json(200, report({ status: 'SUCCESS', finish_time: 1_700_000_090 })));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    expect(await poll()).toBeUndefined();
    const done = { status: 'SUCCESS', progress: '100%', finish_time: 1_700_000_090 };
    expect((await fetchTask()).body).toMatchObject({ data: done });
    const list = await gateway.call('/suno/fetch', { ids: ['0b1c2d3e-task', 'other'] });
    expect(await list.json()).toMatchObject({ code: 'success', data: [done] });
    expect(await spent()).toBe(price);

    const stranger = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    const refused = await fetchTask('0b1c2d3e-task', stranger);
    expect([refused.status, refused.body.code, refused.body.data]).toEqual([400, 'task_not_exist', null]);
  });

  it('that fail are paid back once, whether the vendor says so, forgets them or their channel goes', async () => {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, accepted));
    await submit();
    gateway.upstream.route(
      '/suno/fetch',
      json(200, report({ status: 'FAILURE', fail_reason: 'moderation', data: [] })),
    );
    expect(await poll()).toMatchObject({ failed: 1 });
    expect(await spent()).toBe(0);
    expect((await fetchTask()).body).toMatchObject({ data: { status: 'FAILURE', fail_reason: 'moderation' } });
    expect(await poll()).toBeUndefined();

    gateway.upstream.route('/suno/submit/MUSIC', json(200, { ...accepted, data: 'forgotten' }));
    await submit();
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data: [] }));
    expect(await poll()).toMatchObject({ asked: 1, failed: 0 });
    expect(await spent()).toBe(price);
    await gateway.app.database.sequelize.query('UPDATE tasks SET submit_time = submit_time - 86401, polls = 288');
    expect(await poll()).toMatchObject({ failed: 1 });
    expect((await fetchTask('forgotten')).body).toMatchObject({ data: { fail_reason: 'not finished after 24 h' } });

    gateway.upstream.route('/suno/submit/MUSIC', json(200, { ...accepted, data: 'homeless' }));
    await submit();
    await gateway.app.database.channels.destroy({ where: { id: channelId } });
    expect(await poll()).toMatchObject({ failed: 1 });
    expect(await spent()).toBe(0);
    expect((await fetchTask('homeless')).body).toMatchObject({
      data: { fail_reason: 'the channel of the task was removed' },
    });
  });

  it('that the vendor refuses cost nothing', async () => {
    gateway.upstream.always(json(200, { code: 'internal_error', message: 'no account', data: null }));
    const failed = await submit();
    expect(failed.status).toBe(500);
    expect(await failed.json()).toEqual({
      code: 'internal_error',
      message: expect.stringContaining('no account'),
      data: null,
    });
    gateway.upstream.always(json(401, { code: 'invalid_request', message: 'unauthorized secret token', data: null }));
    const dead = await submit();
    expect(dead.status).toBe(502);
    expect(await dead.json()).toMatchObject({ code: 'upstream_key_refused', data: null });
    expect(await spent()).toBe(0);
    expect(await gateway.app.database.select('SELECT id FROM tasks')).toEqual([]);
  });

  it('asked for in the wrong way are refused in Suno’s own shape', async () => {
    const cases: [action: string, body: object, code: string, words: RegExp][] = [
      ['dance', {}, 'invalid_request', /dance is not a supported action.*music, lyrics/],
      ['lyrics', {}, 'invalid_request', /prompt is required/],
      ['music', { prompt: 5 }, 'invalid_request', /prompt must be a string/],
      ['music', { continue_clip_id: 'c' }, 'invalid_request', /task_id is required/],
      ['music', { continue_clip_id: 'c', task_id: 'not-mine' }, 'task_not_exist', /task not-mine does not exist/],
    ];
    for (const [action, body, code, words] of cases) {
      const response = await submit(body, action);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ code, message: expect.stringMatching(words), data: null });
    }
    expect(gateway.upstream.requests).toEqual([]);
    const poor = await gateway.addToken(await gateway.addUser('poor', 100));
    const unpaid = await submit(undefined, 'music', poor);
    expect([unpaid.status, ((await unpaid.json()) as { code: string }).code]).toEqual([403, 'quota_not_enough']);
  });

  it('that go on from an earlier one go to its channel', async () => {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, accepted));
    await submit();
    const other = await gateway.addChannel({
      type: 36,
      name: 'other',
      models: 'suno_music',
      key: 'other-key',
      priority: 9,
    });
    expect(other).toBeGreaterThan(channelId);
    await submit({ continue_clip_id: 'clip-a', task_id: '0b1c2d3e-task', continue_at: 30 });
    expect(gateway.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer suno-key');
    await submit();
    expect(gateway.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer other-key');
  });
});
