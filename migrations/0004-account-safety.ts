import type { Migration } from '../core/database/migrate.ts';

/** Where an account signed in from before, so that strangers who guess at it cannot lock its owner out. */
export const accountSafety: Migration = {
  name: '0004-account-safety',
  async up({ run }) {
    await run(`CREATE TABLE sign_in_places (
      user_id BIGINT NOT NULL, network TEXT NOT NULL, seen_at BIGINT NOT NULL, PRIMARY KEY (user_id, network))`);
    // Sign-in, reset and registration look an address up however its letters are written.
    await run(`CREATE INDEX users_email_key ON users (lower(email)) WHERE email <> ''`);
  },
};
