import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const columns = {
  /** `user`, `token` or `channel`. */
  subject: key(text()),
  /** Of the row here. */
  id: key(whole()),
  /** Of the row in the old installation. */
  old_id: whole(0),
  quota: whole(0),
  used_quota: whole(0),
  /** How many imports changed the row. */
  imports: whole(0),
  /** Tells the old row from one of another installation that has the same id. */
  proof: text(''),
};

/** What an imported row contained in the old installation at the latest import. */
export type TakeoverMarkRow = RowOf<typeof columns>;

export const defineTakeoverMark = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'takeover_mark', table: 'takeover_marks' }, columns);
