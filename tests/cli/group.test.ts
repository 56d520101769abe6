import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('group commands', () => {
  let home: CliHome;
  beforeAll(async () => {
    home = createCliHome();
    const words = 'channel create --type openai --name main --models gpt-4o --group default,vip --key-stdin';
    await home.run(words, { stdin: 'upstream-key' });
    await home.run('token create --name ci');
  });
  afterAll(() => home.remove());

  const optionOf = async (key: string) =>
    JSON.parse((await home.run(`option get ${key} --json`)).json<{ value: string }>().value);

  it('lists groups with their ratio and who is in them', async () => {
    const list = (await home.run('group list --json')).json<{ items: { name: string }[] }>();
    expect(list.items[0]).toEqual({
      name: 'default',
      ratio: 1,
      usable: true,
      description: '默认分组',
      topup_ratio: 1,
      users: 1,
      tokens: 0,
      channels: 1,
    });
    expect(list.items.find(({ name }) => name === 'vip')).toMatchObject({ users: 0, channels: 1 });
    expect((await home.run('group list')).stdout).toContain('svip\t1\tno\t0\t0\t0\t1\t\n');
  });

  it('creates a group and opens it to all users, and changes nothing the second time', async () => {
    const words = ['group', 'set', 'trial', '--ratio', '0.5', '--usable', 'on', '--description', 'for a look'];
    const tried = await home.run([...words, '--dry-run']);
    expect(tried.stdout).toContain('GroupRatio');
    expect(await optionOf('GroupRatio')).not.toHaveProperty('trial');
    expect((await home.run(words)).stdout).toBe('group trial saved, ratio 0.5\n');
    expect((await home.run(words)).stdout).toBe('group trial is unchanged, ratio 0.5\n');
    expect(await optionOf('GroupRatio')).toEqual({ default: 1, vip: 1, svip: 1, trial: 0.5 });
    expect(await optionOf('UserUsableGroups')).toMatchObject({ trial: 'for a look' });

    const closed = await home.run('group set trial --usable off --topup-ratio 2 --json');
    expect(closed.json()).toMatchObject({ name: 'trial', ratio: 0.5, usable: false, description: '', topup_ratio: 2 });
    expect(await optionOf('TopupGroupRatio')).toMatchObject({ trial: 2 });
  });

  it('refuses what no group can have', async () => {
    for (const ratio of ['', '-1', 'much', '1e9', '0x10']) {
      expect((await home.run(['group', 'set', 'trial', '--ratio', ratio])).code, ratio).toBe(2);
    }
    for (const name of ['', 'a,b', 'x'.repeat(65)]) expect((await home.run(['group', 'set', name])).code, name).toBe(2);
    expect((await home.run(['group', 'set', 'svip', '--description', 'hidden'])).code).toBe(2);
    expect((await home.run('group set __proto__ --ratio 3 --json')).json()).toMatchObject({
      name: '__proto__',
      ratio: 3,
    });
    expect((await home.run('group remove __proto__ --yes')).code).toBe(0);
  });

  it('counts who uses a group before it goes', async () => {
    const unconfirmed = await home.run('group remove vip');
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain('users: 0, tokens: 0, channels: 1');
    expect((await home.run('group remove vip', { typed: ['n'] })).code).toBe(1);
    expect((await home.run('group remove vip trial --dry-run')).code).toBe(0);
    expect(await optionOf('GroupRatio')).toHaveProperty('vip');
    expect((await home.run('group remove vip trial --yes')).code).toBe(0);
    expect(await optionOf('GroupRatio')).toEqual({ default: 1, svip: 1 });
    // The channel is still in it, which the list does not hide.
    const left = (await home.run('group list --json')).json<{ items: { name: string }[] }>();
    expect(left.items.find(({ name }) => name === 'vip')).toMatchObject({ ratio: null, channels: 1 });
    expect((await home.run('group remove default --yes')).code).toBe(5);
    expect((await home.run('group remove nobody --yes')).code).toBe(3);
  });
});
