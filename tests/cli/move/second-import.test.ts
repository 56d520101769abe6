import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import type { VerifyReport } from '../../../core/billing/verify-ledger.ts';
import { loadConfig } from '../../../core/config.ts';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { createOldSqlite, newApi, oldChannel, oldUser } from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

interface Result {
  message: string;
  data: TakeoverReport & { ledger: VerifyReport };
}

describe.each(engines)('a second import into %s', (engine) => {
  let home: CliHome;
  let file: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const bed = await createTemporaryTarget(engine);
    remove = bed.remove;
    home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
    file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
  });
  afterEach(async () => {
    home.remove();
    await remove();
  });
  const take = async (...words: string[]) => {
    const run = await home.run(['db', 'import', file, '--yes', '--logs', '--json', ...words]);
    expect([run.stderr, run.code]).toEqual(['', 0]);
    return run.json<Result>().data;
  };
  const changeOld = async (...statements: string[]) => {
    const connection = await openSqlite(file);
    for (const statement of statements) await connection.exec(statement);
    await connection.close();
  };
  const figures = ({ tables }: Result['data']) =>
    Object.fromEntries(tables.map(({ table, taken, changed, present }) => [table, [taken, changed, present]]));
  const userOf = async (name: string) => (await home.run(`user get ${name} --json`)).json();

  it('finds tokens open again after more quota or time that were used up or at their end, but none that was not opened there', async () => {
    const insert = (id: number, status: number, quota: number, end: number) =>
      `INSERT INTO tokens (id, user_id, "key", status, name, remain_quota, unlimited_quota, used_quota, expired_time)
        VALUES (${id}, 2, '${String(id).repeat(24)}', ${status}, 'ended ${id}', ${quota}, FALSE, 5, ${end})`;
    await changeOld(insert(21, 4, 0, -1), insert(22, 3, 50, 1_700_000_000), insert(23, 4, 50, -1));
    await take();
    const statuses = async () => {
      const tokens = (await home.run('token list --json')).json<{ items: { name: string; status: number }[] }>().items;
      return [21, 22, 23].map((id) => tokens.find(({ name }) => name === `ended ${id}`)?.status);
    };
    expect(await statuses()).toEqual([4, 3, 4]);
    for (const change of ['21 --quota 10 --yes', '22 --expires never', '23 --quota 100 --yes'])
      expect(await home.run(`token update ${change}`)).toMatchObject({ code: 0 });
    expect(await statuses()).toEqual([1, 1, 4]);
  });

  it('adds what was gained, spent and made in the source since, to what happened here', async () => {
    await take();
    await home.run('user quota anna --add $2 --yes');
    await changeOld(
      // Topped up by 10,000,000 and spent 600,000 of it on token 3 and channel 1; the log row is there.
      'UPDATE users SET quota = quota + 9400000, used_quota = used_quota + 600000 WHERE id = 2',
      'UPDATE tokens SET remain_quota = remain_quota - 600000, used_quota = used_quota + 600000 WHERE id = 3',
      'UPDATE channels SET used_quota = used_quota + 600000 WHERE id = 1',
      `INSERT INTO logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, token_id, channel_id)
        VALUES (9, 2, 1700009999, 2, '', 'anna', 'token 3', 'gpt-4o', 600000, 3, 1)`,
      // Bob's balance went down by 5.
      'UPDATE users SET quota = quota - 5 WHERE id = 5',
      `INSERT INTO users (id, username, password, role, status, quota, used_quota, "group", aff_code)
        VALUES (12, 'fresh', 'x', 1, 1, 777, 0, 'default', 'fr12')`,
      `INSERT INTO tokens (id, user_id, "key", status, name, remain_quota, unlimited_quota, used_quota, expired_time)
        VALUES (12, 12, '${'f'.repeat(48)}', 1, 'fresh token', 100, FALSE, 0, -1)`,
      'UPDATE redemptions SET status = 3, used_user_id = 2 WHERE id = 1',
    );

    const dry = await take('--dry-run');
    const balances = dry.balances.map(({ username, source, before, after }) => [username, source, before, after]);
    const expected = [
      ['boss', 7_000_000, 7_000_000, 7_000_000],
      ['anna', 3_009_400_000, 3_001_000_000, 3_010_400_000],
      ['bob', 0, 0, 0],
      ['Bob_5', 0, 5, 0],
      ['fresh', 777, 0, 777],
    ];
    expect(balances).toEqual(expected);
    expect(await userOf('anna')).toMatchObject({ quota: 3_001_000_000, used_quota: 500_000 });

    const real = await take();
    expect(real.balances).toEqual(dry.balances);
    expect(figures(real)).toMatchObject({
      users: [1, 2, 2],
      tokens: [1, 1, 1],
      channels: [0, 1, 2],
      redemptions: [0, 1, 1],
      logs: [1, 0, 3],
    });
    expect(real.ledger).toMatchObject({ ok: true, differences: [] });
    expect(await userOf('anna')).toMatchObject({ quota: 3_010_400_000, used_quota: 1_100_000 });
    expect(await userOf('fresh')).toMatchObject({ quota: 777 });
    // What the code was worth is in the balance: it cannot be used a second time here.
    expect((await home.run('redemption list --json')).json<{ items: object[] }>().items).toContainEqual(
      expect.objectContaining({ name: 'gift', status: 3 }),
    );
    const third = await take();
    expect(figures(third)).toMatchObject({ users: [0, 0, 5], tokens: [0, 0, 3], logs: [0, 0, 4] });
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('adds earnings from invitations, so that none that were moved to the balance there can be moved here as well', async () => {
    await take();
    const earnings = async (name: string) => {
      const { quota, aff_count, aff_quota, aff_history_quota } = await userOf(name);
      return [quota, aff_count, aff_quota, aff_history_quota];
    };
    expect(await earnings('anna')).toEqual([3e9, 0, 77, 0]);
    // Two more came by invitation, of 50 each, and 100 of the earnings were moved to the balance.
    await changeOld(
      'UPDATE users SET aff_count = 2, aff_history = 100, aff_quota = 27, quota = quota + 150 WHERE id = 2',
      'UPDATE users SET aff_count = 1, aff_history = 9, aff_quota = 9 WHERE id = 5',
    );
    expect(figures(await take()).users).toEqual([0, 2, 2]);
    expect(await earnings('anna')).toEqual([3e9 + 150, 2, 27, 100]);
    expect(await earnings('Bob_5')).toEqual([5, 1, 9, 9]);
    expect(figures(await take()).users).toEqual([0, 0, 4]);
    expect(await earnings('anna')).toEqual([3e9 + 150, 2, 27, 100]);
  });

  /** Names of one kind of row by their status. */
  const statusesOf = async (list: string) => {
    const { items } = (await home.run(`${list} list --json`)).json<{
      items: { name?: string; username?: string; status: number }[];
    }>();
    return Object.fromEntries(items.map(({ name, username, status }) => [username ?? name, status]));
  };
  const notesOf = ({ tables }: Result['data']) =>
    Object.fromEntries(
      tables.map(({ table, notes }) => [
        table,
        notes
          .filter(({ reason }) => /Since$|Twice$|olderCopy/.test(reason))
          .map(({ reason, examples }) => [reason, ...examples]),
      ]),
    );

  it('disables what was disabled or deleted in the source since, and nothing that was opened here', async () => {
    const user = (id: number, name: string, status = 1) =>
      `INSERT INTO users (id, username, password, role, status, quota, used_quota, "group", aff_code)
        VALUES (${id}, '${name}', 'x${id}', 1, ${status}, 777, 0, 'default', 'aff${id}')`;
    const token = (id: number, name: string, status = 1) =>
      `INSERT INTO tokens (id, user_id, "key", status, name, remain_quota, unlimited_quota, used_quota, expired_time)
        VALUES (${id}, 2, '${String(id).repeat(24)}', ${status}, '${name}', 50, FALSE, 0, -1)`;
    const code = (id: number, name: string, status = 1) =>
      `INSERT INTO redemptions (id, user_id, "key", status, name, quota)
        VALUES (${id}, 1, '${String(id).repeat(16)}', ${status}, '${name}', 4000)`;
    await changeOld(
      ...[user(21, 'banned'), user(22, 'left'), user(23, 'erased'), user(24, 'stays'), user(25, 'closed', 2)],
      ...[token(31, 'off'), token(32, 'removed'), token(33, 'erased'), token(34, 'stays'), token(35, 'closed', 2)],
      ...[code(41, 'off'), code(42, 'removed'), code(43, 'erased'), code(44, 'stays'), code(45, 'closed', 2)],
      ...[code(46, 'spent'), code(47, 'both')],
    );
    await take();
    for (const command of ['user enable closed', 'token enable 35', 'redemption enable 45'])
      expect(await home.run(command), command).toMatchObject({ code: 0 });
    await changeOld(
      'UPDATE users SET status = 2 WHERE id = 21',
      "UPDATE users SET deleted_at = '2026-01-01 00:00:00', username = 'gone_22' WHERE id = 22",
      'DELETE FROM users WHERE id = 23',
      'UPDATE tokens SET status = 2 WHERE id = 31',
      "UPDATE tokens SET deleted_at = '2026-01-01 00:00:00' WHERE id = 32",
      'DELETE FROM tokens WHERE id = 33',
      'UPDATE redemptions SET status = 2 WHERE id = 41',
      "UPDATE redemptions SET deleted_at = '2026-01-01 00:00:00' WHERE id = 42",
      'DELETE FROM redemptions WHERE id = 43',
      // Used, and then deleted with all that are invalid.
      "UPDATE redemptions SET status = 3, used_user_id = 2, deleted_at = '2026-01-01 00:00:00' WHERE id = 46",
    );
    const dry = await take('--dry-run');
    expect(await statusesOf('user')).toMatchObject({ banned: 1, left: 1, erased: 1 });
    const real = await take();
    expect(notesOf(real)).toMatchObject(notesOf(dry));
    expect(notesOf(real)).toMatchObject({
      users: [['closedSince', 'banned', 'left', 'erased']],
      tokens: [['closedSince', 'off', 'removed', 'erased']],
      redemptions: [
        ['closedSince', 'off', 'removed', 'erased'],
        ['usedSince', 'spent'],
      ],
    });
    expect(await statusesOf('user')).toMatchObject({ banned: 2, left: 2, erased: 2, stays: 1, closed: 1, boss: 1 });
    expect(await statusesOf('token')).toMatchObject({ off: 2, removed: 2, erased: 2, stays: 1, closed: 1 });
    const codes = { off: 2, removed: 2, erased: 2, stays: 1, closed: 1, spent: 3, both: 1 };
    expect(await statusesOf('redemption')).toMatchObject(codes);
    // Opened here, they stay so.
    for (const command of ['user enable banned erased', 'token enable 31 33', 'redemption enable 41 43'])
      expect(await home.run(command), command).toMatchObject({ code: 0 });
    expect(notesOf(await take())).toMatchObject({ users: [], tokens: [], redemptions: [] });
    expect(await statusesOf('user')).toMatchObject({ banned: 1, erased: 1 });
    expect(await statusesOf('token')).toMatchObject({ off: 1, erased: 1 });
    expect(await statusesOf('redemption')).toMatchObject({ off: 1, erased: 1 });
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('disables nothing because of a copy that was made before the one imported last', async () => {
    await changeOld(
      'UPDATE users SET status = 1 WHERE id = 5',
      `INSERT INTO users (id, username, password, role, status, quota, used_quota, "group", aff_code)
        VALUES (61, 'newest', 'x61', 1, 1, 777, 0, 'default', 'aff61')`,
      'UPDATE users SET used_quota = used_quota + 100, quota = quota - 100 WHERE id = 2',
    );
    await take();
    await changeOld(
      'UPDATE users SET status = 2 WHERE id = 5',
      'DELETE FROM users WHERE id = 61',
      "DELETE FROM redemptions WHERE name = 'gift'",
      'UPDATE users SET used_quota = used_quota - 100, quota = quota + 100 WHERE id = 2',
    );
    expect(notesOf(await take())).toMatchObject({ users: [['olderCopy', 'anna']], tokens: [], redemptions: [] });
    expect(await statusesOf('user')).toMatchObject({ newest: 1, Bob_5: 1 });
    expect(await statusesOf('redemption')).toMatchObject({ gift: 1 });
    await changeOld('UPDATE users SET used_quota = used_quota + 200, quota = quota - 200 WHERE id = 2');
    expect(notesOf(await take())).toMatchObject({
      users: [['closedSince', 'Bob_5', 'newest']],
      redemptions: [['closedSince', 'gift']],
    });
  });

  it.runIf(engine === 'sqlite')(
    'closes rows that a former version imported as far as the source still has them',
    async () => {
      const token = (
        id: number,
      ) => `INSERT INTO tokens (id, user_id, "key", status, name, remain_quota, unlimited_quota, used_quota, expired_time)
      VALUES (${id}, 2, '${String(id).repeat(24)}', 1, 'old ${id}', 50, FALSE, 0, -1)`;
      await changeOld(token(31), token(32), token(33));
      await take();
      const here = await openSqlite(join(home.directory, 'tollgate.db'));
      await here.exec(
        "UPDATE takeover_marks SET source = NULL, closed = NULL; DELETE FROM takeover_marks WHERE subject = 'code'",
      );
      await here.close();
      await changeOld(
        'UPDATE users SET status = 2 WHERE id = 5',
        'UPDATE tokens SET status = 2 WHERE id = 31',
        'DELETE FROM tokens WHERE id = 32',
        "UPDATE redemptions SET deleted_at = '2026-01-01 00:00:00' WHERE id = 1",
      );
      expect(notesOf(await take())).toMatchObject({
        users: [['closedSince', 'Bob_5']],
        tokens: [['closedSince', 'old 31']],
        redemptions: [['closedSince', 'gift']],
      });
      expect(await statusesOf('token')).toMatchObject({ 'old 31': 2, 'old 32': 1, 'old 33': 1 });
      // From then on it is known where they came from.
      await changeOld('DELETE FROM tokens WHERE id = 33');
      expect(notesOf(await take())).toMatchObject({ users: [], tokens: [['closedSince', 'old 33']], redemptions: [] });
    },
  );

  it('names a code that was used here and in the source, once', async () => {
    await take();
    const app = await createApp(loadConfig({}, home.env));
    await app.services.redemptions.redeem({ id: 2, name: 'anna', role: 1, address: '' }, '0123456789abcdef'.repeat(2));
    await app.close();
    await changeOld('UPDATE redemptions SET status = 3, used_user_id = 5 WHERE id = 1');
    expect(notesOf(await take())).toMatchObject({ redemptions: [['usedTwice', 'gift']] });
    expect(await userOf('anna')).toMatchObject({ quota: 3e9 + 4000 });
    expect(notesOf(await take())).toMatchObject({ redemptions: [] });
  });

  it('leaves new codes numbers that no imported one has', async () => {
    await take();
    for (let count = 0; count < 2; count += 1)
      expect(await home.run('redemption create --name new --quota 5000')).toMatchObject({ code: 0 });
    expect(await statusesOf('redemption')).toMatchObject({ gift: 1, used: 3, new: 1 });
  });

  it('finds an account again whose password or invitation code changed, and leaves one that was deleted here', async () => {
    await take();
    await home.run('user remove Bob_5 --yes');
    await changeOld(
      "UPDATE users SET password = '$2a$04$another', quota = quota + 100 WHERE id = 2",
      'UPDATE users SET quota = quota + 100 WHERE id = 5',
    );
    const { tables, balances } = await take();
    expect(balances.find(({ username }) => username === 'anna')).toMatchObject({ before: 3e9, after: 3e9 + 100 });
    expect(tables.find(({ table }) => table === 'users')?.notes).toContainEqual({
      reason: 'goneHere',
      count: 1,
      examples: ['Bob'],
    });
    await changeOld("UPDATE users SET aff_code = 'new2', quota = quota + 1 WHERE id = 2");
    await take();
    expect(await userOf('anna')).toMatchObject({ quota: 3e9 + 101 });
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('of another installation does not touch accounts that only have the same id and name', async () => {
    await take();
    file = join(home.directory, 'other.db');
    const others = [
      oldUser(1, 'boss', { role: 100, quota: 1, password: '$2a$04$x', aff_code: 'xx' }),
      oldUser(2, 'anna', { quota: 1, password: '$2a$04$y', aff_code: 'yy' }),
      oldUser(3, 'zoe', { quota: 44, password: '$2a$04$z', aff_code: 'zz' }),
    ];
    const users = { columns: newApi.users?.columns ?? '', rows: others };
    await createOldSqlite(file, { ...newApi, users, tokens: { ...newApi.tokens, rows: [] } as never });
    const merged = await take('--merge');
    expect(figures(merged).users).toEqual([1, 0, 0]);
    expect(await userOf('anna')).toMatchObject({ quota: 3e9 });
    expect(await userOf('zoe')).toMatchObject({ quota: 44 });
    expect(merged.ledger.ok).toBe(true);
    // What is not in the other installation was not deleted there.
    const again = await take('--merge');
    expect(notesOf(again)).toMatchObject({ users: [], tokens: [], redemptions: [] });
    expect(await statusesOf('user')).toMatchObject({ anna: 1, zoe: 1 });
    expect(await statusesOf('redemption')).toMatchObject({ gift: 1 });
  });

  it('of another installation brings its channels, those too that only have the same id and name', async () => {
    await take();
    file = join(home.directory, 'other.db');
    const channels = [
      oldChannel(1, 1, 'main', { key: 'sk-of-the-other', used_quota: 40 }),
      oldChannel(2, 14, 'claude', { models: 'claude-3-5-sonnet', used_quota: 30 }),
    ];
    const users = {
      columns: newApi.users?.columns ?? '',
      rows: [oldUser(7, 'zoe', { aff_code: 'zz', password: 'x' })],
    };
    await createOldSqlite(file, { ...newApi, users, channels: { ...newApi.channels, rows: channels } as never });
    const usedOf = async () => {
      const { items } = (await home.run('channel list --json')).json<{
        items: { name: string; used_quota: number }[];
      }>();
      return items.map(({ name, used_quota }) => `${name} ${used_quota}`).sort();
    };
    // One by its key, which is here already.
    expect(figures(await take('--merge')).channels).toEqual([1, 0, 1]);
    expect(await usedOf()).toEqual(['claude 0', 'main 40', 'main 900', 'pool 0']);
    expect(figures(await take('--merge')).channels).toEqual([0, 0, 2]);
    await changeOld(`UPDATE channels SET "key" = 'sk-renewed', used_quota = 50 WHERE id = 1`);
    const again = await take('--merge');
    expect(figures(again).channels).toEqual([0, 1, 1]);
    expect(await usedOf()).toEqual(['claude 0', 'main 50', 'main 900', 'pool 0']);
    expect(again.ledger.differences).toEqual([]);
  });
});

describe('a dry run on a screen', () => {
  it('shows each balance before and after in money, and their sum', async () => {
    const home = createCliHome();
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    const run = await home.run(['db', 'import', file, '--dry-run']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^anna\t\$6000\.00\t\$0\.00\t\$6000\.00$/m);
    expect(run.stderr).toMatch(/balances \(users: 4\): .* before, .* after, .* in the source/);
    expect(run.stderr).toMatch(/^users: 5 rows read$/m);
    expect((await home.run('user list --json')).json<{ total: number }>().total).toBe(1);
    home.remove();
  });
});
