import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDrawings } from '../support/add-drawings.ts';
import { runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

describe('lists for operators', () => {
  let gateway: TestGateway;
  const run = (words: string, options = {}) => runCli(words, { ...options, env: gateway.environment });
  const ids = async (words: string) =>
    (await run(`${words} --fields id`)).stdout.split('\n').filter(Boolean).map(Number);

  beforeAll(async () => {
    gateway = await startGateway();
    const { sequelize } = gateway.app.database;
    const now = Math.floor(Date.now() / 1000);
    const { userId } = gateway;
    await sequelize.query(`INSERT INTO tasks (id, user_id, task_id, platform, action, status, progress, channel_id, quota, submit_time, finish_time, data)
      VALUES (1, ${userId}, 'song-1', 'suno', 'MUSIC', 'SUCCESS', '100%', 1, 500000, ${now - 7200}, ${now - 7100}, '{"title":"blue"}'),
        (2, 1, 'song-2', 'suno', 'LYRICS', 'FAILURE', '30%', 0, 0, ${now}, 0, '')`);
    await addDrawings(gateway.app.database, [
      {
        user_id: userId,
        mj_id: 'mj-1',
        progress: '100%',
        prompt: 'a blue sky',
        channel_id: 1,
        quota: 250_000,
        submit_time: (now - 7200) * 1000,
      },
      { user_id: 1, mj_id: 'mj-2', action: 'UPSCALE', status: 'FAILURE', submit_time: now * 1000 },
    ]);
    await sequelize.query(`INSERT INTO top_ups (id, user_id, amount, money, trade_no, payment_method, create_time, status, quota)
      VALUES (1, ${userId}, 5, 36.5, 'USR2NOabc', 'zfb', ${now}, 'success', 2500000), (2, 1, 1, 7.3, 'USR1NOdef', 'wx', ${now}, 'pending', 500000)`);
  });
  afterAll(() => gateway.stop());

  it('task list narrows by what tasks have, newest first, with their number', async () => {
    expect((await run('task list --json --page-size 1')).json()).toMatchObject({
      page: 1,
      page_size: 1,
      total: 2,
      items: [{ id: 2, task_id: 'song-2', username: 'root' }],
    });
    expect(await ids('task list --page 2 --page-size 1')).toEqual([1]);
    expect(await ids('task list --status FAILURE')).toEqual([2]);
    expect(await ids('task list --user alice --platform suno --action MUSIC --channel fake')).toEqual([1]);
    expect(await ids('task list --since 1h')).toEqual([2]);
    expect(await ids('task list --until 1h')).toEqual([1]);
    expect((await run('task list --username nobody --json')).json()).toMatchObject({ items: [], total: 0 });
    expect((await run('task list')).stdout).toMatch(
      /\n1\tsong-1\tsuno\tMUSIC\talice\tfake\tSUCCESS\t100%\t\$1\.00\t.+\t100s\t\n$/,
    );
    expect((await run('task list --since soon')).code).toBe(2);
    expect((await run('task list --channel nothing')).code).toBe(3);
  });

  it('task get shows one by either id, with what the vendor last said', async () => {
    expect((await run('task get song-1 --json')).json()).toMatchObject({ id: 1, data: { title: 'blue' } });
    expect((await run('task get 1 2 --fields task_id')).stdout).toBe('task_id  song-1\ntask_id  song-2\n');
    expect((await run('task get song-9')).code).toBe(3);
  });

  it('drawing list has times in seconds like every other list', async () => {
    expect((await run('drawing list --json')).json()).toMatchObject({
      total: 2,
      items: [{ id: 4, progress: '0%' }, { id: 3 }],
    });
    expect(await ids('drawing list --until 1h')).toEqual([3]);
    expect(await ids('drawing list --since 1h')).toEqual([4]);
    expect(await ids('drawing list --task-id mj-1')).toEqual([3]);
    expect((await run('drawing list --user 2')).stdout).toContain('a blue sky');
  });

  it('top-up list shows orders and finds one by its trade number', async () => {
    expect(await ids('top-up list')).toEqual([2, 1]);
    const found = await run('top-up list --keyword USR2NOabc');
    expect(found.stdout).toMatch(/^1\tUSR2NOabc\talice\tsuccess\tzfb\t36\.50\t\$5\.00\t/);
  });

  it('top-up complete marks an order as paid after a question, with the reason in the audit log, and once', async () => {
    const words = ['top-up', 'complete', 'USR1NOdef', '--reason', 'seen on the statement'];
    const go = (extra: string[], options = {}) =>
      runCli([...words, ...extra], { ...options, env: gateway.environment });
    const balance = async () => (await run('user get root --json')).json<{ quota: number }>().quota;
    const before = await balance();
    expect((await run('top-up complete USR1NOdef')).code).toBe(2);
    const unasked = await go([]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const declined = await go([], { typed: ['n'] });
    expect([declined.code, declined.stderr]).toEqual([
      1,
      expect.stringContaining(
        'Mark the order USR1NOdef of root as paid (7.30; reason: seen on the statement) and credit $1.00?',
      ),
    ]);
    expect((await go(['--dry-run'])).stdout).toContain('topUp.completeByHand');
    expect(await balance()).toBe(before);

    const done = await go(['--yes', '--json']);
    expect(done.json()).toMatchObject({ trade_no: 'USR1NOdef', status: 'success', quota: 500_000 });
    expect(await balance()).toBe(before + 500_000);
    const again = await go(['--yes']);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('has the status success')]);
    expect(await balance()).toBe(before + 500_000);
    const audit = await run('audit list --action topUp.completeByHand --json');
    expect(audit.json<{ items: object[] }>().items).toMatchObject([
      { before: { status: 'pending' }, after: { status: 'success', reason: 'seen on the statement' } },
    ]);
    expect((await run('top-up complete none --reason x --yes')).code).toBe(3);
    expect(await ids('top-up list --user root')).toEqual([2]);
  });

  it('audit list tells who changed what', async () => {
    await run('user disable alice');
    const { items } = (await run('audit list --action user.disable --json')).json<{ items: object[] }>();
    expect(items).toMatchObject([
      { actor_name: 'system', object_id: '2', before: { status: 1 }, after: { status: 2 } },
    ]);
    expect((await ids('audit list --kind user --user system --since 1h')).length).toBeGreaterThan(1);
    expect(await ids('audit list --kind user --object 99')).toEqual([]);
    expect((await run('audit list --since soon')).code).toBe(2);
  });
});
