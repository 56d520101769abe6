import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';
import { lockSource } from '../../../core/services/moving/database/source.ts';
import { contentOf, createFilledHome, placeOf } from '../../support/filled-home.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';
import { createTemporaryTarget } from '../../support/temporary-database.ts';

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of clean.splice(0).reverse()) await work();
});

async function newPostgres(): Promise<string> {
  const bed = await createTemporaryTarget('postgres');
  clean.push(bed.remove);
  return bed.target.engine === 'postgres' ? bed.target.url : '';
}

async function filledHome(env: Record<string, string> = {}): Promise<CliHome> {
  const home = await createFilledHome(env);
  clean.push(home.remove);
  return home;
}

/** The same data directory with another database. */
const at = (home: CliHome, place: Record<string, string>): CliHome => {
  const env = { ...home.env, ...place };
  return {
    ...home,
    env,
    run: (words, options = {}) => home.run(words, { ...options, env: { ...place, ...options.env } }),
  };
};

async function onPostgres(home: CliHome): Promise<CliHome> {
  const url = await newPostgres();
  expect((await home.run(['db', 'move', '--to', url, '--yes'])).code).toBe(0);
  return at(home, { SQL_DSN: url });
}

async function onFile<T>(file: string, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
  const connection = await openSqlite(file);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function sql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

interface Report {
  data: {
    rows: number;
    tables: { table: string; rows: number; sums: Record<string, string> }[];
    ledger: { ok: boolean };
  };
}

const lastLine = <T>(text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '') as T;

describe('a move to another database', () => {
  it('takes every row of every table to PostgreSQL, to another one, and back to a file', async () => {
    const home = await filledHome();
    const before = await contentOf(home, 'before');
    expect([...before].filter(([, text]) => text.startsWith('0 '))).toEqual([]);
    const [one, two, file] = [await newPostgres(), await newPostgres(), join(home.directory, 'back.db')];

    const moved = await home.run(['db', 'move', '--to', one, '--yes', '--json']);
    expect([moved.stderr, moved.code]).toEqual(['', 0]);
    const { data } = lastLine<Report>(moved.stdout);
    expect(data.ledger.ok).toBe(true);
    expect(data.tables.find(({ table }) => table === 'users')).toMatchObject({
      rows: 4,
      sums: { quota: expect.stringMatching(/^\d{6,}$/), used_quota: expect.stringMatching(/^\d+$/) },
    });
    const first = at(home, { SQL_DSN: one });
    expect(await contentOf(first, 'first')).toEqual(before);

    expect((await first.run(['db', 'move', '--to', two, '--yes'])).code).toBe(0);
    const second = at(home, { SQL_DSN: two });
    expect(await contentOf(second, 'second')).toEqual(before);

    expect((await second.run(['db', 'move', '--to', file, '--yes'])).code).toBe(0);
    const third = at(home, { SQL_DSN: '', SQLITE_PATH: file });
    expect(await contentOf(third, 'third')).toEqual(before);
    expect((await third.run('ledger verify')).code).toBe(0);
    expect((await third.run('db check')).stdout).toMatch(/ledger/);
    // No id is given twice.
    const made = await third.run(['user', 'create', '--name', 'next', '--password-stdin', '--json'], {
      stdin: 'a long enough one',
    });
    expect(made.json<{ id: number }>().id).toBeGreaterThan(4);
    expect((await third.run('audit list --json')).stdout).toContain('database.move');
  });

  it('leaves an old database that no server bills into, until it is taken back', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const run = await home.run(['db', 'move', '--to', url, '--yes']);
    expect(run.stderr).toContain('servers still need');
    expect(run.stderr).toContain(`SQL_DSN=${url}`);
    expect(run.stdout).toMatch(/everything is in postgres:.*read back and compared/);

    for (const words of ['serve', 'user quota anna --add $1 --yes', 'token create --user anna --name x']) {
      const refused = await home.run(words);
      expect([refused.code, refused.stderr]).toEqual([
        5,
        expect.stringMatching(/was moved to postgres:[\s\S]*SQL_DSN/),
      ]);
    }
    const again = await home.run(['db', 'move', '--to', url, '--yes']);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('was moved to postgres:')]);

    const migrate = await home.run('db migrate');
    expect([migrate.code, migrate.stderr]).toEqual([5, expect.stringContaining('was moved to postgres:')]);

    const file = join(home.directory, 'kept.db');
    expect((await home.run(['db', 'backup', file])).code).toBe(0);
    const restore = await home.run(['db', 'restore', file, '--yes']);
    expect([restore.code, restore.stderr]).toEqual([5, expect.stringMatching(/was moved to postgres:[\s\S]*--undo/)]);
    const undo = await home.run('db move --undo --yes');
    expect([undo.code, undo.stdout]).toEqual([0, expect.stringContaining('can be used again')]);
    expect((await home.run('user quota anna --add $1 --yes')).code).toBe(0);
    expect((await home.run('db move --undo --yes')).stderr).toContain('was not moved');
  });

  it('says of an old database that is read that it was moved, and leaves its schema alone', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    expect((await home.run(['db', 'move', '--to', url, '--yes'])).code).toBe(0);
    for (const words of ['ledger verify', 'db backup', 'db status']) {
      const read = await home.run(words);
      expect([read.code, read.stderr], words).toEqual([
        0,
        expect.stringMatching(
          /This database was moved to postgres:.* on \d{4}-\d\d-\d\d\. What you see here is what it had then\./,
        ),
      ]);
    }
    const place = expect.stringMatching(/^postgres:/);
    expect((await home.run('ledger verify --json')).json()).toMatchObject({ ok: true, moved_to: place });
    expect((await home.run(['db', 'backup', join(home.directory, 'second.db'), '--json'])).json()).toMatchObject({
      data: { moved_to: place },
    });
    const now = await home.run('ledger verify', { env: { SQL_DSN: url } });
    expect([now.code, now.stderr]).toEqual([0, '']);

    const file = join(home.directory, 'tollgate.db');
    const last = await onFile(file, ({ all }) =>
      all("SELECT name FROM migrations WHERE name < '0034' ORDER BY name DESC LIMIT 1"),
    );
    await onFile(file, ({ run }) => run('DELETE FROM migrations WHERE name = ?', [String(last[0]?.name)]));
    const serve = await home.run('serve');
    expect([serve.code, serve.stderr]).toEqual([5, expect.stringContaining('was moved to postgres:')]);
    const [{ count } = {}] = await onFile(file, ({ all }) =>
      all('SELECT count(*) AS count FROM migrations WHERE name = ?', [String(last[0]?.name)]),
    );
    expect(count).toBe(0);
  });

  it('serves the same keys from the new database', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    expect((await home.run(['db', 'move', '--to', url, '--yes'])).code).toBe(0);
    const show = await home.run('token list --user anna --json', { env: { SQL_DSN: url } });
    const [{ id }] = show.json<{ items: [{ id: number }] }>().items;
    const key = (await home.run(['token', 'show-key', String(id)], { env: { SQL_DSN: url } })).stdout.trim();
    const gateway = await startGateway('sqlite', { ...home.env, SQL_DSN: url });
    clean.push(() => gateway.stop());
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(models.status).toBe(200);
  });

  it('shows in a dry run what it would do, and changes nothing', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const run = await home.run(['db', 'move', '--to', url, '--dry-run', '--json']);
    const { data } = run.json<{
      data: { rows: number; bytes: number; in_use: boolean; tables: { table: string; rows: number }[] };
    }>();
    expect(data.in_use).toBe(false);
    expect(data.bytes).toBeGreaterThan(10_000);
    expect(data.rows).toBe(data.tables.reduce((sum, { rows }) => sum + rows, 0));
    expect(data.tables).toContainEqual(expect.objectContaining({ table: 'users', rows: 4 }));
    const shown = await home.run(['db', 'move', '--to', url, '--dry-run']);
    expect(shown.stdout).toMatch(/users\t4\t/);
    await sql(url, 'CREATE TABLE nothing_was_here (id INT)');
    expect((await home.run('token list')).code).toBe(0);
  });

  it('is refused where it would mix with other data, or could not come to its end', async () => {
    const home = await filledHome();
    const refused = async (to: string, words: RegExp, code: number, stdin?: string) => {
      const run = await home.run(['db', 'move', '--to', to, '--yes'], stdin === undefined ? {} : { stdin });
      expect([run.stderr, run.code]).toEqual([expect.stringMatching(words), code]);
    };
    const full = await newPostgres();
    const other = createCliHome({ SQL_DSN: full });
    clean.push(other.remove);
    await other.run('db migrate');
    await other.run(['user', 'create', '--name', 'carl', '--password-stdin'], { stdin: 'a long enough one' });
    await refused(full, /is not empty \(rows in users: 2\)[\s\S]*createdb/, 5);

    const foreign = await newPostgres();
    await sql(foreign, 'CREATE TABLE invoices (id INT)');
    await refused(foreign, /tables of another program: invoices/, 2);

    const closed = new URL(await newPostgres());
    const database = closed.pathname.slice(1);
    await sql(closed.href, 'CREATE ROLE visitor LOGIN', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    clean.push(() => sql(closed.href, 'DROP OWNED BY visitor', 'DROP ROLE visitor'));
    closed.username = 'visitor';
    await refused(closed.href, /may not create tables in the schema public/, 2);

    closed.username = 'tollgate';
    await sql(closed.href, `CREATE DATABASE ${database}_latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`);
    clean.push(() => sql(closed.href, `DROP DATABASE ${database}_latin`));
    await refused(closed.href.replace(database, `${database}_latin`), /its encoding is LATIN1, not UTF8/, 2);

    await refused('postgres://tollgate@127.0.0.1:1/none', /Cannot connect/, 7);
    await refused('postgres://tollgate:secret@127.0.0.1/none', /does not accept a secret on the command line/, 2);
    await refused('mysql://127.0.0.1/none', /neither a PostgreSQL address nor a SQLite file/, 2);
    await refused(join(home.directory, 'tollgate.db'), /is the database in use/, 2);
    await refused('-', /Cannot connect/, 7, 'postgres://tollgate:secret@127.0.0.1:1/none\n');
    expect((await home.run('db move')).stderr).toContain('--to');
    expect((await home.run('token list')).code).toBe(0);
  });

  it('waits for nothing that a server still has to do', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const file = join(home.directory, 'tollgate.db');
    const connection = await openSqlite(file);
    await connection.exec(`INSERT INTO quota_holds (id, owner, user_id, amount) VALUES ('open', 'gone', 2, 5)`);
    const held = await home.run(['db', 'move', '--to', url, '--yes']);
    expect([held.code, held.stderr]).toEqual([
      5,
      expect.stringMatching(/quota of 1 call is still held[\s\S]*tollgate serve/),
    ]);
    await connection.exec(`DELETE FROM quota_holds WHERE id = 'open'`);

    // A server of this very machine that runs.
    await connection.exec(
      `INSERT INTO ledger_owners (id, host, pid, seen_at) VALUES ('live', '${(await import('node:os')).hostname()}', ${process.pid}, unixepoch())`,
    );
    const used = await home.run(['db', 'move', '--to', url, '--yes']);
    expect([used.code, used.stderr]).toEqual([5, expect.stringMatching(/in use by process[\s\S]*stop the server/)]);
    const dry = await home.run(['db', 'move', '--to', url, '--dry-run', '--json']);
    expect(dry.json()).toMatchObject({ data: { in_use: true } });
    await connection.exec(`DELETE FROM ledger_owners WHERE id = 'live'`);
    await connection.close();

    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(home.directory, 'spool', 'gone.jsonl'), '{}\n');
    const spooled = await home.run(['db', 'move', '--to', url, '--yes']);
    expect([spooled.code, spooled.stderr]).toEqual([5, expect.stringContaining('not booked yet')]);
  });

  it('keeps servers and commands out of the old database while it runs', async () => {
    const home = await filledHome();
    const expectClosed = async (place: CliHome) => {
      const locked = await lockSource(placeOf(place));
      const { code } = await place.run('user quota anna --add $1 --yes');
      expect(code).toBe(7);
      await locked.close();
      expect((await place.run('user quota anna --add $1 --yes')).code).toBe(0);
    };
    await expectClosed(home);
    await expectClosed(await onPostgres(home));
  });

  it('writes SQL_DSN into .env only where that was agreed to', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const cwd = process.cwd();
    process.chdir(home.directory);
    clean.push(() => process.chdir(cwd));
    const run = await home.run(['db', 'move', '--to', '-', '--yes', '--write-env'], { stdin: `${url}\n` });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('SQL_DSN was written to')]);
    expect(readFileSync('.env', 'utf8')).toBe(`SQL_DSN=${url}\n`);
    expect((await home.run('config show --json')).stdout).toContain('PostgreSQL');
    expect((await home.run('user list --json')).stdout).toContain('anna');
    expect(existsSync(`.env.${process.pid}`)).toBe(false);
  });
});
