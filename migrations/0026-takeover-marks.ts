import type { Migration } from '../core/database/migrate.ts';

/**
 * What a row of another program contained when it was last imported. The next import of the same installation adds the difference:
 * it goes on serving beside this one until its users have moved.
 */
export const takeoverMarks: Migration = {
  name: '0026-takeover-marks',
  async up({ run }) {
    const count = 'BIGINT NOT NULL DEFAULT 0';
    await run(`CREATE TABLE takeover_marks (
      subject TEXT NOT NULL, id BIGINT NOT NULL, old_id ${count}, quota ${count}, used_quota ${count}, imports ${count},
      proof TEXT NOT NULL DEFAULT '', PRIMARY KEY (subject, id))`);
    await run('CREATE INDEX takeover_marks_old_id ON takeover_marks (subject, old_id)');
  },
};
