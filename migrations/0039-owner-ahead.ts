import type { Migration } from '../core/database/migrate.ts';

/**
 * A process whose last sign of life is yet to come has ended before the clock was set back. It counted as alive until the clock was there
 * again, and what its calls had reserved was kept from its users for as long.
 */
export const ownersAhead: Migration = {
  name: '0039-owner-ahead',
  async up({ engine, run }) {
    if (engine === 'sqlite') return;
    await run(`CREATE OR REPLACE VIEW ledger_live_owners AS
      SELECT id FROM ledger_owners WHERE seen_at >= extract(epoch FROM now())::bigint - 40
        AND seen_at <= extract(epoch FROM now())::bigint + 40`);
  },
};
