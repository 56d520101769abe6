import type { Sequelize } from 'sequelize';
import { defineTable, key, text, whole } from './column.ts';

const columns = {
  user_id: key(whole()),
  id: key(text()),
  channel_id: whole(),
  /** The id of the channel's key that it was made with; 0 = its only one. */
  channel_key: whole(0),
  /** The name the caller asked for. */
  model: text(),
  created_at: whole(),
};

/** Responses that an upstream keeps, and the user each belongs to. */
export const defineStoredResponse = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'stored_response', table: 'stored_responses' }, columns);
