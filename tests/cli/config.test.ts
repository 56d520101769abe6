import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

describe('config check', () => {
  let folder: string;
  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tollgate-config-')), 'home');
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  async function check(env: Record<string, string>) {
    const run = await runCli('config check --json', { env: { TOLLGATE_HOME: folder, ...env } });
    const { items } = run.json<{ items: { check: string; status: string; message: string }[] }>();
    return { code: run.code, items, bad: items.filter(({ status }) => status !== 'ok') };
  }

  it('finds the defaults well, names every setting, and makes nothing', async () => {
    const { code, items, bad } = await check({});
    expect([code, bad]).toEqual([0, []]);
    expect(items.map(({ check: name }) => name)).toEqual(expect.arrayContaining(['PORT', 'SQL_DSN', 'CRYPTO_SECRET']));
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(join(folder, '..'))).toEqual([]);
  });

  it('keeps the data below the home folder where the variable for it is set, but empty', async () => {
    const { stdout } = await runCli('config show', { env: { HOME: folder, XDG_DATA_HOME: '', APPDATA: '' } });
    expect(stdout).not.toContain(process.cwd());
  });

  it('names every wrong setting at once, with what is allowed', async () => {
    const { code, bad } = await check({
      PORT: 'high',
      NODE_TYPE: 'boss',
      SQL_DSN: 'root:pw@tcp(db)/oneapi',
      TRUSTED_PROXIES: '10.1.2.3, 10.0.0.0/33',
      RELAY_PROXY: 'ftp://user:planted@somewhere',
      RELAY_BODY_LIMIT: '0',
      CRYPTO_SECRET: ' , ',
      INITIAL_CHANNEL: '{"type":1}',
    });
    expect(code).toBe(2);
    const said = Object.fromEntries(bad.map(({ check: name, message }) => [name, message]));
    expect(said).toEqual({
      PORT: expect.stringContaining('a whole number from 0 to 65535'),
      NODE_TYPE: expect.stringContaining('master, slave'),
      SQL_DSN: expect.stringContaining('must start with postgres://'),
      TRUSTED_PROXIES: expect.stringContaining('is "10.0.0.0/33"; it must be IP addresses or networks'),
      RELAY_PROXY: expect.stringContaining('http://proxy:3128'),
      RELAY_BODY_LIMIT: expect.stringContaining('a number of bytes above 0'),
      CRYPTO_SECRET: expect.stringContaining('one secret'),
      INITIAL_CHANNEL: expect.stringContaining('type, key, and models'),
    });
    expect(JSON.stringify(bad)).not.toContain('planted');
  });

  it('names what is wrong within the address of a database beside all else', async () => {
    const { code, bad } = await check({
      PORT: 'high',
      SQL_DSN: 'postgres://tollgate@127.0.0.1/tollgate?sslmode=loose',
      LOG_SQL_DSN: 'postgres://tollgate@127.0.0.1/logs?sslrootcert=/none.pem',
    });
    expect([code, bad.map((item) => item.check).sort()]).toEqual([2, ['LOG_SQL_DSN', 'PORT', 'SQL_DSN']]);
    expect(bad.find((item) => item.check === 'SQL_DSN')?.message).toContain('sslmode (SQL_DSN) is "loose"');
  });

  it.each([
    ['TRUSTED_PROXIES', 'proxy'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SQL_DSN', 'postgres://tollgate:pass#word@127.0.0.1/tollgate'],
    ['REDIS_CONN_STRING', 'redis://127.0.0.1:6379/first'],
    ['RELAY_PROXY', 'somewhere'],
    ['RELAY_PROXY', 'ftp://somewhere'],
    ['RELAY_BODY_LIMIT', '0'],
    ['RELAY_BODY_LIMIT', '99999999999999 GiB'],
    ['CRYPTO_SECRET', ' '],
    ['CRYPTO_SECRET', ' , '],
    ['TOLLGATE_HOME', ' '],
    ['SQLITE_PATH', ' '],
    ['SQLITE_PATH', '?_busy_timeout=5000'],
    ['UPSTREAM_PRIVATE', 'llm.internal, 10.0.0.0/99'],
    ['UPSTREAM_PRIVATE', 'ba nana'],
    ['UPSTREAM_PRIVATE', '10.0.0'],
    ['TOLLGATE_ROOT_PASSWORD', 'short'],
    ['INITIAL_ROOT_TOKEN', 'sk-short'],
    ['INITIAL_ROOT_TOKEN', 'sk-0123456789-abcdefgh'],
    ['INITIAL_ROOT_ACCESS_TOKEN', 'sixteen and more, but with spaces'],
    ['INITIAL_ROOT_ACCESS_TOKEN', 'x'.repeat(257)],
  ])('is of the same opinion as a start: %s=%j', async (name, value) => {
    const { code, bad } = await check({ [name]: value });
    expect([code, bad.map((item) => item.check)]).toEqual([2, [name]]);
    const run = await runCli('serve', { env: { TOLLGATE_HOME: folder, PORT: '0', [name]: value } });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`${name} is "`)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is of the same opinion as a start about the first channel, and names the variable', async () => {
    const { code } = await check({ INITIAL_CHANNEL: '{"type":"openai","key":"planted","models":"gpt-4o"}' });
    expect(code).toBe(0);
    for (const value of [
      '{"type":"nosuch","key":"planted","models":"m"}',
      '{"type":"openai","key":"planted"}',
      'planted',
    ]) {
      const { bad } = await check({ INITIAL_CHANNEL: value });
      const run = await runCli('serve', { env: { TOLLGATE_HOME: folder, PORT: '0', INITIAL_CHANNEL: value } });
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`${bad[0]?.message.replace(/^.*?: /, '')}`)]);
      expect(run.stderr).toContain('INITIAL_CHANNEL is "********"; it must be a channel in JSON');
      expect(run.stderr).not.toContain('planted');
    }
  });

  it('warns of names that have no effect or are misspelled, and shows no secret', async () => {
    const { code, items, bad } = await check({
      SQL_DNS: 'postgres://u:planted@h/d',
      SESSION_SECRET: 'planted',
      SYNC_FREQUENCY: '60',
      UNRELATED_NAME: 'x',
      CRYPTO_SECRET: 'planted beside others',
      METRICS_TOKEN: 'planted',
      REDIS_CONN_STRING: 'redis://u:planted@h:1/0',
      SQL_DIRECT_DSN: 'postgres://u:planted@h/d',
      INITIAL_ROOT_ACCESS_TOKEN: 'planted',
    });
    expect(code).toBe(0);
    expect(bad.map(({ check: name, status }) => [name, status])).toEqual([
      ['SQL_DIRECT_DSN', 'warn'],
      ['INITIAL_ROOT_ACCESS_TOKEN', 'warn'],
      ['SYNC_FREQUENCY', 'warn'],
      ['SESSION_SECRET', 'warn'],
      ['SQL_DNS', 'warn'],
    ]);
    expect(bad.at(-1)?.message).toContain('did you mean SQL_DSN?');
    expect(JSON.stringify(items)).not.toContain('planted');
  });
});

describe('a command that only reads settings', () => {
  it.each([
    'config show',
    'config check',
    'version',
    '--version',
    '--help',
    'help channel',
    'channel create --help',
    'completion bash',
    'doctor',
    'db status',
  ])('makes no folder: %s', async (words) => {
    const above = mkdtempSync(join(tmpdir(), 'tollgate-read-'));
    const run = await runCli(words, { env: { TOLLGATE_HOME: join(above, 'deep/home'), PORT: '0' } });
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(readdirSync(above)).toEqual([]);
    rmSync(above, { recursive: true });
  });
});
