import type { Migration } from '../core/database/migrate.ts';

/**
 * Every call writes and deletes a hold, so each tree a hold is in is paid for twice per call. On SQLite one tree is enough:
 * the table holds the calls under way and little else, and is only searched by id on the way of a call.
 */
export const leanHolds: Migration = {
  name: '0005-lean-holds',
  async up({ engine, run }) {
    if (engine !== 'sqlite') return;
    await run('ALTER TABLE quota_holds RENAME TO former_quota_holds');
    await run(`CREATE TABLE quota_holds (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, user_id BIGINT NOT NULL, token_id BIGINT NOT NULL DEFAULT 0,
      amount BIGINT NOT NULL DEFAULT 0, parts INTEGER NOT NULL DEFAULT 1, state INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL DEFAULT 0, CHECK (amount >= 0)) WITHOUT ROWID`);
    await run(`INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
      SELECT id, owner, user_id, token_id, amount, parts, state, created_at FROM former_quota_holds`);
    await run('DROP TABLE former_quota_holds');
    // Costs nothing while no hold is an orphan.
    await run('CREATE INDEX quota_holds_orphaned ON quota_holds (created_at) WHERE state = 1');
  },
};
