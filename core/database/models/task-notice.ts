import type { Sequelize } from 'sequelize';
import { defineTable, type RowOf, rowId, text, whole } from './column.ts';

const columns = {
  id: rowId(),
  /** The row in `tasks`. */
  task: whole(),
  user_id: whole(),
  /** Empty: the way that the user has set. */
  address: text(''),
  due_at: whole(),
  tries: whole(0),
};

/** A receiver that is still to be told that a task has ended. */
export type TaskNoticeRow = RowOf<typeof columns>;

export const defineTaskNotice = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'task_notice', table: 'task_notices' }, columns);
