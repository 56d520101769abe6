import type { Migration } from '../core/database/migrate.ts';

/**
 * What `db move` leaves behind: in the old database where it moved to, in the new one how far the move is. A server starts on neither
 * before the move is done, and never again on the old one.
 */
export const moveMarks: Migration = {
  name: '0034-move-marks',
  async up({ run }) {
    await run('CREATE TABLE move_marks (name TEXT PRIMARY KEY, value TEXT NOT NULL, at BIGINT NOT NULL)');
  },
};
