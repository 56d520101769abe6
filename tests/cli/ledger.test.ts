import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('ledger and database commands', () => {
  let home: CliHome;
  beforeEach(() => {
    home = createCliHome();
  });
  afterEach(() => home.remove());

  it('tells which migrations wait, and runs them', async () => {
    expect((await home.run('db status')).stdout).toMatch(/^0001-initial\tpending\n/);
    expect((await home.run('db migrate --json')).json()).toMatchObject({
      success: true,
      data: { migrations: expect.arrayContaining(['0001-initial']) },
    });
    expect((await home.run('db migrate')).stdout).toBe('the schema is up to date\n');
    expect((await home.run('db status')).stdout).not.toContain('pending');
  });

  it('proves right books and names what is wrong in others', async () => {
    await home.run('init --no-input');
    const right = await home.run('ledger verify');
    expect(right.code).toBe(0);
    expect(right.stdout).toBe('the ledger adds up (checked users: 1, tokens: 1, channels: 0, hourly sums: 0)\n');
    const connection = await openSqlite(`${home.directory}/tollgate.db`);
    await connection.exec('UPDATE users SET quota = quota - 7 WHERE id = 1');
    await connection.close();
    const wrong = await home.run('ledger verify');
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toBe('user\t1\tbalance\t100000000\t99999993\n');
    expect(wrong.stderr).toBe('1 difference\n');
    const json = await home.run('ledger verify --json');
    expect(json.code).toBe(1);
    expect(json.json()).toMatchObject({
      ok: false,
      differenceCount: 1,
      differences: [{ subject: 'user', id: '1', rule: 'balance', expected: 100_000_000, found: 99_999_993 }],
    });
  });

  it('makes no database where there is none to verify', async () => {
    const run = await home.run('ledger verify');
    expect(run.code).toBe(7);
    expect((await home.run('db status')).stdout).toContain('pending');
  });
});
