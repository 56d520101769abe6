import type { Sequelize } from 'sequelize';
import { defineTable, key, text, whole } from './column.ts';

const placeColumns = { user_id: key(whole()), network: key(text()), seen_at: whole() };

/** Networks that a user signed in from. */
export const defineSignInPlace = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'sign_in_place', table: 'sign_in_places' }, placeColumns);

const failureColumns = {
  subject_hash: key(text()),
  tries: whole(),
  last_at: whole(),
  wait_until: whole(),
  session_version: whole(),
};

/** Wrong passwords and codes, counted per account and per account and address. */
export const defineSignInFailure = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'sign_in_failure', table: 'sign_in_failures' }, failureColumns);
