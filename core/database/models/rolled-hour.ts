import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, real, text, whole } from './column.ts';

const hourColumns = {
  /** Unix seconds of the full hour. */
  created_at: key(whole()),
  /** What its log rows added up to, less what went back for tasks that failed. */
  calls: whole(),
  quota: whole(),
  /** What the hourly sums had then. */
  known_calls: whole(),
  known_quota: whole(),
  /** The newest of its rows: what has a higher id came later. */
  last_id: whole(),
};

/** An hour of the log that was rolled up. */
export type RolledHourRow = RowOf<typeof hourColumns>;

export const defineRolledHour = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'rolled_hour', table: 'rolled_hours' }, hourColumns);

const parts = {
  prompt_tokens: whole(),
  completion_tokens: whole(),
  cached_tokens: whole(),
  /** Quota units, with fractions. */
  saved_quota: real(),
};

const partColumns = {
  created_at: key(whole()),
  user_id: key(whole()),
  model_name: key(text()),
  /** What the hourly sums had of it then. */
  known_calls: whole(),
  known_quota: whole(),
  ...parts,
};

/** What the hourly sums do not know of a user and a model in a rolled hour. */
export type UsagePartsRow = RowOf<typeof partColumns>;

export const defineUsageParts = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'usage_part', table: 'usage_parts' }, partColumns);

const channelColumns = {
  created_at: key(whole()),
  channel_id: key(whole()),
  calls: whole(),
  quota: whole(),
  ...parts,
};

/** What a channel served in a rolled hour. */
export type ChannelHourRow = RowOf<typeof channelColumns>;

export const defineChannelHour = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'channel_hour', table: 'channel_hours' }, channelColumns);
