import type { Sequelize } from 'sequelize';
import { defineTable, key, type RowOf, text, whole } from './column.ts';

const lockColumns = {
  name: key(text()),
  /** Empty = no owner. */
  owner: text(),
  /** A number that grows while the owner lives. */
  until: whole(),
  /** Unix seconds. */
  ran_at: whole(0),
};

/** Who runs a job, and when it was last started. */
export type JobLockRow = RowOf<typeof lockColumns>;

export const defineJobLock = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'job_lock', table: 'job_locks' }, lockColumns);

const progressColumns = {
  name: key(text()),
  /** JSON text. */
  report: text(),
  updated_at: whole(),
};

/** The progress of a run that is shown on a page. */
export const defineRunProgress = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'run_progress', table: 'run_progress' }, progressColumns);
