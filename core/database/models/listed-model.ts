import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const columns = {
  model: key(text()),
  /** The list it was last read from. */
  source: text(),
  /** JSON; empty where the list has no price of it. */
  price: text(''),
  /** JSON; empty where the list says nothing. */
  facts: text(''),
  /** Unix seconds. */
  read_at: whole(),
  /** The price entries that a sync stored, as JSON: while they stand unchanged they are not the operator's own. */
  applied: text(''),
};

/** What a list of prices said of a model. */
export type ListedModelRow = RowOf<typeof columns>;

export const defineListedModel = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'listed_model', table: 'listed_models' }, columns);
