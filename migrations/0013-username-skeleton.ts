import type { Migration } from '../core/database/migrate.ts';
import { nameSkeleton } from '../core/lib/confusable-name.ts';

/** How people read the name of an account, so that no new one looks like it. */
export const usernameSkeletons: Migration = {
  name: '0013-username-skeleton',
  async up({ run, rows }) {
    await run(`ALTER TABLE users ADD COLUMN username_skeleton TEXT NOT NULL DEFAULT ''`);
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    for (const { id, username } of await rows<{ id: number; username: string }>(
      `SELECT id, username FROM users WHERE username <> ''`,
    )) {
      await run(`UPDATE users SET username_skeleton = ${quoted(nameSkeleton(username))} WHERE id = ${Number(id)}`);
    }
    await run(`CREATE INDEX users_username_skeleton ON users (username_skeleton) WHERE username_skeleton <> ''`);
  },
};
