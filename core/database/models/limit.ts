import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, rowId, text, whole } from './column.ts';

const columns = {
  id: rowId(),
  subject_kind: text(),
  /** The id of a token or user, the name of a group or model; empty = each of its kind without a limit of its own. */
  subject: text(''),
  measure: text(),
  /** Empty for calls at one time. */
  period: text(''),
  amount: whole(),
  enabled: whole(1),
  created_time: whole(0),
  updated_time: whole(0),
};

export type LimitRow = RowOf<typeof columns>;

export const defineLimit = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'limit_rule', table: 'limits' }, columns, {
    indexes: [{ unique: true, fields: ['subject_kind', 'subject', 'measure', 'period'] }],
  });

/** Of budgets; the ledger writes it. */
const usageColumns = {
  limit_id: key(whole()),
  subject: key(text()),
  /** Unix seconds. */
  window_start: key(whole()),
  used: whole(0),
  /** By calls under way. */
  held: whole(0),
  /** The part of `used` by calls without a log row. */
  unlogged: whole(0),
  /** The highest share in percent that was told of. */
  alerted: whole(0),
  /** 1 = a call was refused for it. */
  refused: whole(0),
};

export type LimitUsageRow = RowOf<typeof usageColumns>;

export const defineLimitUsage = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'limit_use', table: 'limit_usage' }, usageColumns);

/** What each server process counts at present under limits that slide. */
const countColumns = {
  node: key(text()),
  /** As the process counts it: `limit 5 12 60000`. */
  name: key(text()),
  count: whole(),
  /** Unix seconds. */
  seen_at: whole(),
};

export const defineLimitCount = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'limit_count', table: 'limit_counts' }, countColumns);
