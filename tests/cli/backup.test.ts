import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../core/billing/verify-ledger.ts';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { runBinary } from '../support/built-binary.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import { createTemporaryTarget } from '../support/temporary-database.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('backup and restore of a SQLite installation', () => {
  let home: CliHome;
  let file: string;
  beforeEach(async () => {
    home = createCliHome();
    file = join(home.directory, 'copy.db');
    await home.run(['init', '--no-input', '--type', 'openai', '--models', 'm', '--key-stdin'], { stdin: 'sk-secret' });
  });
  afterEach(() => home.remove());

  const users = async () => (await home.run('user list --json')).json<{ items: { username: string }[] }>().items;
  const change = async (path: string, sql: string) => {
    const connection = await openSqlite(path);
    await connection.exec(sql);
    await connection.close();
  };

  it('D2: puts back what the copy contains, keeps the former database beside it, and the books add up', async () => {
    const backup = await home.run(['db', 'backup', file]);
    expect(backup.code).toBe(0);
    expect(backup.stderr).toContain('master.key is NOT included');
    await home.run(['user', 'create', '--name', 'late', '--password-stdin'], { stdin: 'a long enough one' });
    expect(await users()).toHaveLength(2);

    // Of a restore that was killed: the process has ended, as `true` has.
    const { pid } = spawnSync('true');
    for (const suffix of ['', '-wal'])
      writeFileSync(join(home.directory, `tollgate.db.restoring-${pid}${suffix}`), 'x');
    const restore = await home.run(['db', 'restore', file, '--yes', '--json']);
    expect(restore.stderr).toBe('');
    const { data } = restore.json<{ data: { former: string } }>();
    expect(data.former).toMatch(/tollgate\.db\.before-restore-\d{8}-\d{6}$/);
    expect(existsSync(data.former)).toBe(true);
    expect(await users()).toHaveLength(1);
    expect((await home.run('ledger verify')).code).toBe(0);
    expect((await home.run('db check')).code).toBe(0);
    expect(readdirSync(home.directory).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('S12: the copy is for its owner alone, contains no secret in clear, and no key unless asked for', async () => {
    await home.run(['db', 'backup', file]);
    expect([mode(file), mode(`${file}.json`)]).toEqual(['600', '600']);
    expect(existsSync(`${file}.master.key`)).toBe(false);
    expect(readFileSync(file).includes('sk-secret')).toBe(false);
    const withKey = await home.run(['db', 'backup', file, '--with-key', '--force']);
    expect(withKey.code).toBe(0);
    expect(mode(`${file}.master.key`)).toBe('600');
    expect(readFileSync(`${file}.master.key`)).toEqual(readFileSync(join(home.directory, 'master.key')));
  });

  it('replaces no file unless told to, and names one by itself', async () => {
    writeFileSync(file, 'precious');
    const refused = await home.run(['db', 'backup', file]);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    const folder = join(home.directory, 'backups');
    mkdirSync(folder);
    // Of a process that was killed: no system has a process of that number.
    writeFileSync(join(folder, 'unfinished-copy-2147483646'), 'half');
    expect((await home.run('db backup')).code).toBe(0);
    const [copy = '', ...others] = readdirSync(folder).sort();
    expect([copy, others]).toEqual([expect.stringMatching(/^[\d-]+\.db$/), [`${copy}.json`]]);
  });

  it('changes nothing for a copy with added or removed objects, and reports it in a check as well', async () => {
    const plants = {
      'trigger gift': 'CREATE TRIGGER gift AFTER UPDATE ON users BEGIN UPDATE users SET quota = quota + 1000000; END',
      'view everybody': 'CREATE VIEW everybody AS SELECT * FROM users',
      'index odd': 'CREATE INDEX odd ON users (abs(quota))',
      'table channels': 'ALTER TABLE channels DROP COLUMN other_info',
    };
    for (const [name, sql] of Object.entries(plants)) {
      await home.run(['db', 'backup', file, '--force']);
      await change(file, sql);
      rmSync(`${file}.json`);
      const run = await home.run(['db', 'restore', file, '--yes', '--force']);
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(name)]);
    }
    await change(join(home.directory, 'tollgate.db'), plants['trigger gift']);
    const check = await home.run('db check');
    expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('trigger gift')]);
  });

  it('says that nothing lies beside a copy to check it by, and waits for no pipe', async () => {
    await home.run(['db', 'backup', file]);
    rmSync(`${file}.json`);
    const run = await home.run(['db', 'restore', file, '--yes']);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('no checksum')]);
    const pipe = join(home.directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await home.run(['db', 'restore', pipe, '--yes'])).toMatchObject({ code: 2 });
    execFileSync('mkfifo', [`${file}.json`]);
    expect(await home.run(['db', 'restore', file, '--yes'])).toMatchObject({ code: 2 });
  });

  it('S14: leaves a trace of both', async () => {
    await home.run(['db', 'backup', file]);
    await home.run(['db', 'restore', file, '--yes']);
    const connection = await openSqlite(join(home.directory, 'tollgate.db'));
    const rows = await connection.all<{ action: string }>("SELECT action FROM audits WHERE action LIKE 'database.%'");
    await connection.close();
    expect(rows.map(({ action }) => action)).toEqual(['database.restore']);
    const former = readdirSync(home.directory).find((name) => /before-restore-[\d-]+$/.test(name)) ?? '';
    const before = await openSqlite(join(home.directory, former));
    expect(await before.all("SELECT 1 FROM audits WHERE action = 'database.backup'")).toHaveLength(1);
    await before.close();
  });

  it('changes nothing for a copy that is damaged, foreign, changed since, newer, or whose books do not add up', async () => {
    const refuse = async (words: RegExp) => {
      const run = await home.run(['db', 'restore', file, '--yes']);
      expect(run.code).not.toBe(0);
      expect(run.stderr).toMatch(words);
      expect(await users()).toHaveLength(2);
      expect(readdirSync(home.directory).filter((name) => /restor/.test(name))).toEqual([]);
    };
    const renew = () => home.run(['db', 'backup', file, '--force']);
    await home.run(['user', 'create', '--name', 'late', '--password-stdin'], { stdin: 'a long enough one' });

    await renew();
    await change(file, 'UPDATE users SET quota = quota + 1');
    await refuse(/SHA-256/);
    writeFileSync(`${file}.json`, 'no json');
    await refuse(/description of a backup/);
    rmSync(`${file}.json`);
    await refuse(/does not add up \(2 differences\)[\s\S]*--force/);

    await change(file, "INSERT INTO migrations (name, ran_at) VALUES ('9999-later', 1)");
    await refuse(/newer version \(9999-later\)/);
    truncateSync(file, 30_000);
    await refuse(/damaged/);
    writeFileSync(file, 'this is no database at all, whatever its name says');
    await refuse(/damaged|no database of Tollgate/);
    rmSync(file);
    await change(file, 'CREATE TABLE users (id INTEGER)');
    await refuse(/not a Tollgate database[\s\S]*db import/);
    rmSync(file);
    await refuse(/cannot be read: it does not exist \(ENOENT\)/);
  });

  it('restores a copy whose books do not add up when forced to', async () => {
    await home.run(['db', 'backup', file]);
    rmSync(`${file}.json`);
    await change(file, 'UPDATE users SET quota = quota + 1');
    expect((await home.run(['db', 'restore', file, '--yes', '--force'])).code).toBe(0);
    const check = await home.run('db check');
    expect(check.code).toBe(1);
    expect(check.stdout).toMatch(/fail\t1 balance or sum does not match\. See it with: tollgate ledger verify/);
  });

  it('says before it replaces anything that the master key of the copy is missing', async () => {
    await home.run(['db', 'backup', file]);
    const elsewhere = createCliHome();
    const restore = await elsewhere.run(['db', 'restore', file], { typed: ['n'] });
    expect(restore.stderr).toMatch(
      /1 channel key was encrypted with another key\. Put its master\.key back[\s\S]*Replace/,
    );
    writeFileSync(join(elsewhere.directory, 'master.key'), readFileSync(join(home.directory, 'master.key')));
    const whole = await elsewhere.run(['db', 'restore', file, '--yes', '--json']);
    expect(whole.json()).toMatchObject({ data: { ledger: true, closed_keys: 0 } });
    elsewhere.remove();
  });

  it('asks before it replaces, and needs --yes without a terminal', async () => {
    await home.run(['db', 'backup', file]);
    const unattended = await home.run(['db', 'restore', file]);
    expect(unattended.code).toBe(2);
    expect(unattended.stderr).toContain('--yes');
    const declined = await home.run(['db', 'restore', file], { typed: ['n'] });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toMatch(
      /Replace .*tollgate\.db with .*copy\.db \(schema 00\d\d-[\w-]+, users: 1, tokens: 1\)\?/,
    );
    expect(readdirSync(home.directory).filter((name) => /restor/.test(name))).toEqual([]);
  });

  it('puts a copy back in the place of a broken database', async () => {
    await home.run(['db', 'backup', file]);
    truncateSync(join(home.directory, 'tollgate.db'), 10_000);
    expect((await home.run('db check')).stdout).toMatch(/fail\tthe file is damaged.*tollgate db restore/);
    expect((await home.run(['db', 'restore', file, '--yes'])).code).toBe(0);
    expect((await home.run('db check')).code).toBe(0);
  });

  it('finds abilities and tokens that are off, and names the command that mends them', async () => {
    const database = join(home.directory, 'tollgate.db');
    await change(database, 'DELETE FROM abilities');
    await change(database, 'UPDATE tokens SET user_id = 77');
    const check = await home.run('db check');
    expect(check.code).toBe(1);
    expect(check.stdout).toContain('tollgate channel fix');
    expect(check.stdout).toContain('tollgate token remove 1');
    await home.run('channel fix');
    await home.run('token remove 1 --yes');
    const { items } = (await home.run('db check --json')).json<{ items: { check: string; status: string }[] }>();
    expect(items.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(items.map(({ check }) => check)).toEqual(['file', 'schema', 'ledger', 'abilities', 'tokens', 'secrets']);
  });
});

describe('backup beside a running server', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway('sqlite');
  });
  afterEach(() => gateway.stop());

  it('D2: copies while calls are served, and refuses to restore over it', async () => {
    const home = createCliHome({ SQLITE_PATH: join(gateway.directory, 'tollgate.db'), CRYPTO_SECRET: 'other' });
    const file = join(home.directory, 'copy.db');
    const calls = Promise.all(Array.from({ length: 20 }, () => gateway.chat()));
    const backup = await home.run(['db', 'backup', file]);
    await calls;
    expect(backup.code).toBe(0);
    expect(backup.stderr).toContain('CRYPTO_SECRET is NOT included');
    const restore = await home.run(['db', 'restore', file, '--yes']);
    expect(restore.code).toBe(5);
    expect(restore.stderr).toContain(`in use by process ${process.pid}`);
    expect(restore.stderr).toContain('stop the server first');
    expect((await verifyLedger({ engine: 'sqlite', file })).differences).toEqual([]);
    home.remove();
  });
});

describe('backup of PostgreSQL', () => {
  it('D2: dumps with pg_dump, and says what to install where there is none', async () => {
    const bed = await createTemporaryTarget('postgres');
    if (bed.target.engine !== 'postgres') throw new Error('not PostgreSQL');
    const home = createCliHome({ SQL_DSN: bed.target.url, PATH: process.env.PATH ?? '' });
    await home.run('init --no-input');
    const file = join(home.directory, 'copy.dump');
    expect((await home.run(['db', 'backup', file])).code).toBe(0);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('PGDMP');
    expect(mode(file)).toBe('600');
    expect((await home.run('db check')).code).toBe(0);

    const change = async (sql: string) => {
      const client = new pg.Client({ connectionString: bed.target.engine === 'postgres' ? bed.target.url : '' });
      await client.connect();
      await client.query(sql);
      await client.end();
    };
    await change('CREATE RULE gift AS ON DELETE TO users DO INSTEAD NOTHING');
    const check = await home.run('db check');
    expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('rule users.gift')]);
    await change('DROP RULE gift ON users');

    const bare = await home.run(['db', 'backup', file, '--force'], { env: { PATH: home.directory } });
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain('but it is not installed');
    const client = new pg.Client({ connectionString: bed.target.url });
    await client.connect();
    const { rows } = await client.query("SELECT action FROM audits WHERE action = 'database.backup'");
    await client.end();
    expect(rows).toHaveLength(1);
    home.remove();
    await bed.remove();
  });
});

/** PostgreSQL's own. */
const tools = { dump: 'pg_dump', restore: 'pg_restore' };

describe('restore of PostgreSQL', () => {
  let bed: Awaited<ReturnType<typeof createTemporaryTarget>>;
  let url = '';
  let home: CliHome;
  let file: string;
  beforeEach(async () => {
    bed = await createTemporaryTarget('postgres');
    url = bed.target.engine === 'postgres' ? bed.target.url : '';
    home = createCliHome({ SQL_DSN: url, PATH: process.env.PATH ?? '' });
    file = join(home.directory, 'copy.dump');
    await home.run(['init', '--no-input', '--type', 'openai', '--models', 'm', '--key-stdin'], { stdin: 'sk-secret' });
    await home.run(['db', 'backup', file]);
    await home.run(['user', 'create', '--name', 'late', '--password-stdin'], { stdin: 'a long enough one' });
  });
  afterEach(async () => {
    home.remove();
    await bed.remove();
  });

  const users = async () => (await home.run('user list --json')).json<{ items: object[] }>().items.length;
  const query = async (sql: string, address = url) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query<Record<string, string | number>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const schemas = async () =>
    (await query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before_restore_%'")).map(
      ({ nspname }) => nspname,
    );

  it('D2: runs pg_restore, keeps the former tables aside, and the books add up', async () => {
    expect(await users()).toBe(2);
    const declined = await home.run(['db', 'restore', file], { typed: ['n'] });
    expect([declined.code, declined.stderr]).toEqual([1, expect.stringMatching(/Replace the tables of the database/)]);
    expect(await users()).toBe(2);

    const restore = await home.run(['db', 'restore', file, '--yes', '--json']);
    expect([restore.code, restore.stderr]).toEqual([0, '']);
    const { data } = restore.json<{ data: { former: string; ledger: boolean } }>();
    expect(data).toMatchObject({ former: expect.stringMatching(/^before_restore_\d{8}_\d{6}$/), ledger: true });
    expect(await users()).toBe(1);
    expect(await query(`SELECT count(*) AS count FROM ${data.former}.users`)).toEqual([{ count: 2 }]);
    expect((await home.run('ledger verify')).code).toBe(0);
    expect((await home.run('db check')).code).toBe(0);
    expect(await query("SELECT actor_name FROM audits WHERE action = 'database.restore'")).toHaveLength(1);

    // What was put aside is in no further copy, so the next one goes back as well.
    expect((await home.run(['db', 'backup', file, '--force'])).code).toBe(0);
    await query(`DROP SCHEMA ${data.former} CASCADE`);
    expect((await home.run(['db', 'restore', file, '--yes'])).code).toBe(0);
    expect(await users()).toBe(1);
  });

  it('D2: fills an empty database, and leaves nothing of tables that the copy does not know', async () => {
    const other = await createTemporaryTarget('postgres');
    const place = other.target.engine === 'postgres' ? other.target.url : '';
    const run = await home.run(['db', 'restore', file, '--yes'], { env: { SQL_DSN: place } });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('was restored')]);
    expect(await query('SELECT username FROM users', place)).toEqual([{ username: 'root' }]);
    await query('CREATE TABLE newer (id int)', place);
    const again = await home.run(['db', 'restore', file, '--yes'], { env: { SQL_DSN: place } });
    expect(again.code).toBe(0);
    expect(await query("SELECT 1 AS one WHERE to_regclass('newer') IS NOT NULL", place)).toEqual([]);
    await other.remove();
  });

  it('D2: puts the tables back when the copy is not right: other objects, a ledger that is wrong, a newer program', async () => {
    const broken = {
      'CREATE RULE gift AS ON DELETE TO users DO INSTEAD NOTHING': 'rule users.gift',
      'UPDATE users SET quota = quota + 5': 'does not add up (1 difference)',
      "INSERT INTO migrations VALUES ('9999-later', 1)": '9999-later',
    };
    for (const [sql, said] of Object.entries(broken)) {
      const other = await createTemporaryTarget('postgres');
      const place = other.target.engine === 'postgres' ? other.target.url : '';
      rmSync(`${file}.json`, { force: true });
      execFileSync(tools.restore, ['--no-owner', `--dbname=${place}`, file], { stdio: 'pipe' });
      await query(sql, place);
      const odd = join(home.directory, 'odd.dump');
      execFileSync(tools.dump, ['--format=custom', `--file=${odd}`, `--dbname=${place}`], { stdio: 'pipe' });
      await other.remove();
      const run = await home.run(['db', 'restore', odd, '--yes']);
      expect([run.code, run.stderr]).toEqual([expect.any(Number), expect.stringContaining(said)]);
      expect(run.code).not.toBe(0);
      expect(await users()).toBe(2);
      expect(await schemas()).toEqual([]);
    }
  });

  it('D2: is refused by servers while it is unfinished, and goes on after it was killed', async () => {
    const bin = join(home.directory, 'bin');
    mkdirSync(bin);
    const killer = '#!/bin/sh\ncase "$*" in *--list*) exec "$REAL" "$@";; esac\nkill -9 $PPID\n';
    writeFileSync(join(bin, 'pg_restore'), killer, { mode: 0o755 });
    const real = execFileSync('sh', ['-c', `command -v ${tools.restore}`], { encoding: 'utf8' }).trim();
    const env = { ...home.env, PATH: `${bin}:${process.env.PATH}`, REAL: real };
    expect((await runBinary(['db', 'restore', file, '--yes'], { env })).signal).toBe('SIGKILL');
    const [former] = await schemas();
    const refused = await home.run('db migrate');
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringMatching(new RegExp(`former tables are in the schema ${former}[\\s\\S]*db restore again`)),
    ]);
    expect(await query("SELECT 1 AS one WHERE to_regclass('users') IS NOT NULL")).toEqual([]);

    expect((await home.run(['db', 'restore', file, '--yes'])).code).toBe(0);
    expect(await users()).toBe(1);
    expect(await schemas()).toEqual([former]);
    expect(await query(`SELECT count(*) AS count FROM ${former}.users`)).toEqual([{ count: 2 }]);
  });

  it('says what is missing: pg_restore, a newer one, a whole copy; and touches nothing', async () => {
    const refused = async (path: string, env: Record<string, string> = {}) => {
      const run = await home.run(['db', 'restore', path, '--yes'], { env });
      expect(await users()).toBe(2);
      expect(await schemas()).toEqual([]);
      return [run.code, run.stderr];
    };
    expect(await refused(file, { PATH: home.directory })).toEqual([
      2,
      expect.stringContaining('apt install postgresql-client'),
    ]);
    const old = join(home.directory, 'bin');
    mkdirSync(old);
    writeFileSync(
      join(old, 'pg_restore'),
      '#!/bin/sh\necho "pg_restore: error: unsupported version (1.16) in file header" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    const tooOld = await refused(file, { PATH: `${old}:${process.env.PATH}` });
    expect(tooOld).toEqual([2, expect.stringMatching(/too old.*unsupported version \(1\.16\)/s)]);
    rmSync(`${file}.json`);
    truncateSync(file, statSync(file).size >> 1);
    expect((await refused(file))[0]).not.toBe(0);
    writeFileSync(file, 'not a copy');
    expect(await refused(file)).toEqual([2, expect.stringContaining('is damaged; nothing was changed')]);
  });
});
