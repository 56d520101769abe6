import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
      page_size: 10,
      total: 3,
    });
    expect((await home.run('user get root')).stdout).toContain('username           root\n');
    expect((await home.run('user get Alice --json')).json()).toMatchObject({ id: 2 });
    expect((await home.run('user get nobody')).code).toBe(3);
  });

  it('books quota that is added, taken or set, and the ledger agrees', async () => {
    const added = await home.run(['user', 'quota', 'alice', '--add', '$5', '--note', 'paid', '--json']);
    expect(added.json()).toMatchObject({ quota: 2_500_000 });
    expect((await home.run('user quota alice --take 500k')).stdout).toBe('balance of alice: $4.00\n');
    expect((await home.run('user quota alice --set 100 --json')).json()).toMatchObject({ quota: 100 });
    expect((await home.run('user quota alice --set 100')).code).toBe(0);
    expect((await home.run('user quota alice --add 5 --take 5')).code).toBe(2);
    expect((await home.run('user quota alice')).code).toBe(2);
    expect((await home.run('user quota alice --add 0')).code).toBe(0);
    expect((await home.run('ledger verify')).code).toBe(0);
    const log = await home.run('log list --type manage --username alice');
    expect(log.stdout).toContain('quota changed by +2500000: paid');
  });

  it('changes nothing when the question is interrupted', async () => {
    const run = await home.run('user create --name dave', { typed: ['half a pass\u0003'] });
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('interrupted');
    expect((await home.run('user get dave')).code).toBe(3);
  });

  it('sets a new password', async () => {
    const run = await home.run('user reset-password root --password-stdin', { stdin: 'a better horse 2\n' });
    expect(run.stdout).toBe('password of root changed; their sessions and access token have ended\n');
    expect((await home.run('user reset-password root --password-stdin', { stdin: '123456' })).code).toBe(2);
  });

  it('signs in with the password alone again when the second step is switched off', async () => {
    const refused = await home.run('user disable-2fa root');
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('two-factor sign-in is not on');
  });
});
