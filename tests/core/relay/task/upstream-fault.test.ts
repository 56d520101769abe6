import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { drawingQuery } from '../../../../core/schemas/drawing.ts';
import { taskQuery } from '../../../../core/schemas/task.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import {
  drawing,
  song,
  startTaskVendors,
  submissions,
  type TaskVendors,
  takenId,
  type VendorJob,
  type VendorName,
  video,
} from '../../../support/task-vendors.ts';
import { engines } from '../../../support/temporary-database.ts';
import { cut, type FakeResponse, json } from '../../../support/upstream-script.ts';

const names: VendorName[] = ['drawing', 'song', 'video'];

describe.each(engines)('paid jobs whose upstream errs, on %s', (engine) => {
  let gateway: TestGateway;
  let vendors: TaskVendors;
  let before: number;

  beforeEach(async () => {
    gateway = await startGateway(engine);
    vendors = startTaskVendors(gateway.upstream);
    for (const name of names) await gateway.addChannel({ ...vendors.channels[name], name, key: `${name}-key` });
    before = await gateway.quotaOf(gateway.userId);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  async function submit(name: VendorName): Promise<VendorJob> {
    const { path, body } = submissions[name];
    const response = await gateway.call(path, body);
    const id = takenId(name, await response.json());
    const job = vendors.jobs.find((known) => known.id === id);
    if (response.status !== 200 || !job) throw new Error(`the ${name} was not taken: ${response.status} ${id}`);
    return job;
  }
  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }
  /** Status and reason by the vendor's task ID. */
  async function states(): Promise<Record<string, string>> {
    const rows = await gateway.app.database.select<{ task_id: string; status: string; fail_reason: string }>(
      'SELECT task_id, status, fail_reason FROM tasks ORDER BY id',
    );
    return Object.fromEntries(rows.map(({ task_id, status, fail_reason }) => [task_id, `${status} ${fail_reason}`]));
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));
  const sunoSays = (...data: unknown[]) =>
    gateway.upstream.route('/suno/fetch', json(200, { code: 'success', message: '', data }));
  const drawingsSay = (...data: unknown[]) => gateway.upstream.route('/mj/task/list-by-condition', json(200, data));

  it('F61 responses that name unknown jobs, name one twice, leave one out or come in another order change only what they tell', async () => {
    const [a, b, c, d] = [await submit('song'), await submit('song'), await submit('song'), await submit('song')];
    const strange = { id: 'strange', vendor: 'song', state: 'failed', asked: 0 } as const;
    sunoSays(
      ...[null, 7, {}, { task_id: 5, status: 'FAILURE' }],
      song(strange),
      song({ ...c, state: 'succeeded' }),
      // Two ends of one job: neither is believed.
      song({ ...b, state: 'failed' }),
      song({ ...b, state: 'succeeded' }),
      song({ ...a, state: 'failed' }),
      song({ ...a, state: 'failed' }),
    );
    expect(await poll()).toMatchObject({ asked: 4, succeeded: 1, failed: 1 });
    expect(await states()).toEqual({
      [a.id]: 'FAILURE moderation',
      [b.id]: 'NOT_START ',
      [c.id]: 'SUCCESS ',
      [d.id]: 'NOT_START ',
    });
    expect(await spent()).toBe(3 * 50_000);
    sunoSays(song({ ...d, state: 'succeeded' }), song({ ...b, state: 'failed' }));
    expect(await poll()).toMatchObject({ asked: 2, succeeded: 1, failed: 1 });
    expect(await spent()).toBe(2 * 50_000);
  });

  it('F61 a response about another job is not taken for this one’s', async () => {
    const [mine, other] = [await submit('video'), await submit('video')];
    gateway.upstream.route(`/v1/videos/${mine.id}`, json(200, video({ ...other, state: 'failed' })));
    gateway.upstream.route(`/v1/videos/${other.id}`, json(200, video({ ...other, state: 'running' })));
    await poll();
    expect(await states()).toEqual({ [mine.id]: 'IN_PROGRESS ', [other.id]: 'IN_PROGRESS ' });
    expect(await spent()).toBe(2 * 200_000);
  });

  it('F61 a job that is over stays over, whatever is said of it later', async () => {
    const [done, failed] = [await submit('drawing'), await submit('drawing')];
    const said = (first: VendorJob['state'], second: VendorJob['state']) =>
      drawingsSay(drawing({ ...done, state: first }), drawing({ ...failed, state: second }));
    // The slow response was written before the other: it says what was true then.
    const late = json(200, [drawing({ ...done, state: 'failed' }), drawing({ ...failed, state: 'succeeded' })]);
    gateway.upstream.respond({ ...late, firstByteMs: 400 });
    said('succeeded', 'failed');
    const asked = gateway.upstream.requests.length;
    const slow = poll();
    await expect.poll(() => gateway.upstream.requests.length).toBe(asked + 1);
    const quick = poll();
    expect(await quick).toMatchObject({ succeeded: 1, failed: 1 });
    expect(await slow).toMatchObject({ succeeded: 0, failed: 0 });
    said('running', 'running');
    expect(await poll()).toBeUndefined();
    expect(await states()).toMatchObject({ [done.id]: 'SUCCESS ', [failed.id]: expect.stringMatching(/^FAILURE/) });
    expect(await spent()).toBe(50_000);
  });

  it('texts and numbers that no database accepts hold back no refund', async () => {
    const [odd, plain] = [await submit('song'), await submit('song')];
    const reason = `bad\0 \ud800 word ${'x'.repeat(5000)}`;
    const oddest = { ...song({ ...odd, state: 'failed' }), fail_reason: reason, finish_time: 1e300, progress: '\0' };
    sunoSays(oddest, { ...song({ ...plain, state: 'running' }), progress: 'a\0b', start_time: 2 ** 53 - 1 });
    expect(await poll()).toMatchObject({ failed: 1, changed: 1 });
    expect(await spent()).toBe(50_000);
    const state = (await states())[odd.id] ?? '';
    expect(state).toMatch(/^FAILURE bad {2}word x+$/);
    expect(state.length).toBeLessThan(2100);
  });

  it.each([
    ['is unknown there', json(404, { error: { message: 'No such video.' } })],
    ['gets a nonsense response', json(200, '<html>')],
    ['breaks the upstream', json(500, { error: { message: 'oops' } })],
  ])('a job that %s keeps no other job of its channel waiting', async (_what, wrong) => {
    const [bad, good] = [await submit('video'), await submit('video')];
    gateway.upstream.route(`/v1/videos/${bad.id}`, wrong);
    gateway.upstream.route(`/v1/videos/${good.id}`, json(200, video({ ...good, state: 'succeeded' })));
    expect(await poll()).toMatchObject({ asked: 1, succeeded: 1, failed: 0 });
    // It may be there again.
    gateway.upstream.route(`/v1/videos/${bad.id}`, json(200, video({ ...bad, state: 'succeeded' })));
    expect(await poll()).toMatchObject({ succeeded: 1 });
    expect(await spent()).toBe(2 * 200_000);
  });

  it('an upstream that fails for all its jobs is left alone after a few, and those that were not asked about come first', async () => {
    const jobs = [];
    for (let count = 0; count < 5; count += 1) jobs.push(await submit('video'));
    const asked: string[] = [];
    for (const { id } of jobs) {
      gateway.upstream.route(`/v1/videos/${id}`, () => {
        asked.push(id);
        return json(500, { error: { message: 'oops' } });
      });
    }
    await poll();
    expect(asked).toEqual(jobs.slice(0, 3).map(({ id }) => id));
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = next_poll_at - 15');
    await gateway.app.services.taskProgress.poll();
    expect(asked.slice(3, 5)).toEqual(jobs.slice(3).map(({ id }) => id));
  });

  it('a response that is too large for all jobs together is asked for in parts', async () => {
    const jobs = [await submit('drawing'), await submit('drawing'), await submit('drawing')];
    // Servers repeat the mask that a job was begun with.
    const maskBase64 = 'x'.repeat(9 * 1024 * 1024);
    gateway.upstream.route('/mj/task/list-by-condition', ({ json: body }) => {
      const { ids } = body as { ids: string[] };
      const asked = jobs.filter(({ id }) => ids.includes(id));
      return json(
        200,
        asked.map((job) => ({ ...drawing({ ...job, state: 'succeeded' }), maskBase64 })),
      );
    });
    expect(await poll()).toMatchObject({ succeeded: 3 });
    // Lists read all that is kept of a hundred of them.
    const sizes = await gateway.app.database.select<{ size: number }>('SELECT length(data) AS size FROM tasks');
    expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThan(2000);
  });

  it('one that cannot be reached does not hold up the others', async () => {
    const [lost, kept] = [await submit('drawing'), await submit('song')];
    gateway.upstream.route('/mj/task/list-by-condition', { end: { after: -1, how: 'reset' } });
    sunoSays(song({ ...kept, state: 'succeeded' }));
    expect(await poll()).toMatchObject({ asked: 1, succeeded: 1 });
    expect(await states()).toEqual({ [lost.id]: 'SUBMITTED ', [kept.id]: 'SUCCESS ' });
  });

  it('tells users neither the key nor the address of the channel in what it says of a failure', async () => {
    const { url } = gateway.upstream;
    const says = (name: VendorName) => `Post "${url}/x": key ${name}-key of 10.0.0.7 refused`;
    const shown: unknown[] = [];
    const see = async (path: string, body: object) => shown.push(await (await gateway.call(path, body)).json());
    // Refused at once, in a response that is no error; and by one that is.
    gateway.upstream.respond(json(200, { code: 24, description: says('drawing'), properties: { bannedWord: 'x' } }));
    await see(submissions.drawing.path, submissions.drawing.body);
    expect(shown[0]).toMatchObject({ code: 24, properties: { bannedWord: 'x' } });
    gateway.upstream.route('/mj/submit/imagine', json(200, { code: 23, description: says('drawing') }));
    await see(submissions.drawing.path, submissions.drawing.body);
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'failed', message: says('song'), data: null }));
    await see(submissions.song.path, submissions.song.body);
    gateway.upstream.respond(
      json(200, {
        ...video({ id: 'v', vendor: 'video', state: 'failed', asked: 0 }),
        error: { code: 'x', message: says('video') },
      }),
    );
    await see(submissions.video.path, submissions.video.body);
    // Failed later.
    const job = await submit('video');
    const failed = { ...video({ ...job, state: 'failed' }), error: { code: 'x', message: says('video') } };
    gateway.upstream.route(`/v1/videos/${job.id}`, json(200, failed));
    expect(await poll()).toMatchObject({ failed: 1 });
    const { tasks, drawings } = gateway.app.services;
    shown.push(
      await tasks.list(systemActor, taskQuery.parse({})),
      await drawings.list(systemActor, drawingQuery.parse({})),
    );
    const text = JSON.stringify(shown);
    expect(text.match(/refused/g)?.length).toBeGreaterThanOrEqual(8);
    for (const secret of [url, new URL(url).host, 'drawing-key', 'song-key', 'video-key', '10.0.0.7'])
      expect(text, secret).not.toContain(secret);
  });

  it.each([
    ['contains NUL', 'a\0b'],
    ['is endless', 'x'.repeat(5000)],
    ['contains a line break', 'a\r\nb'],
  ])('an id that %s is invalid: nothing is charged, and there is no row', async (_what, id) => {
    gateway.upstream.route('/suno/submit/MUSIC', json(200, { code: 'success', message: '', data: id }));
    const response = await gateway.call(submissions.song.path, submissions.song.body);
    expect([response.status, await response.json()]).toEqual([502, expect.objectContaining({ data: null })]);
    expect(await spent()).toBe(0);
    expect(await states()).toEqual({});
  });

  it('a refusal with a text that no database takes is free, and kept for its user', async () => {
    const description = `no\0 ${'x'.repeat(5000)}`;
    gateway.upstream.route('/mj/submit/imagine', json(200, { code: 24, description }));
    const response = await gateway.call(submissions.drawing.path, submissions.drawing.body);
    expect([response.status, await response.json()]).toEqual([
      200,
      { code: 24, description: expect.stringMatching(/^no +x+…$/) },
    ]);
    expect(await spent()).toBe(0);
    expect(Object.values(await states())).toEqual([expect.stringMatching(/^FAILURE no +x+…$/)]);
  });

  describe('with a second channel for each', () => {
    const paths = { drawing: '/mj/submit/imagine', song: '/suno/submit/MUSIC', video: '/v1/videos' };
    beforeEach(async () => {
      for (const name of names)
        await gateway.addChannel({ ...vendors.channels[name], name: 'other', key: 'other-key' });
    });

    async function asked(name: VendorName, response: FakeResponse) {
      gateway.upstream.route(paths[name], response);
      const seen = gateway.upstream.requests.length;
      const { status } = await gateway.call(submissions[name].path, submissions[name].body);
      expect(await spent()).toBe(0);
      return [status, gateway.upstream.requests.length - seen];
    }

    it.each<[string, () => FakeResponse, number]>([
      ['whose connection is reset', () => cut({}, -1, 'reset'), 502],
      ['whose response breaks off', () => cut(json(200, { id: 'video_1', object: 'video' }), 5), 502],
      ['that a gateway gave up waiting for', () => json(504, { error: { message: 'timeout' } }), 504],
    ])('a job %s may have been taken: it is not begun again, here or elsewhere', async (_what, response, status) => {
      for (const name of names) expect(await asked(name, response()), name).toEqual([status, 1]);
      expect(await states()).toEqual({});
    });

    it('a job that was taken without a name is not begun again either', async () => {
      const nameless = {
        drawing: json(200, { code: 1, description: 'ok', result: '' }),
        song: json(200, { code: 'success', message: '', data: '' }),
        video: json(200, { object: 'video' }),
      };
      for (const name of names) expect(await asked(name, nameless[name]), name).toEqual([502, 1]);
    });

    it.each<[string, () => FakeResponse]>([
      ['a server error', () => json(500, { error: { message: 'oops' } })],
      ['an overload', () => json(503, { error: { message: 'busy' } })],
      ['a refusal that breaks off', () => cut(json(500, { error: { message: 'oops' } }), 5)],
      ['a web page', () => ({ status: 200, body: Buffer.from('<html>Sign in</html>') })],
    ])('a job that meets %s goes to the other channel', async (_what, response) => {
      for (const name of names) expect((await asked(name, response()))[1], name).toBe(3);
    });

    it('a job whose kept connection had closed goes out again', async () => {
      const { path, body } = submissions.song;
      await submit('song');
      gateway.upstream.respond(cut({}, -1, 'reset'));
      expect((await gateway.call(path, body)).status).toBe(200);
    });
  });

  it('two jobs that got the same id are two jobs, and their pictures are their owners’ alone', async () => {
    await gateway.setOption('ServerAddress', gateway.url);
    gateway.upstream.route(
      '/mj/submit/imagine',
      json(200, { code: 1, description: 'ok', result: '7', properties: {} }),
    );
    const stranger = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    await gateway.call('/mj/submit/imagine', { prompt: 'mine' });
    drawingsSay({
      ...drawing({ id: '7', vendor: 'drawing', state: 'succeeded', asked: 0 }),
      imageUrl: 'https://a.example/mine.png',
    });
    await poll();
    await gateway.call('/mj/submit/imagine', { prompt: 'theirs' }, { key: stranger });
    const get = async (key: string) => {
      const response = await fetch(`${gateway.url}/mj/task/7/fetch`, { headers: { authorization: `Bearer ${key}` } });
      return (await response.json()) as { status: string; prompt: string; imageUrl: string };
    };
    expect(await get(gateway.key)).toMatchObject({ status: 'SUCCESS', prompt: 'mine' });
    expect(await get(stranger)).toMatchObject({ status: 'SUBMITTED', prompt: 'theirs', imageUrl: '' });
    const { imageUrl } = await get(gateway.key);
    // Theirs has no picture yet, so an address that leads to it would be unknown; this one leads to the vendor of mine.
    expect((await fetch(imageUrl)).status).toBe(502);
    const owner = /user=(\d+)/.exec(imageUrl)?.[1];
    expect((await fetch(imageUrl.replace(`user=${owner}`, `user=${Number(owner) + 1}`))).status).toBe(400);
  });
});
