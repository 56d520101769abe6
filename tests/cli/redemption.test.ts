import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('redemption commands', () => {
  let home: CliHome;
  const ids = async (flags: string) =>
    (await home.run(`redemption list --sort id --fields id ${flags}`)).stdout.split('\n').filter(Boolean).map(Number);

  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('makes codes that stand alone on standard output, once', async () => {
    const words = ['redemption', 'create', '--name', 'spring', '--quota', '$5', '--count', '3'];
    const tried = await home.run([...words, '--dry-run', '--json']);
    expect(tried.json()).toMatchObject({ data: { dry_run: true, changes: [{ action: 'redemption.create' }] } });
    const made = await home.run(words);
    expect(made.stdout).toMatch(/^([0-9a-f]{32}\n){3}$/);
    expect(made.stderr).toBe('3 codes "spring" worth $5.00 each:\n');
    const [code = ''] = made.stdout.split('\n');
    const list = await home.run('redemption list --json');
    expect(list.json()).toMatchObject({ total: 3, items: [{ name: 'spring', quota: 2_500_000, status: 1 }, {}, {}] });
    expect(list.stdout).not.toContain(code);
    expect((await home.run(`redemption get ${code} --json`)).json()).toMatchObject({ id: 1, key: code });
    const single = await home.run([
      'redemption',
      'create',
      '--name',
      'one',
      '--quota',
      '500k',
      '--expires',
      '30d',
      '--json',
    ]);
    expect(single.json()).toMatchObject({ name: 'one', quota: 500_000, key: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('refuses what a console would refuse', async () => {
    for (const wrong of [
      '--quota 0',
      '--quota -1',
      '--quota lots',
      '--quota 1 --count 0',
      '--quota 1 --count 101',
      '--quota 1 --expires soon',
    ]) {
      expect((await home.run(`redemption create --name x ${wrong}`)).code, wrong).toBe(2);
    }
    expect((await home.run(`redemption create --name ${'x'.repeat(21)} --quota 1`)).code).toBe(2);
    const past = await home.run(['redemption', 'create', '--name', 'x', '--quota', '1', '--expires', '2020-01-01']);
    expect(past.code).toBe(2);
  });

  it('changes, disables and enables by id, by name or by the code itself', async () => {
    const changed = await home.run(['redemption', 'update', 'one', '--quota', '$2', '--expires', 'never', '--json']);
    expect(changed.json()).toMatchObject({ id: 4, name: 'one', quota: 1_000_000, expired_time: 0 });
    expect((await home.run('redemption update 4 --name single')).stdout).toBe('code 4 changed: single\n');
    expect((await home.run('redemption update 4')).code).toBe(2);
    expect((await home.run('redemption disable spring')).stderr).toContain('use the id');
    const both = await home.run('redemption disable 1 single --json');
    expect(
      both.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { success: true, data: { id: 1, status: 2 } },
      { success: true, data: { id: 4, status: 2 } },
      { success: true },
    ]);
    expect(await ids('--status disabled')).toEqual([1, 4]);
    expect(await ids('--status unused')).toEqual([2, 3]);
    expect((await home.run('redemption enable 1')).stdout).toBe('code 1 (spring) enabled\n');
    expect((await home.run('redemption get 99')).code).toBe(3);
    expect((await home.run('redemption disable nothing')).code).toBe(3);
    expect((await home.run('redemption list --status worn')).code).toBe(2);
    expect((await home.run('redemption list --sort key')).code).toBe(2);
  });

  it('shows a screen a table with words and money', async () => {
    const { stdout } = await home.run('redemption list --status disabled', { typed: [], columns: 140 });
    expect(stdout).toContain('single');
    expect(stdout).toContain('disabled');
    expect(stdout).toContain('$2.00');
    expect(stdout).toMatch(/[0-9a-f]{2}…[0-9a-f]{4}/);
  });

  it('deletes the named ones, or all that can no longer be used, after asking', async () => {
    expect((await home.run('redemption remove 3')).code).toBe(2);
    expect((await home.run('redemption remove 3 --invalid --yes')).code).toBe(2);
    expect((await home.run('redemption remove 3 --dry-run')).code).toBe(0);
    expect((await home.run('redemption remove 3 --yes')).stdout).toBe('code 3 (spring) deleted\n');
    expect((await home.run('redemption remove --invalid', { typed: ['no'] })).code).toBe(1);
    expect((await home.run('redemption remove --invalid --dry-run --json')).json()).toMatchObject({
      data: { changes: [{ action: 'redemption.removeInvalid' }] },
    });
    const removed = await home.run('redemption remove --invalid', { typed: ['y'] });
    expect(removed.stderr).toContain('Delete 1 code that is used, disabled, or expired');
    expect(removed.stdout).toBe('1 code deleted\n');
    expect(await ids('')).toEqual([1, 2]);
    expect((await home.run('redemption remove --invalid --json')).json()).toMatchObject({ data: { count: 0 } });
  });

  it('has the worth and the number of the form, and its worth as the name, where nothing is said', async () => {
    const plain = await home.run('redemption create --json');
    expect(plain.json()).toMatchObject({ name: '$0.20', quota: 100_000 });
  });

  it('names a few of the codes that have one name, however many there are', async () => {
    await home.run('redemption create --name batch --quota 1 --count 100 --yes');
    const { code, stderr } = await home.run('redemption remove batch --yes');
    expect(code).toBe(5);
    expect(stderr).toMatch(/^tollgate: several redemption codes are named "batch" \((\d+, ){5}\+95\); use the id\n/);
  });
});
