import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('option commands', () => {
  let home: CliHome;
  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('shows, sets and resets a setting', async () => {
    expect((await home.run('option get RetryTimes --json')).json()).toEqual({
      key: 'RetryTimes',
      value: '2',
      kind: 'number',
      card: 'general',
      secret: false,
      has: false,
      version: '',
      label: 'Retries',
      description: expect.stringContaining('upstream failure'),
      default: '2',
    });
    expect((await home.run('option set RetryTimes 5')).stdout).toBe('RetryTimes set to 5\n');
    expect((await home.run('option list --changed')).stdout).toBe('RetryTimes\t5\tnumber\tgeneral\tyes\tRetries\n');
    expect((await home.run('option reset RetryTimes')).code).toBe(2);
    expect((await home.run('option reset RetryTimes --yes')).stdout).toBe('RetryTimes reset to its default: 2\n');
  });

  it('leaves no trace of a value that is set already', async () => {
    await home.run('option set RetryTimes 4');
    const trail = (await home.run('audit list --json')).stdout;
    const again = await home.run('option set RetryTimes 4');
    expect(again).toMatchObject({ code: 0, stdout: 'RetryTimes is already 4\n' });
    expect((await home.run('audit list --json')).stdout).toBe(trail);
    await home.run('option reset RetryTimes --yes');
  });

  it('refuses what the setting does not take and says what it takes', async () => {
    for (const words of ['option set NoSuchThing 1', 'option get NoSuchThing', 'option reset NoSuchThing --yes'])
      expect(await home.run(words), words).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('tollgate option list'),
      });
    const wrong = await home.run('option set RetryTimes many');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('RetryTimes was not changed: it must be a whole number');
    expect((await home.run('option set RetryTimes')).code).toBe(2);
    expect((await home.run(['option', 'set', 'GroupRatio', '{"default":-1}'])).code).toBe(2);
    expect(await home.run(['option', 'set', 'GroupRatio', '{"vip":1}'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the default group default must keep a ratio. Add it, for example "default": 1.'),
    });
  });

  it('takes the commas of Chinese keyboards in a list, and keeps an entry once, as it was typed first', async () => {
    await home.run(['option', 'set', 'EmailDomainWhitelist', 'a.com，b.com、c.com']);
    const { value } = (await home.run('option get EmailDomainWhitelist --json')).json<{ value: string }>();
    expect(value).toBe('a.com,b.com,c.com');
    await home.run(['option', 'set', 'EmailDomainWhitelist', 'A.com,a.com,b.com,B.COM']);
    expect((await home.run('option get EmailDomainWhitelist --json')).json()).toMatchObject({ value: 'A.com,b.com' });
    await home.run('option reset EmailDomainWhitelist --yes');
  });

  it('reads long values from a file', async () => {
    const file = join(home.directory, 'ratio.json');
    writeFileSync(file, '{"default":1,"vip":0.5}\n');
    expect((await home.run(`option set GroupRatio --file ${file}`)).code).toBe(0);
    // The program that was to write them has failed.
    const refused = await home.run('option set GroupRatio --value-stdin', { stdin: '\n' });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('tollgate option reset GroupRatio') });
    expect((await home.run('option get GroupRatio --json')).json().value).toBe('{"default":1,"vip":0.5}');
  });

  it('takes secrets only where they cannot be seen, and never shows them', async () => {
    const secret = 'smtp-secret-123';
    const spoken = await home.run(`option set SMTPToken ${secret}`);
    expect(spoken.code).toBe(2);
    expect(spoken.stderr).not.toContain(secret);
    const set = await home.run('option set SMTPToken --value-stdin', { stdin: `${secret}\n` });
    expect(set.stdout).toBe('SMTPToken set\n');
    const shown = await home.run('option get SMTPToken');
    expect(shown.stdout).not.toContain(secret);
    expect(shown.stdout).toMatch(/^has +true$/m);
    expect((await home.run('option list --changed')).stdout).toContain('SMTPToken\t********\t');
  });

  it('S11 says that a secret went with its address', async () => {
    await home.run('option set WorkerUrl https://worker.example.com');
    await home.run('option set WorkerValidKey --value-stdin', { stdin: 'worker-secret\n' });
    const moved = await home.run('option set WorkerUrl https://elsewhere.example.com');
    expect(moved.code).toBe(2);
    expect(moved.stderr).toContain('--keep-secret keeps the stored one');
    expect((await home.run('option set WorkerUrl https://elsewhere.example.com --keep-secret')).code).toBe(0);
    const emptied = await home.run('option reset WorkerUrl --yes');
    expect(emptied.code).toBe(0);
    expect(emptied.stderr).toContain('WorkerValidKey was deleted together with its address');
    expect((await home.run('option get WorkerValidKey --json')).json().has).toBe(false);
  });

  it('takes settings to another installation, and says so when there is nothing to change', async () => {
    const other = createCliHome();
    try {
      await home.run('option set RetryTimes 4');
      const exported = await home.run('option export');
      expect(exported.json()).toMatchObject({ RetryTimes: 4, GroupRatio: { default: 1, vip: 0.5 } });
      expect(exported.stdout).not.toContain('smtp-secret');
      const clear = await home.run('option export --with-secrets');
      expect(clear.json()).toMatchObject({ SMTPToken: 'smtp-secret-123' });
      expect(clear.stderr).toContain('secrets in plain text');

      const tried = await other.run('option import - --dry-run', { stdin: clear.stdout });
      expect(tried.stdout).toContain('option.set\tRetryTimes\tvalue: 4');
      expect(tried.stdout).not.toContain('smtp-secret-123');
      expect((await other.run('option list --changed')).stdout).toBe('');
      expect((await other.run('option import -', { stdin: clear.stdout })).code).toBe(2);
      const made = await other.run('option import - --yes --json', { stdin: clear.stdout });
      expect(made.json<{ data: { keys: string[] } }>().data.keys).toContain('SMTPToken');
      expect((await other.run('option export --with-secrets')).json()).toEqual(clear.json());
      const again = await other.run('option import -', { stdin: clear.stdout });
      expect(again.stdout).toContain('0 changed');
      expect(again.code).toBe(0);
    } finally {
      other.remove();
    }
  });

  it('tells every key and value of a file that is wrong, and changes none', async () => {
    const stdin = JSON.stringify({ RetryTimes: 1, NoSuchThing: true, ModelRatio: { a: -1 }, GroupRatio: 'x' });
    const run = await home.run('option import - --yes', { stdin });
    expect(run.code).toBe(2);
    for (const key of ['NoSuchThing', 'ModelRatio', 'GroupRatio']) expect(run.stderr).toContain(key);
    expect((await home.run('option get RetryTimes --json')).json()).toMatchObject({ value: '4' });
    for (const text of ['[]', 'null', '{']) expect((await home.run('option import -', { stdin: text })).code).toBe(2);
  });

  it('puts everything back when the word is typed', async () => {
    const tried = await home.run('option reset --all --dry-run --json');
    expect(tried.json<{ data: { changes: object[] } }>().data.changes.length).toBeGreaterThan(2);
    expect((await home.run('option reset --all', { typed: ['yes'] })).code).toBe(1);
    expect((await home.run('option reset RetryTimes --all')).code).toBe(2);
    expect((await home.run('option reset')).code).toBe(2);
    expect((await home.run('option reset --all', { typed: ['reset'] })).code).toBe(0);
    expect((await home.run('option list --changed')).stdout).toBe('');
    expect((await home.run('option reset --all')).stdout).toContain('every setting is at its default');
  });

  it('A-150 asks before password sign-in goes off', async () => {
    const off = 'option set PasswordLoginEnabled false';
    const stored = async () => (await home.run('option get PasswordLoginEnabled --json')).json().value;
    expect((await home.run(off)).stderr).toContain('--yes');
    expect((await home.run(off, { typed: ['no'] })).code).toBe(1);
    expect(await stored()).toBe('true');
    expect((await home.run(`${off} --yes`)).code).toBe(0);
    expect(await stored()).toBe('false');
    expect((await home.run('option set PasswordLoginEnabled true')).code).toBe(0);
  });
});
