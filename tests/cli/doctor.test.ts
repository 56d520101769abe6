import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInstaller } from '../../cli/doctor/mend.ts';
import { sizeOf } from '../../cli/print/size.ts';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { startMailServer } from '../support/mail-server.ts';
import { freePort } from '../support/postgres.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

interface Finding {
  check: string;
  status: string;
  message: string;
}

it('a size has the unit that fits it', () => {
  const sizes = [0, 40 * 1024, 40 * 1024 ** 2, 5.25 * 1024 ** 3];
  expect(sizes.map(sizeOf)).toEqual(['0 KiB', '40 KiB', '40.0 MiB', '5.3 GiB']);
});

describe('doctor', () => {
  let home: CliHome;
  beforeEach(async () => {
    home = createCliHome({ PORT: String(await freePort()) });
  });
  afterEach(() => home.remove());

  async function examine(env: Record<string, string> = {}) {
    const run = await home.run('doctor --json', { env });
    const { items } = run.json<{ items: Finding[] }>();
    return { code: run.code, find: (name: string) => items.find(({ check }) => check === name), items };
  }

  const install = (models: string) =>
    home.run(['init', '--no-input', '--type', 'openai', '--models', models, '--key-stdin'], { stdin: 'key' });

  it('finds a new installation well', async () => {
    await install('gpt-4o-mini');
    const { code, items } = await examine();
    // The Node.js that runs the tests may be one without the last security fixes.
    expect(items.filter(({ check, status }) => status !== 'ok' && check !== 'node')).toEqual([]);
    expect(code).toBe(0);
    const names = [
      'node',
      'data',
      'sqlite',
      'database',
      'migrations',
      'masterKey',
      'clock',
      'rootPassword',
      'channels',
      'prices',
      'disk',
      'port',
    ];
    expect(items.map(({ check }) => check)).toEqual(names);
  });

  it('warns of what is missing or open to others, and says what to do', async () => {
    expect((await examine()).find('database')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('tollgate init'),
    });
    await home.run('init --no-input', { env: { TOLLGATE_ROOT_PASSWORD: '' } });
    chmodSync(home.directory, 0o755);
    chmodSync(`${home.directory}/master.key`, 0o644);
    const { code, find } = await examine({ REDIS_CONN_STRING: 'redis://127.0.0.1:1' });
    expect(code).toBe(0);
    expect(find('data')?.message).toContain('chmod 700');
    expect(find('rootPassword')?.message).toContain('tollgate user reset-password root');
    expect(find('channels')?.status).toBe('warn');
    expect(find('redis')).toMatchObject({ status: 'warn', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('names models without a price', async () => {
    await install('gpt-4o-mini,my-own-model');
    expect((await examine()).find('prices')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('my-own-model'),
    });
  });

  it('says whether mail can be sent where it is set up or needed, and what is in the way', async () => {
    await install('gpt-4o-mini');
    const set = (key: string, value: string) => home.run(['option', 'set', key, value]);
    const mail = async () => (await examine()).items.filter(({ check }) => check === 'mail');
    expect(await mail()).toEqual([]);
    await set('EmailVerificationEnabled', 'true');
    expect(await mail()).toMatchObject([{ status: 'warn', message: expect.stringContaining('no mail server') }]);
    const server = await startMailServer();
    await set('SMTPServer', '127.0.0.1');
    await set('SMTPPort', String(server.port));
    await set('SMTPFrom', 'gate@example.com');
    expect(await mail()).toMatchObject([
      { status: 'ok', message: `the mail server 127.0.0.1:${server.port} is ready` },
      { status: 'warn', message: expect.stringContaining('ServerAddress is empty') },
      { status: 'warn', message: expect.stringContaining('root has no email address') },
    ]);
    expect((await home.run(['user', 'update', 'root', '--email', 'root@example.com', '--yes'])).code).toBe(0);
    expect(await mail()).toHaveLength(2);
    expect(server.mails).toEqual([]);
    await server.close();
    await set('ServerAddress', 'https://gate.example.com');
    expect(await mail()).toMatchObject([{ status: 'warn', message: expect.stringContaining('(ECONNREFUSED)') }]);
  });

  it('names a channel that does not work, and says why', async () => {
    await install('gpt-4o-mini');
    const database = await openSqlite(`${home.directory}/tollgate.db`);
    await database.run('UPDATE channels SET type = 11');
    await database.close();
    expect((await examine()).find('channelSetup')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/^channel openai cannot work: the PaLM API was shut down/),
    });
    expect((await home.run('channel list')).stdout).toContain('failing');
    const { stdout } = await home.run('channel get openai', { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(stdout).toMatch(/problem +PaLM API 已于/);
  });

  it('says that CRYPTO_SECRET can be guessed, and how to replace it, as config check does', async () => {
    const weak = { CRYPTO_SECRET: 'x' };
    const warning = { status: 'warn', message: expect.stringMatching(/can be guessed.*CRYPTO_SECRET=new,former/) };
    expect((await examine(weak)).find('cryptoSecret')).toMatchObject(warning);
    const { code, json } = await home.run('config check --json', { env: weak });
    const { items } = json<{ items: Finding[] }>();
    expect([code, items.find(({ check }) => check === 'CRYPTO_SECRET')]).toMatchObject([0, warning]);
  });

  it('joins a reason and its hint as the language does', async () => {
    await install('gpt-4o-mini');
    writeFileSync(`${home.directory}/tollgate.db`, '');
    const { stdout } = await home.run('doctor', { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(stdout).toContain('\uff1b');
    expect(stdout).not.toMatch(/[\u4e00-\u9fff]; /);
  });

  it('fails when stored keys cannot be read', async () => {
    await install('gpt-4o-mini');
    const { code, find } = await examine({ CRYPTO_SECRET: 'another' });
    expect(code).toBe(1);
    expect(find('channelKeys')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('CRYPTO_SECRET=current,former'),
    });
  });

  it('fails on a damaged database and on a foreign program at the port', async () => {
    await install('gpt-4o-mini');
    const stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { port } = stranger.address() as AddressInfo;
    truncateSync(`${home.directory}/tollgate.db`, 20_000);
    writeFileSync(`${home.directory}/tollgate.db-wal`, '');
    const { code, find } = await examine({ PORT: String(port) });
    stranger.close();
    expect(code).toBe(1);
    expect(find('port')?.status).toBe('fail');
    expect(find('database')?.status).toBe('fail');
  });

  it('fails when the database cannot be reached', async () => {
    const { code, find } = await examine({ SQL_DSN: 'postgres://nobody:hidden@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(find('database')?.message).toContain('PostgreSQL 127.0.0.1:1/none');
    expect(find('database')?.message).not.toContain('hidden');
  });

  it('mends what it can once, says what it did, and finds nothing to mend afterward', async () => {
    await install('gpt-4o-mini');
    const connection = await openSqlite(`${home.directory}/tollgate.db`);
    await connection.exec('DELETE FROM abilities');
    await connection.close();
    chmodSync(home.directory, 0o755);
    chmodSync(`${home.directory}/master.key`, 0o644);

    const offered = await home.run('doctor');
    expect(offered.stderr).toContain('tollgate doctor --fix');
    const unattended = await home.run('doctor --fix');
    expect([unattended.code, unattended.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const run = await home.run('doctor --fix --yes');
    expect(run.code).toBe(0);
    expect(run.stderr.match(/^fixed: /gm)).toHaveLength(3);
    expect(run.stdout).not.toMatch(/^(warn|fail)/m);
    const modes = [home.directory, `${home.directory}/master.key`].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    const again = (await home.run('doctor --fix --yes --json')).json<{ items: Finding[] }>();
    expect(again).not.toHaveProperty('fixed');
    expect(again.items.every(({ status }) => status === 'ok')).toBe(true);
  });

  it('asks for each, and leaves what is declined', async () => {
    await install('gpt-4o-mini');
    chmodSync(home.directory, 0o755);
    chmodSync(`${home.directory}/master.key`, 0o644);
    const run = await home.run('doctor --fix', { typed: ['n', 'y'] });
    expect(run.stderr).toContain('Fix: restrict access to master.key to its owner?');
    expect(statSync(home.directory).mode & 0o777).toBe(0o755);
    expect(statSync(`${home.directory}/master.key`).mode & 0o777).toBe(0o600);
  });

  it('does not call a schema up to date that a newer version wrote', async () => {
    await install('gpt-4o-mini');
    const connection = await openSqlite(`${home.directory}/tollgate.db`);
    await connection.run("INSERT INTO migrations (name, ran_at) VALUES ('9999-later', 1)");
    await connection.close();
    const { code, find } = await examine();
    expect(code).toBe(1);
    expect(find('migrations')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('newer version (9999-later)'),
    });
  });

  it('runs the migrations that wait', async () => {
    await install('gpt-4o-mini');
    const connection = await openSqlite(`${home.directory}/tollgate.db`);
    await connection.exec("DROP TABLE stored_responses; DELETE FROM migrations WHERE name = '0007-stored-responses'");
    await connection.close();
    const run = await home.run('doctor --fix --yes --json');
    expect(run.json<{ fixed: string[] }>().fixed).toEqual(['run the pending migrations']);
    expect((await home.run('db status')).stdout).not.toContain('pending');
  });

  it("runs a package's own installer in its folder, and says why it failed", async () => {
    const folder = `${home.directory}/package`;
    mkdirSync(folder);
    const write = (install: string) =>
      writeFileSync(`${folder}/package.json`, JSON.stringify({ scripts: { install } }));
    const environment = { PATH: process.env.PATH, HOME: home.directory };
    write("node -e \"require('fs').writeFileSync('made', 'yes')\"");
    await runInstaller(folder, environment);
    expect(readFileSync(`${folder}/made`, 'utf8')).toBe('yes');
    write('node -e "console.error(\'no network\'); process.exit(1)"');
    await expect(runInstaller(folder, environment)).rejects.toMatchObject({ code: 'doctor.installFailed' });
  });
});
