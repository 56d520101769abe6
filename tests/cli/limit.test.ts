import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { createMigratedTarget, engines } from '../support/temporary-database.ts';

describe.each(engines)('limit commands on %s', (engine) => {
  let home: CliHome;
  let removeDatabase: () => Promise<void>;
  const create = (words: string) => home.run(`limit create ${words}`.split(' '));

  beforeAll(async () => {
    const bed = await createMigratedTarget(engine);
    removeDatabase = bed.remove;
    home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
    await home.run('user create --name alice --password-stdin', { stdin: 'long enough 1' });
    await home.run('token create --name ci --user alice');
  });
  afterAll(async () => {
    home.remove();
    await removeDatabase();
  });

  it('limits a token, a user, a group, a model, and each of a kind, with money for budgets', async () => {
    const made = await create('--token ci --requests-per-minute 60 --concurrency 5');
    expect(made.stdout).toContain('limit 1 created: token ci: 60 requests per minute\n');
    expect(made.stdout).toContain('limit 2 created: token ci: 5 concurrent requests\n');
    const budget = await create('--user alice --budget $20 --per month --json');
    expect(budget.json()).toMatchObject({
      id: 3,
      subject_kind: 'user',
      subject_name: 'alice',
      period: 'month',
      amount: 10_000_000,
      usage: [{ used: 0, held: 0, remaining: 10_000_000 }],
    });
    expect((await create('--group vip --tokens-per-hour 100k')).stdout).toBe(
      'limit 4 created: group vip: 100000 tokens per hour\n',
    );
    expect((await create('--model gpt-4o --output-tokens-per-minute 5m')).code).toBe(0);
    expect((await create('--each user --budget $5 --per day')).stdout).toBe(
      'limit 6 created: each user: $5.00 per day\n',
    );
  });

  it('refuses what makes no sense with a reason that says what to do', async () => {
    for (const [words, reason] of [
      ['--token ci', 'set at least one limit'],
      ['--requests-per-minute 5', 'exactly one of --token'],
      ['--token ci --user alice --concurrency 5', 'exactly one of --token'],
      ['--token ci --concurrency 0', '--concurrency'],
      ['--token ci --requests-per-minute 0', '--requests-per-minute "0": a positive whole number'],
      ['--token ci --tokens-per-minute $5', '--tokens-per-minute "$5"'],
      ['--token ci --tokens-per-minute 99999999999999999999', 'too large'],
      ['--token ci --budget $0 --per day', '--budget "$0": more than 0'],
      ['--token ci --budget 5 --per day', "'$5' would be 2,500,000 units"],
      ['--token ci --budget $5', '--per <period>'],
      ['--token ci --budget $5 --per minute', 'hour, day, week, month'],
      ['--token ci --concurrency 5 --per day', '--per needs --budget'],
      ['--each planet --concurrency 5', 'token, user, group, model'],
    ] as const) {
      const { code, stderr, stdout } = await create(words);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
      expect(stderr, words).toContain(reason);
    }
    expect((await create('--token nothing --concurrency 5')).code).toBe(3);
    expect((await create('--token ci --concurrency 9')).code).toBe(5);
    const tried = await create('--token ci --requests-per-hour 60 --dry-run --json');
    expect(tried.json()).toMatchObject({ data: { dry_run: true, changes: [{ action: 'limit.create' }] } });
    expect((await home.run('limit list --json')).json()).toMatchObject({ total: 6 });
    expect((await home.run('limit update 1 --amount $5')).code).toBe(2);
    expect((await home.run('limit get ci')).code).toBe(3);
    expect((await home.run('limit get 99')).code).toBe(3);
  });

  it('lists them with what is used, filtered by whom they are for', async () => {
    const ids = async (flags: string) =>
      (await home.run(`limit list --sort id --fields id ${flags}`)).stdout.split('\n').filter(Boolean).map(Number);
    expect(await ids('')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await ids('--token ci')).toEqual([1, 2]);
    expect(await ids('--user alice')).toEqual([3]);
    expect(await ids('--user alice --with-defaults')).toEqual([3, 6]);
    expect(await ids('--kind user --measure budget')).toEqual([3, 6]);
    const alone = await home.run('limit list --with-defaults --kind user');
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain('--with-defaults needs one of --token, --user, --group, --model');
    expect((await home.run('limit list --kind user --user alice')).code).toBe(2);
    const { stdout } = await home.run('limit list --sort id', { typed: [], columns: 160 });
    expect(stdout).toContain('USED BY');
    expect(stdout).toMatch(/user alice +budget +month +\$20\.00 +\$0\.00 +- +\$0\.00 +\$20\.00 +\d{4}-\d\d-01/);
    expect(stdout).toMatch(/each user +budget +day +\$5\.00/);
  });

  it('stand with the details of a token and a user, those for each of the kind included', async () => {
    const token = await home.run('token get ci');
    expect(token.stdout).toMatch(/^limits +60 requests per minute \(0 used, 60 left\); 5 concurrent requests/m);
    const user = await home.run('user get alice');
    expect(user.stdout).toMatch(
      /^limits +\$20\.00 per month \(\$0\.00 used, \$20\.00 left, resets at .*\); \$5\.00 per day/m,
    );
    expect(user.stdout).toContain('default');
    expect((await home.run('user get alice --json')).json()).toMatchObject({ limits: [{ id: 3 }, { id: 6 }] });
    expect((await home.run('limit get 3')).stdout).toMatch(/^usage +alice: \$0\.00 used/m);
  });

  it('changes, disables, enables and deletes them, after asking', async () => {
    expect((await home.run(['limit', 'update', '3', '--amount', '$30'])).stdout).toBe(
      'limit 3 changed: user alice: $30.00 per month\n',
    );
    expect((await home.run('limit disable 1')).stdout).toBe('limit 1 disabled\n');
    expect((await home.run('limit get 1 --json')).json()).toMatchObject({ enabled: false });
    expect((await home.run('token get ci')).stdout).toContain('disabled');
    expect((await home.run('limit enable 1')).code).toBe(0);
    expect((await home.run('limit remove 1')).code).toBe(2);
    expect((await home.run('limit remove 1', { typed: ['n'] })).stderr).toContain('token ci: 60 requests per minute');
    expect((await home.run('limit remove 1 --dry-run')).code).toBe(0);
    expect((await home.run('limit remove 1 2 --yes')).stdout).toContain('limit 1 deleted\n');
    expect((await home.run('limit list --token ci --json')).json()).toMatchObject({ total: 0 });
  });

  it('speaks Chinese', async () => {
    const made = await home.run([
      'limit',
      'create',
      '--token',
      'ci',
      '--budget',
      '$2',
      '--per',
      'week',
      '--language',
      'zh',
    ]);
    expect(made.stdout).toContain('已创建：token ci: 每周 $2.00');
  });

  it('says 1 request, and 2 requests', async () => {
    for (const [words, rule] of [
      ['--requests-per-hour 1', '1 request per hour'],
      ['--requests-per-hour 2', '2 requests per hour'],
      ['--tokens-per-minute 1', '1 token per minute'],
      ['--input-tokens-per-minute 1', '1 input token per minute'],
      ['--output-tokens-per-minute 1', '1 output token per minute'],
      ['--concurrency 1', '1 concurrent request'],
    ] as const) {
      const [, id = '', said = ''] =
        /^limit (\d+) created: (.*)\n$/.exec((await create(`--user root ${words}`)).stdout) ?? [];
      await home.run(`limit remove ${id} --yes`);
      expect(said).toBe(`user root: ${rule}`);
    }
  });
});
