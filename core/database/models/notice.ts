import type { Sequelize } from 'sequelize';
import { defineTable, type RowOf, rowId, text, whole } from './column.ts';

const columns = {
  id: rowId(),
  user_id: whole(),
  kind: text(),
  /** Its titles and lines as JSON text. */
  content: text(),
  created_at: whole(),
  due_at: whole(),
  tries: whole(0),
  /** 0 = not sent yet. */
  done_at: whole(0),
};

/** A message to a user, kept until it has been sent. */
export type NoticeRow = RowOf<typeof columns>;

export const defineNotice = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'notice', table: 'notices' }, columns);
