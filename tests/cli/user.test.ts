import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../core/database/connect.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

const password = 'right horse 1';

describe('user commands', () => {
  let home: CliHome;
  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('creates users with a password from standard input or a hidden question', async () => {
    const piped = await home.run('user create --name alice --display-name Alice --password-stdin --json', {
      stdin: `${password}\n`,
    });
    expect(piped.json()).toMatchObject({
      id: 2,
      username: 'alice',
      display_name: 'Alice',
      password: '',
      access_token: null,
      role: 1,
      status: 1,
      quota: 0,
    });
    const typed = await home.run('user create --name bob', { typed: [password] });
    expect(typed.stdout).toBe('user 3 created: bob\n');
    expect(typed.stderr).not.toContain(password);
  });

  it('refuses what a console would refuse, each with its own exit code', async () => {
    expect((await home.run('user create --name alice --password-stdin', { stdin: password })).code).toBe(5);
    const weak = await home.run('user create --name carol --password-stdin', { stdin: 'short' });
    expect(weak.code).toBe(2);
    expect(weak.stderr).toContain('password: at least 8 characters');
    expect((await home.run('user create --name carol')).stderr).toContain('--password-stdin');
    const spoken = await home.run(['user', 'create', '--name', 'carol', '--password', password]);
    expect(spoken.code).toBe(2);
    expect(spoken.stderr).not.toContain(password);
  });

  it('lists users and shows one', async () => {
    expect((await home.run('user list --json --fields id,username')).json()).toEqual({
      items: [
        { id: 3, username: 'bob' },
        { id: 2, username: 'alice' },
        { id: 1, username: 'root' },
      ],
      page: 1,
      page_size: 30,
      total: 3,
    });
    expect((await home.run('user get root')).stdout).toContain('username           root\n');
    expect((await home.run('user get Alice --json')).json()).toMatchObject({ id: 2 });
    expect((await home.run('user get nobody')).code).toBe(3);
  });

  it('names what a wrong name was probably meant to be', async () => {
    const wrong = await home.run('user get aliec');
    expect(wrong).toMatchObject({ code: 3, stdout: '' });
    expect(wrong.stderr).toBe(
      'tollgate: user aliec not found; did you mean alice?\n  see the list with: tollgate user list\n',
    );
    await home.run('token create --name nightly-build --user alice');
    expect((await home.run('token get nightly-biuld')).stderr).toContain('did you mean nightly-build?');
    const inChinese = await home.run('token create --name ci --user alice --group defualt --language zh');
    expect(inChinese.stderr).toContain('是否想输入 default？');
    const json = JSON.parse((await home.run('option get RetryTime --json')).stderr);
    expect(json.error).toMatchObject({
      code: 'option.notFound',
      message: 'the option RetryTime does not exist; did you mean RetryTimes?',
    });
    expect((await home.run('user get 12')).stderr).not.toContain('mean');
    expect((await home.run('user get somewhere')).stderr).not.toContain('mean');
  });

  it('narrows the list by role, status, group and text, in the order that is asked for', async () => {
    const names = async (flags: string) =>
      (await home.run(`user list --fields username ${flags}`)).stdout.split('\n').slice(0, -1);
    expect(await names('--role root')).toEqual(['root']);
    expect(await names('--role 1 --sort username')).toEqual(['alice', 'bob']);
    expect(await names('--sort -username --page-size 1 --page 2')).toEqual(['bob']);
    expect(await names('--keyword ali')).toEqual(['alice']);
    expect(await names('--group nowhere')).toEqual([]);
    await home.run('user disable bob');
    expect(await names('--status disabled')).toEqual(['bob']);
    expect(await names('--status enabled')).toEqual(['alice', 'root']);
    await home.run('user enable bob');
    for (const wrong of ['--role king', '--status gone', '--sort password', '--sort quota;--']) {
      expect((await home.run(`user list ${wrong}`)).code, wrong).toBe(2);
    }
  });

  it('changes names and group, of one as the object, of several line by line', async () => {
    const one = await home.run(['user', 'update', 'bob', '--name', 'robert', '--display-name', 'Bob B', '--json']);
    expect(one.json()).toMatchObject({ id: 3, username: 'robert', display_name: 'Bob B' });
    expect((await home.run('user update robert --name bob')).stdout).toBe('user 3 changed: bob\n');
    const both = await home.run('user update alice bob --group vip --json');
    const lines = both.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { data: { id: 2, group: 'vip' } },
      { data: { id: 3, group: 'vip' } },
      { success: true },
    ]);
    expect((await home.run('user update alice')).code).toBe(2);
    for (const flag of ['--name', '--group']) {
      const empty = await home.run(`user update alice ${flag}=`);
      expect(empty, flag).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be empty') });
    }
    expect((await home.run('user update alice --name bob')).code).toBe(5);
    expect((await home.run('user update alice --group nowhere')).stderr).toContain('nowhere');
    expect((await home.run('user update nobody --group vip')).code).toBe(3);
    await home.run('user update - --group default', { stdin: 'alice\nbob\n' });
    expect((await home.run('user get alice --json')).json()).toMatchObject({ group: 'default' });
  });

  it('sets an e-mail address after a question, as it opens the door to a password reset', async () => {
    const unasked = await home.run('user update alice --email alice@example.com');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const declined = await home.run('user update alice --email alice@example.com', { typed: ['n'] });
    expect(declined.stderr).toContain('Set the e-mail address of 2 (alice) to alice@example.com?');
    expect((await home.run('user get alice --json')).json()).toMatchObject({ email: '' });
    const set = await home.run('user update alice --email alice@example.com', { typed: ['y'] });
    expect(set.code).toBe(0);
    expect((await home.run('user get alice --json')).json()).toMatchObject({ email: 'alice@example.com' });
    expect((await home.run('user update bob --email ALICE@example.com --yes')).code).toBe(5);
    expect((await home.run('user update bob --email nonsense --yes')).code).toBe(2);
    expect(
      (await home.run('audit list --action user.update --json')).json<{ items: object[] }>().items[0],
    ).toMatchObject({
      after: { email: 'alice@example.com' },
    });
    expect((await home.run('user update alice --no-email --yes --json')).json()).toMatchObject({
      email: '',
    });
  });

  it('promotes, demotes, disables and enables; the super admin stays what he is', async () => {
    expect((await home.run('user promote alice --json')).json()).toEqual({
      success: true,
      message: 'alice is now an admin',
      data: { id: 2, status: 1, role: 10 },
    });
    expect((await home.run('user promote alice')).code).toBe(5);
    expect((await home.run('user demote alice')).stdout).toBe('alice is now a normal user\n');
    expect((await home.run('user disable 2 3')).stdout).toBe('user alice disabled\nuser bob disabled\n2 of 2 done\n');
    expect((await home.run('user enable alice bob --quiet')).stdout).toBe('');
    for (const verb of ['disable', 'demote', 'remove --yes', 'remove --erase --yes']) {
      expect((await home.run(`user ${verb} root`)).code, verb).toBe(4);
    }
    const mixed = await home.run('user disable root bob');
    expect(mixed.code).toBe(4);
    expect(mixed.stderr).toContain('1 (root): a root user cannot be disabled');
    expect((await home.run('user get bob --json')).json()).toMatchObject({ status: 1 });
  });

  it('tells with --dry-run what would change, and changes nothing', async () => {
    for (const words of [
      'disable alice',
      'update alice --group vip',
      'remove alice',
      'quota alice --add 5',
      'promote alice',
    ]) {
      const before = (await home.run('user get alice --json')).stdout;
      const tried = await home.run(`user ${words} --dry-run --json`);
      expect(tried.code, words).toBe(0);
      const { data } = tried.json<{ data: { dry_run: boolean; changes: unknown[] } }>();
      expect(data.dry_run).toBe(true);
      expect(data.changes.length, words).toBeGreaterThan(0);
      expect((await home.run('user get alice --json')).stdout, words).toBe(before);
    }
    expect((await home.run('user disable root --dry-run')).code).toBe(4);
  });

  it('A-138 shows deleted accounts as deleted, and an unknown status as its number', async () => {
    const { id } = (await home.run('user get alice --json')).json<{ id: number }>();
    const write = async (status: number) => {
      const database = await connect({ engine: 'sqlite', file: join(home.directory, 'tollgate.db') });
      await database.users.update({ status }, { where: { id } });
      await database.close();
    };
    await write(3);
    expect((await home.run('user list --keyword alice')).stdout).toMatch(/alice\s+user\s+3\s/);
    await write(1);
    expect((await home.run('user list --keyword alice')).stdout).toMatch(/alice\s+user\s+enabled\s/);
  });

  it('books quota that is added, taken or set, and the ledger agrees', async () => {
    const added = await home.run(['user', 'quota', 'alice', '--add', '$5', '--note', 'paid', '--json']);
    expect(added.json()).toMatchObject({ quota: 2_500_000 });
    expect((await home.run('user quota alice --subtract 500k')).stdout).toBe(
      'balance of alice: $4.00 (-$1.00, was $5.00)\n',
    );
    expect((await home.run('user quota alice --set 100 --yes --json')).json()).toMatchObject({ quota: 100 });
    expect((await home.run('user quota alice --set 100 --yes')).code).toBe(0);
    expect((await home.run('user quota alice --add 5 --subtract 5')).code).toBe(2);
    expect((await home.run('user quota alice bob --add 7 --take 7')).code).toBe(2);
    // Five units are not five dollars: a person is asked, and a script has to say that it means units.
    const refused = await home.run('user quota alice --add 5');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("5 means 5 quota units, worth $0.00001; '$5' would be 2,500,000 units");
    expect(refused.stderr).toContain('--yes');
    expect((await home.run('user get alice --json')).json()).toMatchObject({ quota: 100 });
    const declined = await home.run('user quota alice --add 5', { typed: ['no'] });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toContain("'$5' would be 2,500,000 units");
    expect((await home.run('user quota alice --add 5', { typed: ['yes'] })).stdout).toContain('+$0.00001, was $0.0002');
    expect((await home.run('user quota alice --subtract 5 --yes')).stdout).toContain('-$0.00001');
    const both = await home.run('user quota alice bob --add 7 --yes --json');
    expect(both.stdout).toContain('"quota":107');
    expect(both.stdout).toContain('"quota":7');
    expect((await home.run('user quota alice bob --set 100 --yes')).code).toBe(0);
    expect((await home.run('user quota alice --add lots')).code).toBe(2);
    expect((await home.run('user quota alice')).code).toBe(2);
    expect((await home.run('user quota alice --add 0')).code).toBe(0);
    expect((await home.run('ledger verify')).code).toBe(0);
    const log = await home.run('log list --type manage --user alice');
    expect(log.stdout).toContain('Quota changed by +$5.00: paid');
  });

  it('changes nothing when the question is interrupted', async () => {
    const run = await home.run('user create --name dave', { typed: ['half a pass\u0003'] });
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('interrupted');
    expect((await home.run('user get dave')).code).toBe(3);
  });

  it('sets a new password', async () => {
    const run = await home.run('user reset-password root --password-stdin', { stdin: 'a better horse 2\n' });
    expect(run.stdout).toBe('password of root changed; all sessions and the access token were ended\n');
    expect((await home.run('user reset-password root --password-stdin', { stdin: '123456' })).code).toBe(2);
  });

  it('signs in with the password alone again when the second step is switched off', async () => {
    const refused = await home.run('user disable-2fa root');
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('two-factor authentication is not on');
  });

  it('deletes accounts, and erases those that were deleted before', async () => {
    expect((await home.run('user remove bob')).code).toBe(2);
    expect((await home.run('user remove bob', { typed: ['n'] })).code).toBe(1);
    expect((await home.run('user remove bob', { typed: ['y'] })).stdout).toBe('user bob deleted\n');
    expect((await home.run('user get bob')).code).toBe(3);
    expect((await home.run('user list --status deleted --fields username')).stdout).toBe('bob\n');
    expect((await home.run('user create --name bob --password-stdin', { stdin: password })).code).toBe(5);
    expect((await home.run('user remove bob --erase --yes')).stdout).toBe('user bob erased\n');
    expect((await home.run('user create --name bob --password-stdin', { stdin: password })).code).toBe(0);
    expect((await home.run('user remove 3 --erase --yes')).code).toBe(3);
    expect((await home.run('ledger verify')).code).toBe(0);
  });
});
