import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { failure, json } from '../support/upstream-script.ts';

const video = (id: string, changes: object = {}) => ({
  id,
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
const drawing = (id: string, changes: object = {}) => ({
  id,
  action: 'IMAGINE',
  status: 'IN_PROGRESS',
  progress: '46%',
  prompt: 'a red cat',
  promptEn: 'a red cat',
  submitTime: 1_700_000_000_123,
  startTime: 1_700_000_003_000,
  finishTime: null,
  failReason: null,
  properties: {},
  imageUrl: 'https://cdn.example/p.webp',
  ...changes,
});

describe('paid jobs on the command line', () => {
  let gateway: TestGateway;
  let made = 0;
  let before: number;
  const run = (words: string, options = {}) => runCli(words, { ...options, env: gateway.environment });
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.addChannel({ name: 'sora', models: 'sora-2', key: 'sora-key' });
    await gateway.addChannel({ type: 5, name: 'drawings', models: 'mj_imagine', key: 'mj-secret' });
  });
  beforeEach(async () => {
    before = await gateway.quotaOf(gateway.userId);
  });
  afterAll(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  /** A video for 0.80 dollars, of which its vendor says that it runs. */
  async function buyVideo(): Promise<string> {
    const id = `video_${++made}`;
    gateway.upstream.route('/v1/videos', json(200, video(id)));
    expect((await gateway.call('/v1/videos', { model: 'sora-2', prompt: 'a cat', seconds: 8 })).status).toBe(200);
    gateway.upstream.route(`/v1/videos/${id}`, json(200, video(id, { status: 'in_progress', progress: 40 })));
    return id;
  }
  async function buyDrawing(): Promise<string> {
    const id = `17000000000001${++made}`;
    const accepted = { code: 1, description: 'ok', result: id, properties: {} };
    gateway.upstream.route('/mj/submit/imagine', json(200, accepted));
    expect((await gateway.call('/mj/submit/imagine', { prompt: 'a red cat' })).status).toBe(200);
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [drawing(id)]));
    return id;
  }
  async function ends(id: string, changes: object): Promise<void> {
    gateway.upstream.route(`/v1/videos/${id}`, json(200, video(id, changes)));
    await gateway.app.services.taskProgress.look({ taskId: id, userId: gateway.userId });
  }
  const succeeds = (id: string) => ends(id, { status: 'completed', progress: 100, completed_at: 1_700_000_090 });
  const fails = (id: string) => ends(id, { status: 'failed', error: { code: 'blocked', message: 'No cats.' } });

  it('get shows prompt, state, links, cost and what came back', async () => {
    const id = await buyVideo();
    await succeeds(id);
    const good = await run(`task get ${id}`);
    expect(good.stdout).toMatch(/^status +SUCCESS$/m);
    expect(good.stdout).toMatch(/^prompt +a cat$/m);
    expect(good.stdout).toMatch(/^quota +\$0\.80$/m);
    expect(good.stdout).toMatch(/^submit_time +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
    expect(good.stdout).toMatch(/^results +\S*\/api\/task\/\d+\/file\/0\/video$/m);
    const lost = await buyVideo();
    await fails(lost);
    const bad = await run(`task get ${lost}`);
    expect(bad.stdout).toMatch(/^fail_reason +blocked: No cats\.$/m);
    expect(bad.stdout).toMatch(/^refund +\$0\.80$/m);
    expect((await run(`task get ${lost} --json`)).json()).toMatchObject({ status: 'FAILURE', refund: 400_000 });
    const picture = await buyDrawing();
    const shown = await run(`drawing get ${picture}`);
    expect(shown.stdout).toMatch(/^prompt +a red cat$/m);
    expect((await run('drawing list --status SUBMITTED --action IMAGINE --json')).json()).toMatchObject({ total: 1 });
    const complete = async (noun: string) => (await run(`complete 3 -- ${noun} get ${id.slice(0, 5)}`)).stdout;
    expect([await complete('task'), await complete('drawing')]).toEqual([expect.stringContaining(id), '']);
    // Each list knows its own jobs only.
    for (const words of [`task get ${picture}`, `drawing get ${id}`, 'drawing get 999', 'drawing cancel 999']) {
      const unknown = await run(words);
      expect({ words, code: unknown.code, stdout: unknown.stdout }).toEqual({ words, code: 3, stdout: '' });
      expect(unknown.stderr).toContain('not found');
    }
  });

  it('wait ends with the job, and its code tells how that ended', async () => {
    const [good, bad] = [await buyVideo(), await buyVideo()];
    const waiting = run(`task wait ${good} --json`);
    await succeeds(good);
    const done = await waiting;
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.json()).toMatchObject({ task_id: good, status: 'SUCCESS' });
    expect((await run(`task wait ${good}`)).stderr).toContain(`${good} succeeded in`);
    await fails(bad);
    const failed = await run(`task wait ${bad}`);
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toContain('No cats.');
    const both = await run(`task wait ${good} ${bad} --json`);
    expect(both.code).toBe(6);
    expect(
      both.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).status),
    ).toEqual(['SUCCESS', 'FAILURE']);
  });

  it('wait gives up after --timeout, and stops without a mess', async () => {
    const id = await buyVideo();
    const late = await run(`task wait ${id} --timeout 0s`);
    expect([late.code, late.stdout]).toEqual([8, '']);
    expect(late.stderr).toMatch(/did not finish within .*QUEUED/);
    expect((await run(`task wait ${id} --timeout soon`)).code).toBe(2);
    // In front of a screen the progress is shown, and Ctrl-C ends it.
    const stopped = await run(`task wait ${id}`, {
      typed: [],
      watch: (text: string, signal: (name: 'SIGINT') => void) => text.includes('QUEUED') && signal('SIGINT'),
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain(`${id}: QUEUED 0%`);
    expect(stopped.stderr.endsWith('\r\u001b[K')).toBe(true);
    expect((await run(`drawing wait ${await buyDrawing()} --timeout 0s`)).code).toBe(8);
  });

  it('cancel refunds what the provider has stopped, and names what it cannot stop', async () => {
    const [id, other] = [await buyVideo(), await buyVideo()];
    const charged = await spent();
    gateway.upstream.route(`/v1/videos/${id}`, ({ method }) =>
      json(200, method === 'DELETE' ? { id, object: 'video.deleted', deleted: true } : video(id)),
    );
    const rehearsed = await run(`task cancel ${id} --dry-run`);
    expect([rehearsed.code, rehearsed.stdout]).toEqual([0, `${id} would be canceled\n`]);
    expect((await run(`task cancel ${id}`)).code).toBe(2);
    expect(await spent()).toBe(charged);
    const canceled = await run(`task cancel ${id} --yes --json`);
    expect(canceled.json()).toMatchObject({ success: true, data: { fail_reason: 'canceled', refunded: 400_000 } });
    expect(await spent()).toBe(charged - 400_000);
    const again = await run(`task cancel ${id} --yes`);
    expect(again.code).toBe(5);
    expect(again.stderr).toContain('already ended (FAILURE)');
    gateway.upstream.route(`/v1/videos/${other}`, ({ method }) =>
      method === 'DELETE' ? failure(400, { message: 'Only finished videos.' }) : json(200, video(other)),
    );
    const refused = await run(`task cancel ${other} --yes`);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('Only finished videos.');
    expect((await run('audit list --action task.cancel --json')).json()).toMatchObject({
      items: [{ actor_name: 'system', after: { status: 'FAILURE', fail_reason: 'canceled' } }],
    });
    const picture = await buyDrawing();
    gateway.upstream.route(`/mj/task/${picture}/cancel`, json(200, { code: 1, description: 'ok' }));
    expect((await run(`drawing cancel ${picture} --yes`)).stdout).toBe(`${picture} canceled, $0.10 refunded\n`);
  });
});
