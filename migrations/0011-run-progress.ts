import type { Migration } from '../core/database/migrate.ts';

/** How far the runs have come that somebody watches on a page, whichever process does them and whichever answers the page. */
export const runProgress: Migration = {
  name: '0011-run-progress',
  async up({ run }) {
    await run('CREATE TABLE run_progress (name TEXT PRIMARY KEY, report TEXT NOT NULL, updated_at BIGINT NOT NULL)');
  },
};
