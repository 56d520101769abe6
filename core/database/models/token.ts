import type { Sequelize } from 'sequelize';
import { defineTable, flag, nullable, type RowOf, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  user_id: whole(),
  key_hash: unique(text()),
  key_encrypted: text(''),
  status: whole(1),
  name: text(''),
  created_time: whole(0),
  accessed_time: whole(0),
  expired_time: whole(-1),
  remain_quota: whole(0),
  unlimited_quota: flag(false),
  used_quota: whole(0),
  model_limits_enabled: flag(false),
  model_limits: text(''),
  allow_ips: text(''),
  group: text(''),
  deleted_at: nullable(whole()),
};

export type TokenRow = RowOf<typeof columns>;

export const defineToken = (sequelize: Sequelize) => defineTable(sequelize, { row: 'token', table: 'tokens' }, columns);
