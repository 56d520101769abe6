import type { Migration } from '../core/database/migrate.ts';

/**
 * On PostgreSQL a process is dead after 40 seconds without a sign of it, not 60: with a look every ten seconds, its holds are back
 * within a minute. Four signs in a row must be missing.
 */
export const liveOwners: Migration = {
  name: '0032-live-owner',
  async up({ engine, run }) {
    if (engine === 'sqlite') return;
    await run(`CREATE OR REPLACE VIEW ledger_live_owners AS
      SELECT id FROM ledger_owners WHERE seen_at >= extract(epoch FROM now())::bigint - 40`);
  },
};
