import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { writeMysqlDump } from '../../support/large-old-database.ts';
import {
  createOldPostgres,
  createOldSqlite,
  newApi,
  type OldRow,
  type OldTables,
  oldToken,
  oldUser,
} from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';

const withRows = (tables: OldTables, rows: Record<string, OldRow[]>): OldTables => {
  const changed = Object.entries(rows).map(([name, list]) => [
    name,
    { columns: tables[name]?.columns ?? '', rows: list },
  ]);
  return { ...tables, ...Object.fromEntries(changed) };
};

const keys = { open: 'o', blankEnd: 'e', blankStatus: 's', endless: 'n', blankUser: 'u' };
const keyOf = (name: keyof typeof keys) => keys[name].repeat(48);

/** Hand-made rows of an old installation: nothing in columns that its program always writes, and IDs that it never gives. */
const odd = withRows(newApi, {
  users: [
    oldUser(0, 'zero', { quota: 7 }),
    oldUser(1, 'root', { role: 100, quota: 5 }),
    oldUser(2, 'kim', { quota: 300 }),
    oldUser(3, 'lee', { quota: 300, status: null }),
  ],
  tokens: [
    oldToken(-3, 2, 'm'.repeat(48)),
    oldToken(1, 2, keyOf('open'), { unlimited_quota: true }),
    oldToken(2, 2, keyOf('blankEnd'), { unlimited_quota: true, expired_time: null }),
    oldToken(3, 2, keyOf('blankStatus'), { unlimited_quota: true, status: null }),
    oldToken(4, 2, keyOf('endless'), { unlimited_quota: true, expired_time: '9223372036854775807' }),
    oldToken(5, 3, keyOf('blankUser'), { unlimited_quota: true }),
  ],
  redemptions: [{ id: 0, user_id: 1, key: 'a'.repeat(32), status: 1, name: 'zero', quota: 4000 }],
  quota_data: [],
  top_ups: [],
});

describe('rows of an old installation with nothing in a field', () => {
  let home: CliHome;
  beforeEach(() => {
    home = createCliHome();
  });
  afterEach(() => home.remove());

  async function take(place: string, stdin?: string): Promise<TakeoverReport> {
    const run = await home.run(['db', 'import', place, '--yes', '--logs', '--json'], { stdin });
    expect([run.stderr, run.code]).toEqual(['', 0]);
    return run.json<{ data: TakeoverReport }>().data;
  }

  async function expectOdd({ tables }: TakeoverReport): Promise<void> {
    const of = (name: string) => tables.find(({ table }) => table === name);
    const reasons = (name: string) =>
      Object.fromEntries(of(name)?.notes.map(({ reason, examples }) => [reason, examples]) ?? []);
    expect(of('users')).toMatchObject({ read: 4, taken: 3, skipped: 1 });
    expect(reasons('users')).toEqual({ noStatus: ['lee'], badId: ['zero'] });
    expect(of('tokens')).toMatchObject({ read: 6, taken: 5, skipped: 1 });
    expect(reasons('tokens')).toEqual({ noEnd: ['token 2'], noStatus: ['token 3'], badId: ['token -3'] });
    expect(of('redemptions')).toMatchObject({ read: 1, taken: 0, skipped: 1 });
    expect(reasons('redemptions')).toEqual({ badId: ['zero'] });

    const gateway = await startGateway('sqlite', home.env);
    try {
      const statusOf = async (name: keyof typeof keys) => {
        const headers = { authorization: `Bearer sk-${keyOf(name)}` };
        return (await fetch(`${gateway.url}/v1/models`, { headers })).status;
      };
      const found = await Promise.all(
        (['open', 'endless', 'blankEnd', 'blankStatus', 'blankUser'] as const).map(statusOf),
      );
      expect(found).toEqual([200, 200, 401, 401, 403]);
    } finally {
      await gateway.stop();
    }
  }

  it('mean what the old program takes them for, and rows without a usable ID are named, from SQLite', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, odd);
    await expectOdd(await take(file));
  });

  it('do so from a dump of MySQL', async () => {
    const file = join(home.directory, 'oneapi.sql');
    writeMysqlDump(file, odd);
    await expectOdd(await take(file));
  });

  it('do so from PostgreSQL', async () => {
    const old = await createOldPostgres(odd);
    try {
      await expectOdd(await take('-', old.url));
    } finally {
      await old.remove();
    }
  });
});
