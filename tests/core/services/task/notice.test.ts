import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '../../../../core/integrations/mail/mailer.ts';
import { userSettingSchema } from '../../../../core/schemas/user-setting.ts';
import { createNoticeDelivery } from '../../../../core/services/notice/delivery.ts';
import { createNoticeService } from '../../../../core/services/notice/notice.ts';
import { compiledWorker } from '../../../support/compiled-worker.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { startMailServer } from '../../../support/mail-server.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import type { TaskNoticeOrder } from '../../../support/task-notice-worker.ts';
import { openTaskNotices } from '../../../support/task-notices.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

const secret = 'shared secret';
/** 0.1 dollars. */
const price = 50_000;
const picture = 'https://cdn.example/f.png';

describe.each(engines)('the end of a paid job on %s', (engine) => {
  let gateway: TestGateway;
  let receiver: FakeUpstream;
  let notices: ReturnType<typeof openTaskNotices>;
  let aheadSeconds: number;
  const failures: string[] = [];
  const now = () => Math.floor(Date.now() / 1000) + aheadSeconds;

  beforeEach(async () => {
    // The test does the jobs' work itself.
    gateway = await startGateway(engine, { NODE_TYPE: 'slave' });
    await gateway.addChannel({ type: 5, name: 'drawings', models: 'mj_imagine,mj_upscale', key: 'mj-secret' });
    await gateway.addChannel({ type: 36, name: 'songs', models: 'suno_music', key: 'suno-key' });
    receiver = await startFakeUpstream();
    receiver.always(json(204, ''));
    aheadSeconds = 1;
    failures.length = 0;
    notices = open();
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await notices.close();
    await receiver.close();
    await gateway.stop();
  });

  function open(changes: Partial<Parameters<typeof openTaskNotices>[0]> = {}) {
    const { database, secretBox, services } = gateway.app;
    const { options, notices: plain } = services;
    const onFailure = (text: string, error: unknown) => failures.push(`${text}: ${String(error)}`);
    const delivery = { wayTo: () => undefined };
    return openTaskNotices(
      { database, secretBox, options, notices: plain, delivery, now, onFailure, ...changes },
      receiver.url,
    );
  }
  const actorOf = (id: number) => ({ id, name: `user ${id}`, role: 1, address: '' });
  const choose = (setting: object, userId = gateway.userId) =>
    gateway.app.services.self.changeSetting(actorOf(userId), userSettingSchema.parse(setting));
  const hook = (name = 'hook.example.com', more: object = { webhook_secret: secret }) => ({
    notify_type: 'webhook',
    webhook_url: `https://${name}/done?key=1`,
    notify_task_finished: true,
    ...more,
  });
  async function draw(id: string, { body = {}, key = gateway.key }: { body?: object; key?: string } = {}) {
    gateway.upstream.route('/mj/submit/imagine', json(200, { code: 1, description: 'ok', result: id }));
    return gateway.call('/mj/submit/imagine', { prompt: 'a red cat', ...body }, { key });
  }
  const drawing = (id: string, changes: object = {}) => ({
    id,
    action: 'IMAGINE',
    status: 'SUCCESS',
    progress: '100%',
    submitTime: 1_700_000_000_123,
    imageUrl: picture,
    startTime: 1_700_000_003_000,
    finishTime: 1_700_000_060_000,
    failReason: null,
    properties: {},
    ...changes,
  });
  /** What the vendor says from now on, found out by the poller. */
  async function report(...drawings: object[]): Promise<void> {
    gateway.upstream.route('/mj/task/list-by-condition', json(200, drawings));
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    await gateway.app.services.taskProgress.poll();
  }
  async function finishDrawing(id: string, options: Parameters<typeof draw>[1] = {}): Promise<void> {
    await draw(id, options);
    await report(drawing(id));
  }
  const told = () => receiver.requests.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const waiting = async () => (await gateway.app.database.select('SELECT id FROM task_notices')).length;

  it('is sent to the webhook of its user, signed, with the result and without a secret', async () => {
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await choose(hook());
    await finishDrawing('170001');
    expect(await notices.sendDue()).toEqual({ sent: 1, failed: 0 });
    const [request] = receiver.requests;
    const [event] = told();
    expect(request?.path).toBe('/hook.example.com/done');
    expect(notices.asked[0]).toMatchObject({ profile: 'user', method: 'POST' });
    const text = request?.body.toString('utf8') ?? '';
    expect(request?.headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'));
    expect(event).toEqual({
      type: 'task_finished',
      event_id: request?.headers['x-webhook-id'],
      title: expect.stringContaining('your task has finished'),
      content: expect.stringContaining('Drawing 170001 (mj_imagine) is ready.'),
      timestamp: expect.any(Number),
      task: {
        id: '170001',
        kind: 'drawing',
        platform: 'mj',
        action: 'IMAGINE',
        model: 'mj_imagine',
        status: 'SUCCESS',
        fail_reason: '',
        charged: price,
        refunded: 0,
        results: [{ type: 'image', url: expect.stringMatching(/^https:\/\/gate\.example\.com\/mj\/image\/170001\?/) }],
        submit_time: expect.any(Number),
        start_time: 1_700_000_003,
        finish_time: 1_700_000_060,
      },
    });
    for (const hidden of ['mj-secret', gateway.upstream.url, 'channel', 'cdn.example'])
      expect(text).not.toContain(hidden);
    expect(await notices.sendDue()).toBeUndefined();
    await report(drawing('170001'));
    expect(await notices.sendDue()).toBeUndefined();
  });

  it('that failed is reported with its reason and what was refunded', async () => {
    await choose(hook());
    await draw('170002');
    const failReason = `no answer of ${gateway.upstream.url} with key mj-secret`;
    await report(drawing('170002', { status: 'FAILURE', progress: '', failReason, imageUrl: '' }));
    await notices.sendDue();
    const [{ task, content }] = told() as [{ task: { fail_reason: string }; content: string }];
    expect(task).toMatchObject({ status: 'FAILURE', charged: price, refunded: price, results: [] });
    expect(content).toContain('failed and was refunded: ');
    expect(task.fail_reason).toContain('no answer of');
    for (const hidden of ['mj-secret', gateway.upstream.url]) expect(task.fail_reason).not.toContain(hidden);
  });

  it('names the files of a song, also to the address that came with it', async () => {
    await choose(hook());
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'success', message: '', data: 'song-1' }));
    await gateway.call('/suno/submit/music', { prompt: 'la la', notify_hook: 'https://player.example.com/song' });
    expect(gateway.upstream.requests.at(-1)?.json).not.toHaveProperty('notify_hook');
    const clip = { id: 'a', status: 'complete', audio_url: 'https://a.example/1.mp3', video_url: '', title: 'T' };
    const song = { task_id: 'song-1', action: 'MUSIC', status: 'SUCCESS', fail_reason: '', data: [clip] };
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data: [song] }));
    await report();
    expect(await notices.sendDue()).toEqual({ sent: 2, failed: 0 });
    const events = told();
    expect(events.find(({ type }) => type === 'task_finished')).toMatchObject({
      task: { id: 'song-1', kind: 'music', results: [{ type: 'audio', url: 'https://a.example/1.mp3' }] },
    });
    // The address that came with the job gets what a fetch shows.
    expect(events.find(({ task_id }) => task_id === 'song-1')).toMatchObject({ status: 'SUCCESS', data: [clip] });
  });

  it('names the download of a video, and is not told of one that its owner deleted', async () => {
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await gateway.addChannel({ name: 'videos', models: 'sora-2', key: 'video-key' });
    await choose(hook());
    const video = (id: string, status: string) => json(200, { id, object: 'video', model: 'sora-2', status });
    for (const id of ['video_1', 'video_2']) {
      gateway.upstream.route('/v1/videos', video(id, 'queued'));
      await gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a red cat', seconds: '4' });
      gateway.upstream.route(`/v1/videos/${id}`, video(id, 'completed'));
    }
    await gateway.app.services.taskStore.hide(gateway.userId, 'video', 'video_2');
    await report();
    await notices.sendDue();
    expect(told()).toMatchObject([
      {
        task: {
          id: 'video_1',
          kind: 'video',
          status: 'SUCCESS',
          results: [{ type: 'video', url: 'https://gate.example.com/v1/videos/video_1/content' }],
        },
      },
    ]);
  });

  it('is sent only to users who switched it on and are not banned', async () => {
    await finishDrawing('1');
    await choose(hook('hook.example.com', { notify_task_finished: false }));
    await finishDrawing('2');
    expect(await waiting()).toBe(0);
    await choose(hook());
    await finishDrawing('3');
    await choose(hook('hook.example.com', { webhook_secret: secret, notify_task_finished: false }));
    expect(await notices.sendDue()).toEqual({ sent: 0, failed: 0 });
    await choose(hook());
    await finishDrawing('4');
    await gateway.app.database.users.update({ status: 2 }, { where: { id: gateway.userId } });
    expect(await notices.sendDue()).toEqual({ sent: 0, failed: 0 });
    expect([told(), await waiting()]).toEqual([[], 0]);
  });

  it('changes the job only together with the note to tell of it', async () => {
    await choose(hook());
    await draw('5');
    await draw('6');
    const { database } = gateway.app;
    await database.sequelize.query('ALTER TABLE task_notices RENAME TO elsewhere');
    const failed = { status: 'FAILURE', failReason: 'bad', imageUrl: '' };
    await report(drawing('5'), drawing('6', failed));
    const states = await database.select('SELECT status FROM tasks ORDER BY id');
    expect(states).toEqual([{ status: 'SUBMITTED' }, { status: 'SUBMITTED' }]);
    await database.sequelize.query('ALTER TABLE elsewhere RENAME TO task_notices');
    await report(drawing('5'), drawing('6', failed));
    expect(await notices.sendDue()).toEqual({ sent: 2, failed: 0 });
  });

  it('is sent once when it had ended at its submit, and once when a window was filled in between', async () => {
    await choose(hook());
    await finishDrawing('7');
    const done = { code: 21, description: 'exists', result: '8', properties: { status: 'SUCCESS', imageUrl: picture } };
    gateway.upstream.route('/mj/submit/change', json(200, done));
    await gateway.call('/mj/submit/change', { taskId: '7', action: 'UPSCALE', index: 1 });
    // The same id again, as for a window: the later job stands for both.
    await draw('9');
    await draw('9');
    await report(drawing('9'));
    await notices.sendDue();
    const ids = told().map(({ task }) => (task as { id: string }).id);
    expect(ids.sort()).toEqual(['7', '8', '9']);
  });

  it('is sent again with the same event id while the receiver returns 500, and given up after six tries', async () => {
    receiver.always(json(500, 'no'));
    await choose(hook());
    await finishDrawing('10');
    for (const pause of [0, 61, 301, 1801, 7201, 21_601, 86_401]) {
      aheadSeconds += pause;
      await notices.sendDue();
      // Not before it is due.
      expect(await notices.sendDue()).toBeUndefined();
    }
    expect(receiver.requests).toHaveLength(6);
    expect(new Set(told().map(({ event_id }) => event_id)).size).toBe(1);
    expect(failures.map((text) => text.replace(/:.*/, ''))).toEqual([
      ...Array(5).fill('a webhook will be called again later'),
      'a webhook was given up',
    ]);
    expect(failures.join()).not.toContain('key=1');
    expect(await waiting()).toBe(0);
    receiver.always(json(204, ''));
    receiver.respond(json(503, 'busy'));
    await finishDrawing('11');
    await notices.sendDue();
    aheadSeconds += 61;
    expect(await notices.sendDue()).toEqual({ sent: 1, failed: 0 });
  });

  it('does not wait for a receiver that hangs, neither in the poller nor for other users', async () => {
    const other = await gateway.addUser('bob', 10_000_000);
    const key = await gateway.addToken(other);
    await choose(hook('hanging.example.com'));
    await choose(hook('quick.example.com'), other);
    receiver.route('/hanging.example.com/done', { stall: 'headers' });
    for (const id of ['12', '13', '14']) await draw(id);
    await draw('15', { key });
    await report(drawing('12'), drawing('13'), drawing('14'), drawing('15'));
    const sending = notices.sendDue();
    await receiver.waitForRequests(2);
    await draw('16', { key });
    await report(drawing('16'));
    const [{ open }] = (await gateway.app.database.select<{ open: number }>(
      "SELECT count(*) AS open FROM tasks WHERE status <> 'SUCCESS'",
    )) as [{ open: number }];
    expect(open).toBe(0);
    // The hanging one was called once, not once for each of its jobs.
    expect(await sending).toEqual({ sent: 1, failed: 1 });
    expect(await notices.sendDue()).toMatchObject({ sent: 1 });
    const paths = receiver.requests.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/quick'))).toHaveLength(2);
  });

  it('S10 follows no redirect, and reaches no address of this network', async () => {
    receiver.always(json(302, '', { location: `${receiver.url}/elsewhere` }));
    await choose(hook());
    await finishDrawing('17');
    expect(await notices.sendDue()).toEqual({ sent: 0, failed: 1 });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook.example.com/done']);
    // Stored before such addresses were refused.
    const setting = JSON.stringify({ ...hook(), webhook_secret: '', webhook_url: `${receiver.url}/inside` });
    await gateway.app.database.users.update({ setting }, { where: { id: gateway.userId } });
    await finishDrawing('18', { body: { notifyHook: 'http://127.0.0.1:8080/inside' } });
    // The server's own service, which calls what it is told to.
    await gateway.app.services.taskNotices.sendDue();
    expect(receiver.requests).toHaveLength(1);
    expect(await waiting()).toBe(3);
  });

  it('is sent once when several nodes look at the same moment', async () => {
    await choose(hook());
    for (const id of ['20', '21', '22']) await draw(id, { body: { notifyHook: `https://client.example.com/${id}` } });
    await report(...['20', '21', '22'].map((id) => drawing(id)));
    const others = [open(), open()];
    await Promise.all([notices, ...others].map(({ sendDue }) => sendDue()));
    await notices.sendDue();
    for (const { close } of others) await close();
    expect(receiver.requests).toHaveLength(6);
  });

  it('is sent later, with the same event id, when the process that sent it was killed in the call', async () => {
    await choose(hook('hook.example.com', {}));
    await finishDrawing('23');
    receiver.respond({ stall: 'headers' });
    const order: TaskNoticeOrder = { database: gateway.app.config.database, receiverUrl: receiver.url };
    const child = spawn(process.execPath, [compiledWorker('tests/support/task-notice-worker'), JSON.stringify(order)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await receiver.waitForRequests(1, 60_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The next process leaves it alone until it is due again.
    expect(await notices.sendDue()).toBeUndefined();
    aheadSeconds += 61;
    expect(await notices.sendDue()).toEqual({ sent: 1, failed: 0 });
    const [first, second] = told();
    expect(second).toMatchObject({ event_id: first?.event_id, type: 'task_finished' });
  });

  it('is sent by mail, with all that ended together in one', async () => {
    const mail = await startMailServer();
    const { database, secretBox, outbound, services } = gateway.app;
    const mailer = createMailer({
      settings: () => ({
        host: '127.0.0.1',
        port: mail.port,
        tls: false,
        account: '',
        password: '',
        from: 'gate@example.com',
        senderName: 'Tollgate',
      }),
      openSocket: (host, port) => outbound.openSocket(host, port, 'operatorPrivate'),
      onFailure: (text, error) => failures.push(`${text} ${String(error)}`),
    });
    const delivery = createNoticeDelivery({ secretBox, options: services.options, mailer, outbound, now });
    const onFailure = (text: string) => failures.push(text);
    const plain = createNoticeService({ database, delivery, limit: { count: 1, minutes: 10 }, onFailure, now });
    const byMail = open({ delivery, notices: plain });
    await choose({ notify_task_finished: true, notification_email: 'alice@example.com' });
    for (const id of ['30', '31']) await draw(id);
    await report(drawing('30'), drawing('31', { status: 'FAILURE', failReason: 'moderation', imageUrl: '' }));
    expect(await byMail.sendDue()).toEqual({ sent: 2, failed: 0 });
    await plain.sendDue();
    const { subject, text } = await mail.take('alice@example.com');
    expect(subject).toContain('your tasks have finished');
    expect(text).toContain('Drawing 30 (mj_imagine) is ready.');
    expect(text).toContain('Drawing 31 (mj_imagine) failed and was refunded: moderation');
    // No more mails than one in ten minutes here; what comes in between waits, and is not lost.
    for (const id of ['32', '33']) await finishDrawing(id);
    expect(await byMail.sendDue()).toEqual({ sent: 0, failed: 0 });
    aheadSeconds += 601;
    expect(await byMail.sendDue()).toEqual({ sent: 2, failed: 0 });
    await plain.sendDue();
    expect((await mail.take('alice@example.com')).text).toMatch(/Drawing 32.*Drawing 33/s);
    expect([await waiting(), failures]).toEqual([0, []]);
    await byMail.close();
    mailer.close();
    await mail.close();
  });

  it('is sent to the address that came with the job, as a fetch shows it, and not by the vendor', async () => {
    await draw('40', { body: { notifyHook: 'https://client.example.com/done' } });
    expect(gateway.upstream.requests.at(-1)?.json).not.toHaveProperty('notifyHook');
    await report(drawing('40', { status: 'IN_PROGRESS', progress: '50%' }));
    expect(await notices.sendDue()).toBeUndefined();
    await report(drawing('40'));
    expect(await notices.sendDue()).toEqual({ sent: 1, failed: 0 });
    const [request] = receiver.requests;
    expect(request?.path).toBe('/client.example.com/done');
    // The user's secret signs for the user's own address alone.
    expect(request?.headers['x-webhook-signature']).toBeUndefined();
    expect(request?.headers['x-webhook-id']).toMatch(/^task-/);
    const fetched = await fetch(`${gateway.url}/mj/task/40/fetch`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(told()).toEqual([await fetched.json()]);
    const wrong = await draw('41', { body: { notifyHook: 'file:///etc/passwd' } });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('notifyHook must be a URL')]);
    // The user's own webhook, whose secret cannot be decrypted, does not keep it from this address.
    const { users } = gateway.app.database;
    const where = { id: gateway.userId };
    await users.update(
      { setting: JSON.stringify(hook('own.example.com', { webhook_secret: 'v1:damaged' })) },
      { where },
    );
    await finishDrawing('43');
    await finishDrawing('44', { body: { notifyHook: 'https://client.example.com/done' } });
    expect(await notices.sendDue()).toEqual({ sent: 1, failed: 1 });
    expect(failures.join()).toContain('cannot be decrypted');
    await users.update({ setting: '' }, { where });
    await gateway.app.database.taskNotices.destroy({ where: {} });
    // An upstream that is given the address tells it itself.
    await gateway.setOption('MjNotifyEnabled', 'true');
    await finishDrawing('42', { body: { notifyHook: 'https://client.example.com/done' } });
    expect(await notices.sendDue()).toBeUndefined();
  });
});
