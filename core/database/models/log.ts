import type { Sequelize } from 'sequelize';
import { defineTable, flag, nullable, type RowOf, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  request_id: unique(nullable(text())),
  user_id: whole(0),
  created_at: whole(),
  type: whole(),
  content: text(''),
  username: text(''),
  token_id: whole(0),
  token_name: text(''),
  model_name: text(''),
  quota: whole(0),
  prompt_tokens: whole(0),
  completion_tokens: whole(0),
  use_time: whole(0),
  is_stream: flag(false),
  channel_id: whole(0),
  group: text(''),
  other: text(''),
};

export type LogRow = RowOf<typeof columns>;

export const defineLog = (sequelize: Sequelize) => defineTable(sequelize, { row: 'log', table: 'logs' }, columns);
