import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const factorColumns = {
  user_id: key(whole()),
  /** Encrypted. */
  secret: text(),
  created_at: whole(),
  /** 0 until a first code has shown that the app has the secret. */
  enabled_at: whole(0),
  /** Of the last code used: no code is good twice. */
  last_step: whole(0),
};

export type TwoFactorRow = RowOf<typeof factorColumns>;

export const defineTwoFactor = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'two_factor', table: 'two_factors' }, factorColumns);

const codeColumns = { user_id: key(whole()), code_hash: key(text()) };

/** Backup codes that are still good. */
export const defineTwoFactorCode = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'two_factor_code', table: 'two_factor_codes' }, codeColumns);
