import type { Sequelize } from 'sequelize';
import { defineTable, type RowOf, rowId, text, whole } from './column.ts';

const columns = {
  id: rowId(),
  created_at: whole(),
  actor_id: whole(0),
  actor_name: text(''),
  address: text(''),
  action: text(),
  object_kind: text(''),
  object_id: text(''),
  before: text(''),
  after: text(''),
};

export type AuditRow = RowOf<typeof columns>;

export const defineAudit = (sequelize: Sequelize) => defineTable(sequelize, { row: 'audit', table: 'audits' }, columns);
