import type { Migration } from '../core/database/migrate.ts';

/**
 * Wrong passwords are counted for all processes together, so that more of them do not mean more tries. A second step at sign-in,
 * with its codes for the day the telephone is lost. Redemption codes may end.
 */
export const signInGuard: Migration = {
  name: '0009-sign-in-guard',
  async up({ run }) {
    // The subject is a keyed hash: people type their password into the field of the name.
    await run(`CREATE TABLE sign_in_failures (
      subject_hash TEXT PRIMARY KEY, tries BIGINT NOT NULL, last_at BIGINT NOT NULL, wait_until BIGINT NOT NULL,
      session_version BIGINT NOT NULL)`);
    await run('CREATE INDEX sign_in_failures_last ON sign_in_failures (last_at)');
    await run(`CREATE TABLE two_factors (
      user_id BIGINT PRIMARY KEY, secret TEXT NOT NULL, created_at BIGINT NOT NULL, enabled_at BIGINT NOT NULL DEFAULT 0,
      last_step BIGINT NOT NULL DEFAULT 0)`);
    await run(`CREATE TABLE two_factor_codes (
      user_id BIGINT NOT NULL, code_hash TEXT NOT NULL, PRIMARY KEY (user_id, code_hash))`);
    await run('ALTER TABLE redemptions ADD COLUMN expired_time BIGINT NOT NULL DEFAULT 0');
  },
};
