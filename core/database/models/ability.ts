import type { Sequelize } from 'sequelize';
import { defineTable, flag, key, type RowOf, text, whole } from './column.ts';

const columns = {
  group: key(text()),
  model: key(text()),
  channel_id: key(whole()),
  enabled: flag(true),
  priority: whole(0),
  weight: whole(0),
  tag: text(''),
};

export type AbilityRow = RowOf<typeof columns>;

export const defineAbility = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'ability', table: 'abilities' }, columns);
