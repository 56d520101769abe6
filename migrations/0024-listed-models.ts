import type { Migration } from '../core/database/migrate.ts';

/** What lists of prices said of models when they were last read, and which prices were taken from them. */
export const listedModels: Migration = {
  name: '0024-listed-models',
  async up({ run }) {
    await run(`CREATE TABLE listed_models (
      model TEXT NOT NULL PRIMARY KEY,
      source TEXT NOT NULL,
      price TEXT NOT NULL DEFAULT '',
      facts TEXT NOT NULL DEFAULT '',
      read_at BIGINT NOT NULL,
      applied TEXT NOT NULL DEFAULT '')`);
  },
};
