import type { Migration } from '../core/database/migrate.ts';

/**
 * From which installation a row was imported, and whether it was disabled or deleted there at the last import: what was closed there
 * since must not be used here either. NULL: imported by a former version; the next import notes both.
 */
export const takeoverClosings: Migration = {
  name: '0041-takeover-closing',
  async up({ run }) {
    for (const column of ['source', 'closed']) await run(`ALTER TABLE takeover_marks ADD COLUMN ${column} BIGINT`);
  },
};
