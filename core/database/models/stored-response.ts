import type { Sequelize } from 'sequelize';
import { defineTable, key, text, whole } from './column.ts';

const columns = {
  user_id: key(whole()),
  id: key(text()),
  channel_id: whole(),
  /** The name the caller asked for. */
  model: text(),
  created_at: whole(),
};

/** Responses that an upstream keeps, and the user each belongs to. */
export const defineStoredResponse = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'stored_response', table: 'stored_responses' }, columns);
