import type { Sequelize } from 'sequelize';
import { defineTable, nullable, type RowOf, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  /** Who made the code. */
  user_id: whole(),
  key_hash: unique(text()),
  key_encrypted: text(''),
  status: whole(1),
  name: text(''),
  quota: whole(0),
  created_time: whole(0),
  redeemed_time: whole(0),
  /** Unix seconds, 0 = never ends. */
  expired_time: whole(0),
  /** 0 = not used yet. */
  used_user_id: whole(0),
  deleted_at: nullable(whole()),
};

export type RedemptionRow = RowOf<typeof columns>;

export const defineRedemption = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'redemption', table: 'redemptions' }, columns);
