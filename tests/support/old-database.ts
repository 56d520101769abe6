import bcrypt from 'bcryptjs';
import pg from 'pg';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { createTemporaryTarget } from './temporary-database.ts';

/** What both programs let people sign in with. */
export const oldPassword = 'old horse battery';
const hash = bcrypt.hashSync(oldPassword, 4).replace('$2b$', '$2a$');
export const annaKey = 'AnnaAnnaAnnaAnnaAnnaAnnaAnnaAnnaAnnaAnnaAnna0123';
const bobKey = 'BobBobBobBobBobBobBobBobBobBobBobBobBobBobBob012';
const oneApiKey = 'abcdefghijklmnop0123456789ABCDEF0123456789abcdef';

export type OldRow = Record<string, string | number | boolean | null>;
export type OldTables = Record<string, { columns: string; rows: OldRow[] }>;

export const userColumns = `id INTEGER PRIMARY KEY, username TEXT UNIQUE, password TEXT NOT NULL, display_name TEXT, role INTEGER,
  status INTEGER, email TEXT, github_id TEXT, wechat_id TEXT, oidc_id TEXT, access_token CHAR(32), quota INTEGER,
  used_quota INTEGER, request_count INTEGER, "group" VARCHAR(64), aff_code VARCHAR(32), inviter_id INTEGER`;
export const tokenColumns = `id INTEGER PRIMARY KEY, user_id INTEGER, "key" CHAR(48) UNIQUE, status INTEGER, name TEXT,
  created_time BIGINT, accessed_time BIGINT, expired_time BIGINT, remain_quota INTEGER, unlimited_quota BOOLEAN, used_quota INTEGER`;
export const channelColumns = `id INTEGER PRIMARY KEY, type INTEGER, "key" TEXT NOT NULL, status INTEGER, name TEXT, weight INTEGER,
  created_time BIGINT, test_time BIGINT, response_time INTEGER, base_url TEXT, other TEXT, balance DOUBLE PRECISION,
  balance_updated_time BIGINT, models TEXT, "group" VARCHAR(64), used_quota BIGINT, model_mapping VARCHAR(1024), priority BIGINT`;
export const logColumns = `id INTEGER PRIMARY KEY, user_id INTEGER, created_at BIGINT, type INTEGER, content TEXT, username TEXT,
  token_name TEXT, model_name TEXT, quota INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER, channel_id INTEGER, is_stream BOOLEAN`;

export const oldUser = (id: number, username: string, values: OldRow = {}): OldRow => ({
  id,
  username,
  password: hash,
  display_name: '',
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  oidc_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: 'default',
  aff_code: `af${id}`,
  inviter_id: 0,
  ...values,
});
export const oldToken = (id: number, user_id: number, key: string, values: OldRow = {}): OldRow => ({
  id,
  user_id,
  key,
  status: 1,
  name: `token ${id}`,
  created_time: 1_700_000_000,
  accessed_time: 1_700_000_500,
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: false,
  used_quota: 0,
  ...values,
});
export const oldChannel = (id: number, type: number, name: string, values: OldRow = {}): OldRow => ({
  id,
  type,
  name,
  key: `sk-upstream-${id}`,
  status: 1,
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  base_url: '',
  other: '',
  weight: null,
  priority: 5,
  used_quota: 0,
  created_time: 1_700_000_000,
  ...values,
});

/** New-api as of April 2025, with what its missing constraints let happen. */
export const newApi: OldTables = {
  users: {
    columns: `${userColumns}, telegram_id TEXT, linux_do_id TEXT, aff_count INTEGER, aff_quota INTEGER, aff_history INTEGER,
      deleted_at TIMESTAMP, setting TEXT`,
    rows: [
      oldUser(1, 'boss', { role: 100, quota: 7_000_000, used_quota: 1000, request_count: 3 }),
      oldUser(2, 'anna', {
        quota: 3_000_000_000,
        used_quota: 500_000,
        email: 'anna@example.com',
        github_id: 'anna-hub',
        access_token: 'a'.repeat(32),
        group: 'vip',
        inviter_id: 4,
        aff_quota: 77,
        request_count: 9,
        setting: '{"notify_type":"webhook","webhook_url":"https://example.com/x","webhook_secret":"planted-secret"}',
      }),
      oldUser(4, 'bob', { role: 10, status: 2, github_id: 'anna-hub', aff_code: '' }),
      oldUser(5, 'Bob', { quota: 5 }),
      oldUser(9, 'gone', { deleted_at: '2025-01-01 00:00:00' }),
    ],
  },
  tokens: {
    columns: `${tokenColumns}, model_limits_enabled BOOLEAN, model_limits VARCHAR(1024), allow_ips TEXT, "group" TEXT, deleted_at TIMESTAMP`,
    rows: [
      oldToken(3, 2, annaKey, {
        remain_quota: -200,
        used_quota: 200,
        unlimited_quota: true,
        model_limits_enabled: true,
        model_limits: 'gpt-4o',
        allow_ips: '127.0.0.1\n::1',
      }),
      oldToken(5, 4, bobKey, { remain_quota: 1000, allow_ips: 'everywhere' }),
      oldToken(6, 9, 'x'.repeat(48)),
      oldToken(7, 2, 'y'.repeat(48), { deleted_at: '2025-01-01 00:00:00' }),
    ],
  },
  channels: {
    columns: `${channelColumns}, test_model TEXT, openai_organization TEXT, status_code_mapping VARCHAR(1024), auto_ban INTEGER,
      other_info TEXT, tag TEXT, setting TEXT, param_override TEXT, channel_info TEXT`,
    rows: [
      oldChannel(1, 1, 'main', { used_quota: 900, tag: 'first', auto_ban: 1, model_mapping: '{"gpt-4o":"gpt-4o-x"}' }),
      oldChannel(2, 14, 'claude', { status: 3, models: 'claude-3-5-sonnet', auto_ban: null }),
      oldChannel(3, 99, 'strange'),
      oldChannel(4, 1, 'many', { key: 'sk-1\nsk-2' }),
      oldChannel(5, 1, 'broken', { model_mapping: 'no json' }),
      oldChannel(6, 1, 'pool', {
        key: 'sk-first-of-the-pool-1111\nsk-second-of-the-pool-2222\nsk-third-of-the-pool-3333',
        channel_info: JSON.stringify({
          is_multi_key: true,
          multi_key_size: 3,
          multi_key_status_list: { 0: 2, 2: 3 },
          multi_key_disabled_reason: { 2: 'status code 401' },
          multi_key_disabled_time: { 2: 1_750_000_000 },
          multi_key_mode: 'polling',
        }),
      }),
    ],
  },
  abilities: { columns: '"group" VARCHAR(64), model VARCHAR(255), channel_id INTEGER, enabled BOOLEAN', rows: [] },
  options: {
    columns: '"key" VARCHAR(191) PRIMARY KEY, value TEXT',
    rows: [
      { key: 'SystemName', value: 'Old Gate' },
      { key: 'SMTPToken', value: 'planted-secret' },
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
      { key: 'RetryTimes', value: 'many' },
      { key: 'SetByNobody', value: 'x' },
    ],
  },
  redemptions: {
    columns: `id INTEGER PRIMARY KEY, user_id INTEGER, "key" CHAR(32) UNIQUE, status INTEGER, name TEXT, quota INTEGER,
      created_time BIGINT, redeemed_time BIGINT, used_user_id INTEGER, deleted_at TIMESTAMP`,
    rows: [
      { id: 1, user_id: 1, key: '0123456789abcdef0123456789abcdef', status: 1, name: 'gift', quota: 4000 },
      { id: 2, user_id: 1, key: 'f'.repeat(32), status: 3, name: 'used', quota: 4000, used_user_id: 2 },
      { id: 3, user_id: 1, key: 'short', status: 1, name: 'short', quota: 1 },
    ],
  },
  logs: {
    columns: `${logColumns}, use_time INTEGER, token_id INTEGER, "group" TEXT, other TEXT`,
    rows: [100, 200, 300].map((quota, index) => ({
      id: index + 1,
      user_id: 2,
      created_at: 1_700_000_000 + index,
      type: index < 2 ? 2 : 1,
      content: '',
      quota,
      username: 'anna',
      token_name: 'token 3',
      token_id: 3,
      model_name: 'gpt-4o',
      channel_id: 1,
      other: 'null',
      prompt_tokens: 10,
      completion_tokens: 5,
      use_time: 2,
      is_stream: true,
      group: 'vip',
    })),
  },
  midjourneys: { columns: 'id INTEGER PRIMARY KEY, code INTEGER', rows: [] },
  quota_data: {
    columns: `id INTEGER PRIMARY KEY, user_id INTEGER, username VARCHAR(64), model_name VARCHAR(64), created_at BIGINT,
      token_used INTEGER, count INTEGER, quota INTEGER`,
    rows: [1, 2].map((id) => ({
      id,
      user_id: 2,
      username: 'anna',
      model_name: 'gpt-4o',
      created_at: 1_699_999_200,
      token_used: 15,
      count: 1,
      quota: 150,
    })),
  },
  top_ups: {
    columns: `id INTEGER PRIMARY KEY, user_id INTEGER, amount BIGINT, money DOUBLE PRECISION, trade_no TEXT, create_time BIGINT, status TEXT`,
    rows: [
      { id: 1, user_id: 2, amount: 2, money: 14.6, trade_no: 'T1', create_time: 1_700_000_000, status: 'success' },
      { id: 2, user_id: 2, amount: 9, money: 65.7, trade_no: 'T2', create_time: 1_700_000_000, status: 'pending' },
    ],
  },
};

export const oneApi: OldTables = {
  users: {
    columns: `${userColumns}, lark_id TEXT`,
    rows: [
      oldUser(1, 'root', { role: 100, quota: 9 }),
      oldUser(2, 'carol', { quota: 40 }),
      oldUser(3, 'dave', { status: 3 }),
    ],
  },
  tokens: {
    columns: `${tokenColumns}, models TEXT, subnet TEXT`,
    rows: [oldToken(1, 2, oneApiKey, { models: 'm1,m2', subnet: '10.0.0.0/8', remain_quota: 30, used_quota: 10 })],
  },
  channels: {
    columns: `${channelColumns}, config TEXT, system_prompt TEXT`,
    rows: [
      oldChannel(1, 29, 'groq'),
      oldChannel(2, 36, 'deepseek'),
      oldChannel(3, 33, 'aws', { key: 'x', config: '{"ak":"AK","sk":"SK","region":"us-east-1"}' }),
      oldChannel(4, 34, 'coze'),
    ],
  },
  options: {
    columns: '"key" VARCHAR(191) PRIMARY KEY, value TEXT',
    rows: [
      { key: 'OidcClientId', value: 'client' },
      { key: 'Theme', value: 'berry' },
    ],
  },
  logs: {
    columns: `${logColumns}, request_id TEXT, elapsed_time BIGINT, system_prompt_reset BOOLEAN`,
    rows: [
      {
        id: 1,
        user_id: 2,
        created_at: 1_700_000_000,
        type: 5,
        content: 'tested',
        username: 'carol',
        quota: 0,
        token_name: '',
        model_name: 'm1',
        prompt_tokens: 1,
        completion_tokens: 1,
        channel_id: 1,
        elapsed_time: 2400,
      },
    ],
  },
};

export async function createOldSqlite(file: string, tables: OldTables): Promise<void> {
  const connection = await openSqlite(file);
  for (const statement of statementsOf(tables)) await connection.exec(statement);
  await connection.close();
}

/** Resolves with the address of a database of its own. */
export async function createOldPostgres(tables: OldTables): Promise<{ url: string; remove(): Promise<void> }> {
  const { target, remove } = await createTemporaryTarget('postgres');
  if (target.engine !== 'postgres') throw new Error('not PostgreSQL');
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  for (const statement of statementsOf(tables)) await client.query(statement.replaceAll(' INTEGER', ' BIGINT'));
  await client.end();
  return { url: target.url, remove };
}

export function statementsOf(tables: OldTables): string[] {
  return Object.entries(tables).flatMap(([table, { columns, rows }]) => [
    `CREATE TABLE ${table} (${columns})`,
    ...rows.map((row) => {
      const names = Object.keys(row).map((name) => `"${name}"`);
      return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`;
    }),
  ]);
}

function literal(value: string | number | boolean | null): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value === null ? 'NULL' : String(value);
}
