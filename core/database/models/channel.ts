import type { Sequelize } from 'sequelize';
import { defineTable, flag, type RowOf, real, rowId, text, whole } from './column.ts';

const columns = {
  id: rowId(),
  type: whole(1),
  key_encrypted: text(''),
  key_hash: text(''),
  /** JSON text: the states of several keys; '' for a channel with one. The keys are lines of `key_encrypted`. */
  key_pool: text(''),
  openai_organization: text(''),
  test_model: text(''),
  status: whole(1),
  name: text(''),
  weight: whole(0),
  created_time: whole(0),
  test_time: whole(0),
  response_time: whole(0),
  base_url: text(''),
  private_allowed: flag(false),
  other: text(''),
  balance: real(0),
  balance_updated_time: whole(0),
  models: text(''),
  group: text('default'),
  used_quota: whole(0),
  model_mapping: text(''),
  status_code_mapping: text(''),
  priority: whole(0),
  auto_ban: whole(1),
  other_info: text(''),
  tag: text(''),
  setting: text(''),
  param_override: text(''),
  max_input_tokens: whole(0),
  expired_time: whole(-1),
  /** Unix seconds; 0 = it takes the field, or it was never tried. */
  stream_options_refused_time: whole(0),
};

export type ChannelRow = RowOf<typeof columns>;

export const defineChannel = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'channel', table: 'channels' }, columns);
