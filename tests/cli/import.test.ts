import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../core/billing/verify-ledger.ts';
import type { Config } from '../../core/config.ts';
import { migrationStatus } from '../../core/database/migrate.ts';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import type { TableReport } from '../../core/services/takeover/taking.ts';
import { migrations } from '../../migrations/index.ts';
import {
  annaKey,
  createOldPostgres,
  createOldSqlite,
  newApi,
  type OldTables,
  oldPassword,
  oneApi,
} from '../support/old-database.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { startGateway } from '../support/start-gateway.ts';
import { createTemporaryTarget, engines } from '../support/temporary-database.ts';

interface Result {
  message: string;
  data: { dry_run: boolean; tables: TableReport[]; ledger: VerifyReport };
}

const figures = ({ data }: Result) =>
  Object.fromEntries(data.tables.map(({ table, taken, present, skipped }) => [table, [taken, present, skipped]]));

const reasons = ({ data }: Result, name: string) =>
  Object.fromEntries(
    data.tables.find(({ table }) => table === name)?.notes.map(({ reason, examples }) => [reason, examples]) ?? [],
  );

const figuresOfNewApi = {
  users: [4, 0, 1],
  channels: [3, 0, 3],
  tokens: [2, 0, 2],
  options: [3, 0, 2],
  redemptions: [2, 0, 1],
  top_ups: [1, 0, 1],
  quota_data: [1, 0, 0],
};

describe.each(engines)('import of a new-api database into %s', (engine) => {
  let home: CliHome;
  let file: string;
  let target: Config['database'];
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const bed = await createTemporaryTarget(engine);
    remove = bed.remove;
    home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
    const database = join(home.directory, 'tollgate.db');
    target = bed.target.engine === 'postgres' ? bed.target : { engine: 'sqlite', file: database };
    file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
  });
  afterEach(async () => {
    home.remove();
    await remove();
  });
  const take = async (...words: string[]) =>
    (await home.run(['db', 'import', file, '--yes', '--json', ...words])).json<Result>();
  const items = async (words: string) => (await home.run(`${words} --json`)).json<{ items: object[] }>().items;

  it('M9: takes balances, keys and passwords, names what it leaves out and why, and the ledger adds up', async () => {
    const result = await take();
    expect(figures(result)).toEqual(figuresOfNewApi);
    expect(result.data.ledger.differences).toEqual([]);
    expect(reasons(result, 'users')).toEqual({
      deleted: ['gone'],
      nameChanged: ['Bob → Bob_5'],
      outsideTaken: ['bob (github_id)'],
    });
    expect(reasons(result, 'channels')).toEqual({
      typeUnknown: ['strange (99)'],
      severalKeys: ['many'],
      badSetting: ['broken (model_mapping)'],
    });
    expect(reasons(result, 'tokens')).toEqual({
      badAddresses: ['token 5 (everywhere)'],
      noUser: ['token 6'],
      deleted: ['token 7'],
    });
    expect(reasons(result, 'options')).toEqual({ optionInvalid: ['RetryTimes'], optionUnknown: ['SetByNobody'] });

    expect(await items('user list')).toMatchObject([
      { id: 5, username: 'Bob_5', quota: 5 },
      { id: 4, username: 'bob', role: 10, status: 2, github_id: '' },
      {
        id: 2,
        username: 'anna',
        quota: 3_000_000_000,
        used_quota: 500_000,
        group: 'vip',
        inviter_id: 4,
        aff_quota: 77,
      },
      { id: 1, username: 'boss', role: 100, quota: 7_000_000, used_quota: 1000 },
    ]);
    expect(await items('channel list')).toMatchObject([
      { id: 6, name: 'pool', key_mode: 'polling', key_count: 3, key_on_count: 1 },
      { id: 2, name: 'claude', status: 3, auto_ban: 0 },
      { id: 1, name: 'main', used_quota: 900, tag: 'first', priority: 5, weight: 0 },
    ]);
    expect(await items('channel key list pool')).toEqual([
      { id: 1, ends: '1111', status: 2, reason: '', time: 0 },
      { id: 2, ends: '2222', status: 1, reason: '', time: 0 },
      { id: 3, ends: '3333', status: 3, reason: 'status code 401', time: 1_750_000_000 },
    ]);
    expect((await home.run('option get SystemName')).stdout).toContain('Old Gate');
    expect((await home.run('ledger verify')).code).toBe(0);
    expect((await home.run('db check')).code).toBe(0);
  });

  it('takes codes with the time at which they end, so that one that has ended is worth nothing here either', async () => {
    file = join(home.directory, 'newer.db');
    const { columns, rows } = newApi.redemptions as OldTables[string];
    const code = { user_id: 1, status: 1, quota: 4000 };
    const ends = { ended: 1_700_000_000, later: 4_000_000_000, always: 0, blank: null };
    const named = Object.entries(ends).map(([name, expired_time], index) => {
      return { ...code, id: 10 + index, key: String(index).repeat(32), name, expired_time };
    });
    const redemptions = { columns: `${columns}, expired_time BIGINT`, rows: [...rows, ...named] };
    await createOldSqlite(file, { ...newApi, redemptions });
    await take();
    const listed = (await items('redemption list')) as { name: string; expired_time: number }[];
    const times = Object.fromEntries(listed.map(({ name, expired_time }) => [name, expired_time]));
    expect(times).toMatchObject({ ...ends, blank: 0, gift: 0 });
    expect(await items('redemption list --status expired')).toMatchObject([{ name: 'ended' }]);
  });

  it('leaves nothing behind in a place without an installation when it is only tried', async () => {
    const dry = await home.run(['db', 'import', file, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('tollgate init creates it') });
    expect((await take('--dry-run')).data.tables).toContainEqual(expect.objectContaining({ table: 'users', taken: 4 }));
    expect((await home.run('channel list')).stderr).toContain('tollgate init creates it');
    expect(readdirSync(home.directory).filter((name) => !name.startsWith('one-api.db'))).toEqual([]);
    const status = await migrationStatus(target, migrations);
    expect(status.executed).toEqual([]);
  });

  it('changes nothing in a dry run or at a second run, and takes log rows once', async () => {
    const dry = await take('--dry-run', '--logs');
    expect(figures(dry)).toEqual(figuresOfNewApi);
    expect(await items('user list')).toHaveLength(1);
    await take();
    const before = await items('user list');
    const again = await take('--logs');
    expect(figures(again)).toMatchObject({
      users: [0, 4, 1],
      channels: [0, 3, 3],
      tokens: [0, 2, 2],
      logs: [3, 0, 0],
    });
    expect(await items('user list')).toEqual(before);
    expect(again.data.ledger.differences).toEqual([]);
    expect(figures(await take('--logs')).logs).toEqual([0, 3, 0]);
    const rows = await items('log list --username anna');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ username: 'anna', token_id: 3, model_name: 'gpt-4o', use_time: 2 });
    expect((await home.run('ledger verify')).code).toBe(0);
  });
});

describe('people and programs of a new-api installation', () => {
  it('go on with the key, password, access token and code they had', async () => {
    const home = createCliHome();
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    const run = await home.run(['db', 'import', file, '--yes']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^users\t5\t4\t0\t1\t0$/m);
    expect(run.stderr).toContain('users: 1 deleted in the source, skipped: gone');
    expect(run.stderr).toContain('options: 1 settings that do not exist here, skipped: SetByNobody');
    const gateway = await startGateway('sqlite', home.env);
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer sk-${annaKey}` } });
    expect(models.status).toBe(200);
    const signIn = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'anna', password: oldPassword }),
    });
    expect(await signIn.json()).toMatchObject({ success: true, data: { id: 2 } });
    const headers = { authorization: 'a'.repeat(32), 'new-api-user': '2', 'content-type': 'application/json' };
    const body = JSON.stringify({ key: '0123456789abcdef0123456789abcdef' });
    const redeemed = await fetch(`${gateway.url}/api/user/topup`, { method: 'POST', headers, body });
    expect(await redeemed.json()).toMatchObject({ success: true, data: 4000 });
    await gateway.stop();
    for (const name of ['tollgate.db', 'tollgate.db-wal'].map((part) => join(home.directory, part))) {
      if (existsSync(name)) expect(readFileSync(name).includes('planted-secret')).toBe(false);
    }
    home.remove();
  });
});

describe('import of other databases', () => {
  let home: CliHome;
  beforeEach(() => {
    home = createCliHome();
  });
  afterEach(() => home.remove());

  it('reads one-api, whose channel types, lists and settings have other names', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, oneApi);
    const result = (await home.run(['db', 'import', file, '--yes', '--logs', '--json'])).json<Result>();
    expect(figures(result)).toMatchObject({
      users: [2, 0, 1],
      channels: [3, 0, 1],
      options: [1, 0, 1],
      logs: [1, 0, 0],
    });
    expect(result.data.ledger.differences).toEqual([]);
    const channels = (await home.run('channel list --json')).json<{ items: object[] }>().items;
    expect(channels).toMatchObject([
      { id: 3, type: 33 },
      { id: 2, type: 43 },
      { id: 1, type: 1, base_url: 'https://api.groq.com/openai' },
    ]);
    const tokens = (await home.run('token list --json')).json<{ items: { name: string }[] }>().items;
    expect(tokens.find(({ name }) => name === 'token 1')).toMatchObject({
      model_limits_enabled: true,
      model_limits: 'm1,m2',
      allow_ips: '10.0.0.0/8',
      remain_quota: 30,
      used_quota: 10,
    });
    expect((await home.run('option get oidc.client_id')).stdout).toContain('client');
    const connection = await openSqlite(join(home.directory, 'tollgate.db'));
    expect(await connection.all('SELECT type, use_time FROM logs WHERE content = ?', ['tested'])).toEqual([
      { type: 4, use_time: 2 },
    ]);
    await connection.close();
  });

  it('reads PostgreSQL, whose fixed columns are padded, by an address from standard input', async () => {
    const old = await createOldPostgres(newApi);
    const run = await home.run('db import - --yes --logs --json', { stdin: old.url });
    expect(figures(run.json<Result>())).toEqual({ ...figuresOfNewApi, logs: [3, 0, 0] });
    expect(run.json<Result>().data.ledger.differences).toEqual([]);
    await old.remove();
  });

  it('refuses an installation that contains more than root, and adds to it with --merge', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    await home.run(['user', 'create', '--name', 'anna', '--password-stdin'], { stdin: 'a long enough one' });
    const refused = await home.run(['db', 'import', file, '--yes']);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('--merge');
    const merged = (await home.run(['db', 'import', file, '--yes', '--json', '--merge'])).json<Result>();
    expect(figures(merged)).toMatchObject({ users: [3, 0, 2], tokens: [1, 0, 3] });
    expect(reasons(merged, 'users')).toMatchObject({ nameTaken: ['anna'], rootLowered: ['boss'] });
    expect(merged.data.ledger.differences).toEqual([]);
    expect((await home.run('user get root')).code).toBe(0);
  });

  it('says what to do with MySQL, a foreign file, its own format, a missing file and a password in sight', async () => {
    await home.run('init --no-input');
    const refuse = async (place: string, words: RegExp) => {
      const run = await home.run(['db', 'import', place, '--yes']);
      expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(words)]);
    };
    await refuse('root:secret@tcp(db:3306)/oneapi', /MySQL server cannot be read directly[\s\S]*mysqldump/);
    await refuse('mysql://root@db/oneapi', /mysqldump/);
    await refuse(join(home.directory, 'tollgate.db'), /this is a Tollgate database[\s\S]*db restore/);
    await refuse(join(home.directory, 'none.db'), /ENOENT/);
    await refuse('postgres://user:secret@127.0.0.1/oneapi', /does not accept a secret[\s\S]*- < file/);
    const empty = join(home.directory, 'empty.db');
    await createOldSqlite(empty, {});
    await refuse(empty, /not a one-api, new-api, or one-hub database/);
  });

  it('asks first', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    const unattended = await home.run(['db', 'import', file]);
    expect([unattended.code, unattended.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const declined = await home.run(['db', 'import', file], { typed: ['n'] });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toContain('Import from new-api (users: 5, channels: 6)?');
  });
});
