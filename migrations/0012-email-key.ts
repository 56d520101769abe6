import type { Migration } from '../core/database/migrate.ts';
import { emailKey } from '../core/schemas/email.ts';

/**
 * The one form of an account's e-mail address, so that no other spelling of a mailbox opens a second account or counts as free.
 * The address itself stays as it was written: accounts that share a mailbox by now keep what they signed in with.
 */
export const emailKeys: Migration = {
  name: '0012-email-key',
  async up({ run, rows }) {
    await run(`ALTER TABLE users ADD COLUMN email_key TEXT NOT NULL DEFAULT ''`);
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    for (const { id, email } of await rows<{ id: number; email: string }>(
      `SELECT id, email FROM users WHERE email <> ''`,
    )) {
      await run(`UPDATE users SET email_key = ${quoted(emailKey(email))} WHERE id = ${Number(id)}`);
    }
    await run('DROP INDEX users_email_key');
    await run(`CREATE INDEX users_email_key ON users (email_key) WHERE email_key <> ''`);
  },
};
