import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('token commands', () => {
  let home: CliHome;
  beforeAll(async () => {
    home = createCliHome();
    await home.run('user create --name alice --password-stdin', { stdin: 'right horse 1\n' });
  });
  afterAll(() => home.remove());

  it('creates a token and shows its key once', async () => {
    const words = [
      'token',
      'create',
      '--name',
      'ci',
      '--user',
      'alice',
      '--quota',
      '$10',
      '--expires',
      '30d',
      '--models',
      'gpt-4o',
    ];
    const run = await home.run([...words, '--allow-ips', '10.0.0.0/8,192.168.1.5']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^sk-[0-9A-Za-z]{48}\n$/);
    expect(run.stderr).toBe(
      'token 1 created: ci\nThe key is shown only once. To see it again: tollgate token show-key 1\n',
    );
    const key = run.stdout.trim();
    const list = await home.run('token list --user alice --json');
    expect(list.stdout).not.toContain(key.slice(3));
    const [token] = list.json<{ items: Record<string, unknown>[] }>().items;
    expect(token).toMatchObject({
      id: 1,
      user_id: 2,
      name: 'ci',
      remain_quota: 5_000_000,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o',
      allow_ips: '10.0.0.0/8\n192.168.1.5',
    });
    const seconds = Number(token?.expired_time) - Math.floor(Date.now() / 1000);
    expect(Math.abs(seconds - 30 * 86_400)).toBeLessThan(60);
    expect((await home.run('token show-key ci')).stdout.trim()).toBe(key);
    expect((await home.run(`token list --keyword ${key} --json`)).json()).toMatchObject({
      total: 1,
      items: [{ id: 1 }],
    });
    expect((await home.run(`token get ${key} --json`)).json()).toMatchObject({ id: 1 });
    const unknown = await home.run('token get sk-0123456789012345678901234567890123456789abcdefgh');
    expect(unknown).toMatchObject({ code: 3, stderr: expect.not.stringContaining('0123456789') });
    expect((await home.run('token show-key ci --json')).json()).toEqual({ id: 1, name: 'ci', key });
  });

  it('makes several at once, the later ones with letters behind the name', async () => {
    const tried = await home.run('token create --name team --count 3 --dry-run');
    expect(tried.stdout.match(/token\.create/g)).toHaveLength(3);
    expect(tried.stderr).toBe('dry run: 3 changes would be made\n');
    expect((await home.run('token list --keyword team --json')).json()).toMatchObject({ total: 0 });
    const run = await home.run('token create --name team --count 3 --json');
    const tokens = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const form = { remain_quota: 500_000, unlimited_quota: false };
    expect(tokens[0]).toMatchObject({ name: 'team', user_id: 1, ...form, expired_time: -1 });
    expect(tokens[1].name).toMatch(/^team-[0-9A-Za-z]{6}$/);
    expect(new Set(tokens.map(({ key }) => key)).size).toBe(3);
  });

  it('G-162 says how long the name of several may be', async () => {
    const refused = await home.run(['token', 'create', '--name', 'n'.repeat(24), '--count', '2']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('name: at most 23 bytes when several') });
    expect((await home.run(['token', 'list', '--keyword', 'nnn', '--json'])).json()).toMatchObject({ total: 0 });
    expect((await home.run(['token', 'create', '--name', 'n'.repeat(24)])).code).toBe(0);
  });

  it('G-157 reads an expiry as people write it and refuses anything else', async () => {
    const run = await home.run(['token', 'create', '--name', 'dated', '--expires', '2030-01-31 12:30:00', '--json']);
    expect(run.json().expired_time).toBe(new Date(2030, 0, 31, 12, 30, 0).getTime() / 1000);
    for (const wrong of ['soon', '2030-02-30 00:00:00', '31/01/2030', '5', '-1d']) {
      const refused = await home.run(['token', 'create', '--name', 'x', `--expires=${wrong}`, '--language', 'zh']);
      expect(refused.code, wrong).toBe(2);
      expect(refused.stderr).toContain('过期时间格式错误！');
    }
  });

  it('refuses an expiry in the past, and changes the rest of a token that has expired', async () => {
    const refused = await home.run(['token', 'create', '--name', 'late', '--expires', '2020-01-31 12:30:00']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('must be in the future') });
    expect((await home.run('token create --name now --expires 0h')).code).toBe(2);
    expect((await home.run('token list --keyword late --json')).json()).toMatchObject({ total: 0 });
    await home.run('token create --name aging');
    const edit = await home.run('token update aging --expires 2020-01-31 --json');
    expect(edit).toMatchObject({ code: 2, stderr: expect.stringContaining('must be in the future') });
    expect((await home.run('token get aging --json')).json()).toMatchObject({ expired_time: -1 });
  });

  it('takes the commas of Chinese keyboards between models and addresses', async () => {
    const lists = ['--models', 'gpt-4o，o3、 o1,', '--allow-ips', '10.0.0.1，10.0.0.2、10.0.0.3'];
    const run = await home.run(['token', 'create', '--name', 'typed', ...lists, '--json']);
    expect(run.json()).toMatchObject({ model_limits: 'gpt-4o,o3,o1', allow_ips: '10.0.0.1\n10.0.0.2\n10.0.0.3' });
    const shown = await home.run(['token', 'get', 'typed', '--json', '--fields', 'id，name、group']);
    expect(Object.keys(shown.json())).toEqual(['id', 'name', 'group']);
  });

  it('G-161 refuses an invalid quota, an unknown user and an invalid address', async () => {
    expect((await home.run('token create --name x --quota -5')).code).toBe(2);
    expect((await home.run('token create --name x --quota 1.5')).code).toBe(2);
    expect((await home.run('token create --name x --user nobody')).code).toBe(3);
    const address = await home.run('token create --name x --allow-ips 10.0.0.300');
    expect(address.code).toBe(2);
    expect(address.stderr).toContain('10.0.0.300 is not an IP address');
    expect((await home.run('token create --name x --count 0')).code).toBe(2);
  });

  it('enables, disables and removes by id or by name', async () => {
    expect((await home.run('token disable ci')).stdout).toBe('token 1 (ci) disabled\n');
    const [row] = (await home.run('token list --user alice')).stdout.split('\n');
    expect(row).toMatch(/^1\tci\talice\tdisabled\tsk-[0-9A-Za-z]{2}…[0-9A-Za-z]{4}\t\$10\.00\t\$0\.00\t/);
    expect((await home.run('token enable 1 --json')).json()).toEqual({
      success: true,
      message: 'token 1 (ci) enabled',
      data: { id: 1, status: 1 },
    });
    expect((await home.run('token enable ci --user root')).code).toBe(3);
    expect((await home.run('token remove ci')).code).toBe(2);
    const both = await home.run('token remove team dated --yes --json');
    const lines = both.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ success: true, message: '2 of 2 done' });
    expect((await home.run('token show-key team')).code).toBe(3);
  });

  it('changes what is named and leaves the rest, of several line by line', async () => {
    const changed = await home.run([
      'token',
      'update',
      'ci',
      '--quota',
      '$20',
      '--models',
      'gpt-4o,o3',
      '--expires',
      'never',
      '--json',
    ]);
    expect(changed.json()).toMatchObject({
      id: 1,
      name: 'ci',
      remain_quota: 10_000_000,
      unlimited_quota: false,
      model_limits: 'gpt-4o,o3',
      expired_time: -1,
      allow_ips: '10.0.0.0/8\n192.168.1.5',
      key: expect.stringMatching(/^sk-.{2}….{4}$/),
    });
    expect((await home.run(['token', 'update', '1', '--unlimited', '--models', ''])).stdout).toBe(
      'token 1 changed: ci\n',
    );
    expect((await home.run('token get ci --json')).json()).toMatchObject({
      unlimited_quota: true,
      model_limits_enabled: false,
      model_limits: '',
      remain_quota: 10_000_000,
    });
    const both = await home.run('token update 1 3 --group default --json');
    expect(
      both.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { success: true, data: { id: 1, group: 'default' } },
      { success: true, data: { id: 3, group: 'default' } },
      { success: true, message: '2 of 2 done' },
    ]);
    const tried = await home.run('token update ci --name other --dry-run --json');
    expect(tried.json()).toMatchObject({ data: { changes: [{ action: 'token.update', after: { name: 'other' } }] } });
    for (const wrong of [
      'ci',
      'ci --quota 1 --unlimited',
      'ci --quota lots',
      'ci --expires soon',
      'ci --allow-ips here',
    ]) {
      expect((await home.run(`token update ${wrong}`)).code, wrong).toBe(2);
    }
    expect((await home.run('token update nobody --group default')).code).toBe(3);
    expect((await home.run('token update ci --group nowhere')).code).not.toBe(0);
    // Five units are not five dollars.
    for (const command of ['update ci', 'create --name five']) {
      const refused = await home.run(`token ${command} --quota 5`);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("'$5' would be 2,500,000 units") });
    }
    expect((await home.run('token list --json')).stdout).not.toContain('"five"');
    expect((await home.run('token update ci --quota 5 --group default', { typed: ['yes'] })).code).toBe(0);
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('is of the root account where none is named, whatever the name of that is', async () => {
    expect((await home.run('user update root --name boss --yes')).code).toBe(0);
    expect((await home.run('token create --name rooted')).stderr).toContain('rooted');
    expect((await home.run('token list --user boss --fields name')).stdout).toContain('rooted');
    expect((await home.run('init --no-input')).code).toBe(0);
    await home.run('token remove rooted --yes');
    expect((await home.run('user update boss --name root --yes')).code).toBe(0);
  });

  it('lists tokens in the order that is asked for', async () => {
    const names = async (flags: string) =>
      (await home.run(`token list --fields name ${flags}`)).stdout.split('\n').filter(Boolean);
    await home.run('token create --name zebra --user alice');
    await home.run('token create --name ant --user alice');
    expect(await names('--user alice --sort name')).toEqual(['ant', 'ci', 'zebra']);
    expect(await names('--user alice --sort -name --page-size 1')).toEqual(['zebra']);
    expect((await home.run('token list --sort key')).code).toBe(2);
    await home.run('token remove zebra ant --yes');
  });

  it('asks for the id when several tokens have the name', async () => {
    await home.run('token create --name same');
    await home.run('token create --name same --user alice');
    const run = await home.run('token disable same');
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('use the id');
    expect((await home.run('token disable same --user alice')).code).toBe(0);
  });
});
