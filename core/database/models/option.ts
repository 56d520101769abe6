import type { Sequelize } from 'sequelize';
import { defineTable, key, text } from './column.ts';

const columns = { key: key(text()), value: text() };

export const defineOption = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'option', table: 'options' }, columns);
