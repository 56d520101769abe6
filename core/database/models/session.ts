import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const columns = {
  id_hash: key(text()),
  user_id: whole(),
  session_version: whole(0),
  created_at: whole(0),
  seen_at: whole(0),
  address: text(''),
  user_agent: text(''),
  data: text(''),
};

export type SessionRow = RowOf<typeof columns>;

export const defineSession = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'session', table: 'sessions' }, columns);
