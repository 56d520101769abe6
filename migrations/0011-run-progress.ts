import type { Migration } from '../core/database/migrate.ts';

/** The progress of runs that a page shows, whichever process does them and whichever serves the page. */
export const runProgress: Migration = {
  name: '0011-run-progress',
  async up({ run }) {
    await run('CREATE TABLE run_progress (name TEXT PRIMARY KEY, report TEXT NOT NULL, updated_at BIGINT NOT NULL)');
  },
};
