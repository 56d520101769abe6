import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../../core/billing/verify-ledger.ts';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { writeMysqlDump } from '../../support/large-old-database.ts';
import {
  createOldSqlite,
  newApi,
  type OldRow,
  type OldTables,
  oldChannel,
  oldToken,
  oldUser,
} from '../../support/old-database.ts';
import { oneHub, signedKey } from '../../support/old-one-hub.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';

interface Result {
  data: TakeoverReport & { ledger: VerifyReport };
}

let home: CliHome;
beforeEach(() => {
  home = createCliHome();
});
afterEach(() => home.remove());

async function take(file: string): Promise<Result['data']> {
  const run = await home.run(['db', 'import', file, '--yes', '--logs', '--json']);
  expect([run.stderr, run.code]).toEqual(['', 0]);
  const { data } = run.json<Result>();
  expect(data.ledger).toMatchObject({ ok: true, differences: [] });
  return data;
}

const reasons = ({ tables }: Result['data'], name: string) =>
  Object.fromEntries(
    tables.find(({ table }) => table === name)?.notes.map(({ reason, examples }) => [reason, examples]) ?? [],
  );
const items = async <T = Record<string, unknown>>(words: string) =>
  (await home.run(`${words} --json`)).json<{ items: T[] }>().items;

function withRows(tables: OldTables, rows: Record<string, OldRow[]>): OldTables {
  const changed = Object.entries(rows).map(([name, list]) => [
    name,
    { columns: tables[name]?.columns ?? '', rows: list },
  ]);
  return { ...tables, ...Object.fromEntries(changed) };
}

/** The current new-api: what it has beside the tables that come over. */
const currentNewApi: OldTables = {
  ...withRows(newApi, {
    users: [
      oldUser(1, 'root', { role: 100, quota: 5, aff_code: null }),
      oldUser(2, 'kim', { quota: -300, used_quota: 300, group: null, display_name: null, aff_code: 'root' }),
      oldUser(3, 'lee', { quota: 10, aff_code: 'root', status: 7, role: 5, inviter_id: 99 }),
      oldUser(4, 'LEE', { deleted_at: '2025-01-01 00:00:00' }),
    ],
    tokens: [
      oldToken(1, 2, `sk-${'p'.repeat(48)}`, { group: 'auto', created_time: 1_700_000_000_123 }),
      oldToken(2, 2, 'short-key', { group: 'vip', name: null, remain_quota: -5, used_quota: 5, unlimited_quota: true }),
      oldToken(3, 3, '', {}),
      oldToken(4, 77, 'q'.repeat(48), {}),
      oldToken(5, 3, 'r'.repeat(48), { status: 9, expired_time: 1_900_000_000 }),
    ],
    channels: [
      oldChannel(1, 1, 'same', {
        group: 'default, vip,default',
        models: ' gpt-4o ,gpt-4o,',
        auto_ban: null,
        setting: 'null',
      }),
      oldChannel(2, 1, 'same', { key: 'sk-other', weight: -4, base_url: 'https://example.com/', model_mapping: '{}' }),
      oldChannel(3, 250, 'unknown'),
      oldChannel(4, 1, '', { key: 'k4', status: 0 }),
      oldChannel(5, 1, 'keyless', { key: '' }),
      oldChannel(6, 1, 'pool', {
        key: 'sk-pool-key-number-one\n\nsk-pool-key-number-two\nsk-pool-key-number-one',
        channel_info: '{"is_multi_key":true,"multi_key_size":3,"multi_key_status_list":null,"multi_key_mode":""}',
      }),
    ],
  }),
  passkey_credentials: { columns: 'id INTEGER PRIMARY KEY, user_id INTEGER', rows: [{ id: 1, user_id: 2 }] },
  two_fas: { columns: 'id INTEGER PRIMARY KEY, user_id INTEGER', rows: [{ id: 1, user_id: 2 }] },
  user_subscriptions: { columns: 'id INTEGER PRIMARY KEY, user_id INTEGER', rows: [{ id: 1, user_id: 2 }] },
  tasks: { columns: 'id INTEGER PRIMARY KEY, user_id INTEGER, submit_time BIGINT', rows: [{ id: 1, user_id: 2 }] },
  midjourneys: {
    columns: 'id INTEGER PRIMARY KEY, code INTEGER, submit_time BIGINT',
    rows: [{ id: 1, code: 1, submit_time: 1_700_000_000_000 }],
  },
  setups: { columns: 'id INTEGER PRIMARY KEY, version TEXT', rows: [{ id: 1, version: 'v0.9' }] },
};

async function expectCurrentNewApi(file: string): Promise<void> {
  const result = await take(file);
  expect(result.left.map(({ table, rows }) => `${table} ${rows}`)).toEqual([
    'midjourneys 1',
    'passkey_credentials 1',
    'tasks 1',
    'two_fas 1',
    'user_subscriptions 1',
  ]);
  expect(await items('user list')).toMatchObject([
    { id: 3, username: 'lee', status: 2, role: 1, inviter_id: 0 },
    { id: 2, username: 'kim', quota: -300, used_quota: 300, group: 'default', aff_code: 'root' },
    { id: 1, username: 'root', quota: 5 },
  ]);
  expect(reasons(result, 'tokens')).toEqual({ autoGroup: ['token 1'], noKey: ['token 3'], noUser: ['token 4'] });
  const tokens = await items('token list');
  expect(tokens.find(({ id }) => id === 1)).toMatchObject({ group: '', created_time: 1_700_000_000 });
  expect(tokens.find(({ id }) => id === 2)).toMatchObject({ name: '#2', group: 'vip', remain_quota: -5 });
  expect(tokens.find(({ id }) => id === 5)).toMatchObject({ status: 2, expired_time: 1_900_000_000 });
  expect(reasons(result, 'channels')).toEqual({ typeUnknown: ['unknown (250)'], noKey: ['keyless'] });
  expect(await items('channel list')).toMatchObject([
    { id: 6, key_mode: 'random', key_count: 2, key_on_count: 2 },
    { id: 4, name: '#4', status: 2 },
    { id: 2, name: 'same', base_url: 'https://example.com', weight: 0 },
    { id: 1, name: 'same', group: 'default,vip', models: 'gpt-4o', auto_ban: 0 },
  ]);
  expect((await home.run('db check')).code).toBe(0);
}

describe('the oddities of an old installation', () => {
  it('come over or are named, from SQLite', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, currentNewApi);
    await expectCurrentNewApi(file);
  });

  it('come over or are named, from a dump of MySQL', async () => {
    const file = join(home.directory, 'oneapi.sql');
    writeMysqlDump(file, currentNewApi);
    await expectCurrentNewApi(file);
  });
});

/** Two channels alike, and balances that no number of ours holds. */
const oversized = withRows(newApi, {
  users: [
    oldUser(1, 'root', { role: 100, aff_code: 'root' }),
    oldUser(2, 'kim', { quota: '9000000000000000000', used_quota: 10, aff_code: 'kim' }),
  ],
  tokens: [oldToken(1, 2, 'p'.repeat(48), { remain_quota: '9000000000000000000' })],
  channels: [oldChannel(1, 1, 'twin', { key: 'sk-twin' }), oldChannel(2, 1, 'twin', { key: 'sk-twin', priority: 9 })],
});

describe('an installation with channels that look alike and balances without end', () => {
  it('keeps each of the channels, also in a second import, and lowers the balances and says so', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, oversized);
    const result = await take(file);
    expect([reasons(result, 'users'), reasons(result, 'tokens')]).toEqual([
      { quotaLowered: ['kim'] },
      { quotaLowered: ['token 1'] },
    ]);
    const read = () => Promise.all([items('channel list'), items('user list'), items('token list')]);
    const first = await read();
    expect(first).toMatchObject([
      [
        { id: 2, name: 'twin', priority: 9 },
        { id: 1, name: 'twin', priority: 5 },
      ],
      [{ id: 2, quota: 1_000_000_000_000_000, used_quota: 10 }, { id: 1 }],
      [{ id: 1, remain_quota: 1_000_000_000_000_000 }],
    ]);
    const again = await take(file);
    expect(again.tables.find(({ table }) => table === 'channels')).toMatchObject({ taken: 0, present: 2 });
    expect(await read()).toEqual(first);
  });
});

describe('a source that would come empty or garbled', () => {
  const refusal = async (file: string) => {
    const run = await home.run(['db', 'import', file, '--yes', '--json']);
    expect(run.code).not.toBe(0);
    return run.stderr;
  };

  it('is refused when it has the structure alone', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, withRows(newApi, { users: [], tokens: [], channels: [] }));
    expect(await refusal(file)).toContain('contains no users');
  });

  it('is refused when its texts are in another encoding, and when it is a dump of PostgreSQL', async () => {
    const file = join(home.directory, 'oneapi.sql');
    writeMysqlDump(file, currentNewApi);
    writeFileSync(file, `/*!40101 SET NAMES gbk */;\n${readFileSync(file, 'utf8')}`);
    expect(await refusal(file)).toContain('its texts are written in gbk');
    writeFileSync(
      file,
      '--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\nCOPY public.users (id) FROM stdin;\n1\n\\.\n',
    );
    expect(await refusal(file)).toContain('is a dump of PostgreSQL');
  });
});

describe('a one-hub installation', () => {
  it('comes with its groups, prices, limits and orders, and names what it leaves out', async () => {
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, oneHub);
    const result = await take(file);
    expect(result.left.map(({ table }) => table)).toEqual(['payments', 'statistics']);
    expect(reasons(result, 'users')).toEqual({ deleted: ['fred_del_abcdef'], otherSignIn: ['dora (lark_id)'] });
    expect(reasons(result, 'channels')).toEqual({
      fieldLost: ['main (model_headers)', 'gemini (only_chat)'],
      typeUnknown: ['ideogram (44)'],
    });
    expect(reasons(result, 'tokens')).toEqual({ backupGroup: ['token 1'] });
    expect(await items('user list')).toMatchObject([
      { id: 3, telegram_id: '77', quota: -50 },
      { id: 2, telegram_id: '' },
      { id: 1, telegram_id: '' },
    ]);
    expect(await items('channel list')).toMatchObject([
      { id: 6, type: 43 },
      { id: 4, type: 39, other: 'account-1' },
      { id: 3, type: 33 },
      { id: 2, type: 24 },
      { id: 1, type: 1, setting: '{"proxy":"http://127.0.0.1:8888"}' },
    ]);
    expect((await items('token list')).find(({ id }) => id === 1)).toMatchObject({
      model_limits_enabled: true,
      model_limits: 'gpt-4o,claude-3-5-sonnet',
      allow_ips: '127.0.0.1\n::1',
    });
    for (const [key, value] of [
      ['GroupRatio', { default: 1, vip: 0.8 }],
      ['UserUsableGroups', { default: 'Default' }],
      ['ModelRatio', { 'gpt-4o': 1.25, 'free-model': 0 }],
      ['CompletionRatio', { 'gpt-4o': 4 }],
      ['ModelPrice', { 'dall-e-3': 0.04 }],
    ] as const) {
      const { value: stored } = (await home.run(`option get ${key} --json`)).json<{ value: unknown }>();
      expect(typeof stored === 'string' ? JSON.parse(stored) : stored).toMatchObject(value);
    }
    const connection = await openSqlite(join(home.directory, 'tollgate.db'));
    expect(await connection.all('SELECT trade_no, quota, money_cents, create_time FROM top_ups')).toEqual([
      { trade_no: 'H1', quota: 1_000_000, money_cents: 1450, create_time: 1_700_000_000 },
    ]);
    expect(await connection.all('SELECT use_time FROM logs')).toEqual([{ use_time: 2 }]);
    await connection.close();

    const gateway = await startGateway('sqlite', home.env);
    const asked = (path: string) =>
      fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer sk-${signedKey}` } });
    expect((await asked('/v1/models')).status).toBe(200);
    expect((await asked('/dashboard/billing/subscription')).status).toBe(200);
    await gateway.stop();
  });
});
