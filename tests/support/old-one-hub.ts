import {
  channelColumns,
  logColumns,
  type OldTables,
  oldChannel,
  oldToken,
  oldUser,
  tokenColumns,
  userColumns,
} from './old-database.ts';

/** one-hub signs its keys: they contain what separates a pin from a key elsewhere. */
export const signedKey = 'Ab3dEfGhIjKlMnO_q-rStUvWxYz0123456789-bcdefghijklmnopqrstuv';

const limits = {
  limits: {
    limit_model_setting: { enabled: true, models: ['gpt-4o', 'claude-3-5-sonnet'] },
    limits_ip_setting: { enabled: true, whitelist: ['127.0.0.1', '::1'] },
  },
};

/** one-hub as of 2025: groups and prices are tables, and limits of tokens a JSON text. */
export const oneHub: OldTables = {
  users: {
    columns: `${userColumns}, telegram_id BIGINT, lark_id TEXT, aff_count INTEGER, aff_quota INTEGER, aff_history INTEGER,
      created_time BIGINT, deleted_at TIMESTAMP`,
    rows: [
      oldUser(1, 'root', { role: 100, quota: 100_000_000, telegram_id: 0 }),
      oldUser(2, 'dora', { quota: 900_000, used_quota: 100_000, telegram_id: 0, lark_id: 'ou_1', group: 'vip' }),
      oldUser(3, 'emil', { quota: -50, telegram_id: 77, lark_id: '' }),
      oldUser(4, 'fred_del_abcdef', { deleted_at: '2025-01-01 00:00:00' }),
    ],
  },
  tokens: {
    columns: `${tokenColumns}, "group" TEXT, backup_group TEXT, setting TEXT, deleted_at TIMESTAMP`.replace(
      'CHAR(48)',
      'VARCHAR(59)',
    ),
    rows: [
      oldToken(1, 2, signedKey, {
        unlimited_quota: true,
        group: 'vip',
        setting: JSON.stringify(limits),
        backup_group: 'default',
      }),
      oldToken(2, 3, 'z'.repeat(48), { remain_quota: 500, group: '', setting: null, backup_group: '' }),
    ],
  },
  channels: {
    columns: `${channelColumns}, tag TEXT, proxy TEXT, test_model TEXT, model_headers TEXT, only_chat BOOLEAN, plugin TEXT`,
    rows: [
      oldChannel(1, 1, 'main', {
        tag: '',
        proxy: 'http://127.0.0.1:8888',
        model_headers: '{"x":"1"}',
        used_quota: 100_000,
      }),
      oldChannel(2, 25, 'gemini', { models: 'gemini-1.5-pro', only_chat: true }),
      oldChannel(3, 32, 'bedrock', { key: 'us-east-1|AKID|SECRET' }),
      oldChannel(4, 35, 'cloudflare', { key: 'account-1|cf-token' }),
      oldChannel(5, 44, 'ideogram'),
      oldChannel(6, 28, 'deepseek'),
    ],
  },
  options: {
    columns: '"key" VARCHAR(191) PRIMARY KEY, value TEXT',
    rows: [
      { key: 'SystemName', value: 'Hub' },
      { key: 'GroupRatio', value: '{"old":9}' },
      { key: 'ClaudeAPIEnabled', value: 'true' },
    ],
  },
  user_groups: {
    columns:
      'id INTEGER PRIMARY KEY, symbol VARCHAR(50), name VARCHAR(50), ratio DOUBLE PRECISION, public BOOLEAN, enable BOOLEAN',
    rows: [
      { id: 1, symbol: 'default', name: 'Default', ratio: 1, public: true, enable: true },
      { id: 2, symbol: 'vip', name: 'VIP', ratio: 0.8, public: false, enable: true },
    ],
  },
  prices: {
    columns:
      'model VARCHAR(100), type VARCHAR(20), channel_type INTEGER, input DOUBLE PRECISION, output DOUBLE PRECISION',
    rows: [
      { model: 'gpt-4o', type: 'tokens', channel_type: 1, input: 1.25, output: 5 },
      { model: 'dall-e-3', type: 'times', channel_type: 1, input: 20, output: 0 },
      { model: 'free-model', type: 'tokens', channel_type: 1, input: 0, output: 0 },
    ],
  },
  redemptions: {
    columns: `id INTEGER PRIMARY KEY, user_id INTEGER, "key" CHAR(32) UNIQUE, status INTEGER, name TEXT, quota INTEGER,
      created_time BIGINT, redeemed_time BIGINT`,
    rows: [],
  },
  orders: {
    columns: `id INTEGER PRIMARY KEY, user_id INTEGER, gateway_id INTEGER, trade_no VARCHAR(50), gateway_no TEXT, amount INTEGER,
      order_amount DOUBLE PRECISION, order_currency TEXT, quota INTEGER, status VARCHAR(32), created_at BIGINT`,
    rows: [
      {
        id: 1,
        user_id: 2,
        trade_no: 'H1',
        amount: 2,
        order_amount: 14.5,
        quota: 1_000_000,
        status: 'success',
        created_at: 1_700_000_000,
      },
      {
        id: 2,
        user_id: 2,
        trade_no: 'H2',
        amount: 2,
        order_amount: 14.5,
        quota: 1_000_000,
        status: 'closed',
        created_at: 1_700_000_000,
      },
    ],
  },
  payments: { columns: 'id INTEGER PRIMARY KEY, type TEXT', rows: [{ id: 1, type: 'epay' }] },
  statistics: { columns: 'date TEXT, user_id INTEGER', rows: [{ date: '2025-01-01', user_id: 2 }] },
  logs: {
    columns: `${logColumns}, request_time INTEGER, metadata TEXT`,
    rows: [
      {
        ...{
          id: 1,
          user_id: 2,
          created_at: 1_700_000_000,
          type: 2,
          content: '',
          username: 'dora',
          quota: 100_000,
          token_name: 'token 1',
        },
        ...{ model_name: 'gpt-4o', prompt_tokens: 10, completion_tokens: 5, channel_id: 1, request_time: 2400 },
      },
    ],
  },
};
