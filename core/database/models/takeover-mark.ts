import type { Sequelize } from 'sequelize';
import { defineTable, key, nullable, type RowOf, text, whole } from './column.ts';

const columns = {
  /** `user`, `token`, `channel` or `code`. */
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
  /** Invitations and what they earned, of a user alone; null where a former version imported the row. */
  aff_count: nullable(whole()),
  aff_quota: nullable(whole()),
  aff_history: nullable(whole()),
  /** The number of the old installation; null where a former version imported the row. */
  source: nullable(whole()),
  /** 1 = disabled or deleted there at the latest import; of users, tokens and codes. */
  closed: nullable(whole()),
};

/** What an imported row contained in the old installation at the latest import. */
export type TakeoverMarkRow = RowOf<typeof columns>;

export const defineTakeoverMark = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'takeover_mark', table: 'takeover_marks' }, columns);
