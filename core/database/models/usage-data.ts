import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const columns = {
  user_id: key(whole()),
  model_name: key(text()),
  /** Unix seconds of the full hour. */
  created_at: key(whole()),
  username: text(''),
  token_used: whole(0),
  count: whole(0),
  quota: whole(0),
};

/** What a user spent on a model in an hour. */
export type UsageDataRow = RowOf<typeof columns>;

export const defineUsageData = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'usage_data', table: 'usage_data' }, columns);
