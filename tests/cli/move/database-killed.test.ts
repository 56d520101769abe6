import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { compiledWorker } from '../../support/compiled-worker.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { contentOf, createFilledHome } from '../../support/filled-home.ts';
import type { MoveOrder } from '../../support/move-worker.ts';
import type { CliHome } from '../../support/run-cli.ts';
import { createTemporaryTarget, type Engine } from '../../support/temporary-database.ts';

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of clean.splice(0).reverse()) await work();
});

const rowCount = 5000;

async function newPostgres(): Promise<string> {
  const bed = await createTemporaryTarget('postgres');
  clean.push(bed.remove);
  return bed.target.engine === 'postgres' ? bed.target.url : '';
}

async function filledHome(engine: Engine = 'sqlite'): Promise<CliHome> {
  const home = await createFilledHome(engine === 'postgres' ? { SQL_DSN: await newPostgres() } : {}, rowCount);
  clean.push(home.remove);
  return home;
}

/** Resolves with the signal that ended the move; null = it came to its end. */
async function killedAt(home: CliHome, statement: number | string, to: string): Promise<string | null> {
  const { PATH = '' } = process.env;
  const worker = compiledWorker('tests/support/move-worker');
  const order: MoveOrder = [String(statement), to];
  const child = spawn(process.execPath, [worker, ...order], { env: { PATH, ...home.env }, stdio: 'ignore' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

const startsOn = async (home: CliHome, env: Record<string, string> = {}) =>
  (await home.run('token list --json', { env })).code === 0;

async function marksIn(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query<{ name: string }>('SELECT name FROM move_marks')
    .catch(() => ({ rows: [] as { name: string }[] }));
  await client.end();
  return rows.map(({ name }) => name);
}

describe('a move that is killed', () => {
  it('goes on where it was, and never are both databases open to servers', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const before = await contentOf(home, 'before');
    const seen = new Set<string>();
    // In the middle of the migrations, then of the rows, then while they are read back, and at each of the last steps.
    let runs = 0;
    for (let statement = 25; (await killedAt(home, statement, url)) !== null; statement += 7) {
      runs += 1;
      const marks = await marksIn(url);
      for (const mark of marks) seen.add(mark);
      const isLeft = !(await startsOn(home));
      if (marks.length > 0) expect(await startsOn(home, { SQL_DSN: url })).toBe(false);
      else expect(isLeft).toBe(false);
    }
    expect(runs).toBeGreaterThan(3);
    expect([...seen]).toEqual(expect.arrayContaining(['moving_from', 'table abilities', 'table logs']));
    expect(await startsOn(home)).toBe(false);
    expect(await contentOf({ ...home, run: withDsn(home, url) }, 'after')).toEqual(before);
    expect((await home.run('ledger verify', { env: { SQL_DSN: url } })).code).toBe(0);
  });

  it('is finished by the next run, whichever of its last steps it was at', async () => {
    const home = await filledHome('postgres');
    const to = join(home.directory, 'back.db');
    const back = { SQL_DSN: '', SQLITE_PATH: to };
    // The old database is noted as moved, the new one is not open yet.
    for (const words of ['INSERT INTO `audits`', 'DELETE FROM move_marks']) {
      expect(await killedAt(home, words, to)).toBe('SIGKILL');
      expect(await startsOn(home)).toBe(false);
      expect(await startsOn(home, back)).toBe(false);
    }
    expect(await killedAt(home, 'nothing of it', to)).toBe(null);
    expect(await startsOn(home)).toBe(false);
    expect(await startsOn(home, back)).toBe(true);
    expect((await home.run('ledger verify', { env: back })).code).toBe(0);
  });

  it('takes what the old database got in between', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    for (let statement = 40; !(await marksIn(url)).includes('table logs'); statement += 20) {
      expect(await killedAt(home, statement, url)).toBe('SIGKILL');
    }
    expect(await startsOn(home)).toBe(true);
    await home.run('user quota anna --add $1 --yes');
    await home.run('option set RetryTimes 7');
    await home.run('token create --user anna --name third');
    await home.run('log clear --before 2023-11-14 --yes');
    const before = await contentOf(home, 'before');
    const run = await home.run(['db', 'move', '--to', url, '--yes']);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('the ledger adds up')]);
    expect(await contentOf({ ...home, run: withDsn(home, url) }, 'after')).toEqual(before);
  });

  it('by a connection that breaks says so, and how to go on', async () => {
    const home = await filledHome();
    const url = new URL(await newPostgres());
    const proxy = await startFaultProxy({ port: Number(url.port) });
    clean.push(proxy.close);
    url.port = String(proxy.port);
    proxy.set({ cutOn: { pattern: 'table logs', side: 'before', times: 1 } });
    const cut = await home.run(['db', 'move', '--to', url.href, '--yes']);
    expect([cut.code, cut.stderr]).toEqual([7, expect.stringMatching(/interrupted[\s\S]*run this command again/)]);
    expect(await startsOn(home)).toBe(true);
    const before = await contentOf(home, 'before');
    const run = await home.run(['db', 'move', '--to', url.href, '--yes', '--json']);
    expect([run.stderr, run.code]).toEqual(['', 0]);
    expect(await contentOf({ ...home, run: withDsn(home, url.href) }, 'after')).toEqual(before);
  });

  it('by Ctrl-C ends between two pages', async () => {
    const home = await filledHome();
    const url = await newPostgres();
    const run = await home.run(['db', 'move', '--to', url, '--yes'], {
      watch: (text, signal) => text.includes('abilities') && signal('SIGINT'),
    });
    expect([run.code, run.stderr]).toEqual([130, expect.stringContaining('run this command again')]);
    expect(await startsOn(home, { SQL_DSN: url })).toBe(false);
    expect((await home.run(['db', 'move', '--to', url, '--yes'])).code).toBe(0);
  });

  it('does not let one run into the place of another', async () => {
    const [home, other] = [await filledHome(), await filledHome()];
    const url = await newPostgres();
    for (let statement = 40; (await marksIn(url)).length === 0; statement += 20) await killedAt(home, statement, url);
    const run = await other.run(['db', 'move', '--to', url, '--yes']);
    expect([run.code, run.stderr]).toEqual([5, expect.stringMatching(/unfinished move from .*tollgate\.db/)]);
  });
});

const withDsn =
  (home: CliHome, url: string): CliHome['run'] =>
  (words, options = {}) =>
    home.run(words, { ...options, env: { ...options.env, SQL_DSN: url } });
