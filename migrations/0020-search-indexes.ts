import type { Migration } from '../core/database/migrate.ts';

/**
 * Requests that broke off and slow ones are few and looked for often: each has an index that only such rows are in. Users and tokens
 * are found by the beginning of their names, which PostgreSQL finds only where names are sorted by their bytes.
 */
export const searchIndexes: Migration = {
  name: '0020-search-indexes',
  async up({ engine, run }) {
    await run(`CREATE INDEX logs_cut ON logs (created_at) WHERE type = 2 AND content <> ''`);
    await run('CREATE INDEX logs_slow ON logs (created_at) WHERE use_time >= 30');
    if (engine === 'postgres') {
      await run('CREATE INDEX users_beginning ON users (username_key COLLATE "C")');
      await run('CREATE INDEX tokens_beginning ON tokens ((lower(name) COLLATE "C"))');
    } else {
      await run('CREATE INDEX tokens_beginning ON tokens (lower(name))');
    }
  },
};
