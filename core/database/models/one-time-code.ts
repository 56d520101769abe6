import type { Sequelize } from 'sequelize';
import { defineTable, key, text, whole } from './column.ts';

const columns = {
  code_hash: key(text()),
  purpose: text(),
  subject: text(''),
  /** 0 = no particular user. */
  user_id: whole(0),
  created_at: whole(0),
  expires_at: whole(0),
  tries: whole(0),
  data: text(''),
};

export const defineOneTimeCode = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'one_time_code', table: 'one_time_codes' }, columns);
