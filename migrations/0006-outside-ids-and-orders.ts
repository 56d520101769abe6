import type { Migration } from '../core/database/migrate.ts';

/**
 * One outside account is one user's: two sign-ins at the same moment must not make two users of it, so the rule is in the
 * database. An order keeps the exact quota bought and the exact price, so that no later setting changes either.
 */
export const outsideIdsAndOrders: Migration = {
  name: '0006-outside-ids-and-orders',
  async up({ run }) {
    for (const column of ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id']) {
      await run(`DROP INDEX users_${column}`);
      await run(`CREATE UNIQUE INDEX users_${column} ON users (${column}) WHERE ${column} <> ''`);
    }
    await run('ALTER TABLE top_ups ADD COLUMN quota BIGINT NOT NULL DEFAULT 0');
    // Hundredths of the currency: floating point must not decide whether a payment is complete.
    await run('ALTER TABLE top_ups ADD COLUMN money_cents BIGINT NOT NULL DEFAULT 0');
    await run(`ALTER TABLE top_ups ADD COLUMN provider_trade_no TEXT NOT NULL DEFAULT ''`);
  },
};
