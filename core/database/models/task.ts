import type { Sequelize } from 'sequelize';
import { defineTable, nullable, type RowOf, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  created_at: whole(0),
  /** When its vendor was last asked, unless `polls` is 0. */
  updated_at: whole(0),
  task_id: text(''),
  platform: text(''),
  user_id: whole(),
  token_id: whole(0),
  channel_id: whole(0),
  /** The id of the channel's key that took it; 0 = its only one. */
  channel_key: whole(0),
  quota: whole(0),
  action: text(''),
  model: text(''),
  group: text(''),
  status: text(''),
  fail_reason: text(''),
  submit_time: whole(0),
  start_time: whole(0),
  finish_time: whole(0),
  progress: text(''),
  /** JSON text, with `input`: what the client wrote. */
  properties: text(''),
  /** JSON text: what the vendor last said; empty when it has said nothing yet. */
  data: text(''),
  /** The call that was charged; null in rows of another installation. */
  request_id: unique(nullable(text())),
  next_poll_at: whole(0),
  polls: whole(0),
  /** 1 = its owner deleted it. */
  hidden: whole(0),
  notify_url: text(''),
  /** The budgets that it was taken from, as `writeBudgets` has them. */
  budgets: text(''),
  /** The full hour whose sums count it, 0 = none; null in rows of a former version. */
  summed_hour: nullable(whole()),
};

/** One paid task: a drawing, a song, a video. */
export type TaskRow = RowOf<typeof columns>;

export const defineTask = (sequelize: Sequelize) => defineTable(sequelize, { row: 'task', table: 'tasks' }, columns);
