import type { Migration } from '../core/database/migrate.ts';

/**
 * What a user had earned by invitations in another program when they were last imported. Earnings that were moved to the balance there
 * came with the balance, and could be moved here a second time. NULL: imported by a former version; the next import notes it.
 */
export const takeoverEarnings: Migration = {
  name: '0040-takeover-earning',
  async up({ run }) {
    for (const column of ['aff_count', 'aff_quota', 'aff_history'])
      await run(`ALTER TABLE takeover_marks ADD COLUMN ${column} BIGINT`);
  },
};
