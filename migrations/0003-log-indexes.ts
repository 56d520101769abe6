import type { Migration } from '../core/database/migrate.ts';

/**
 * Lists of the log are read newest first and usually between two times, so each index ends with the time. Every one of them is
 * written with every call (2 µs where few values are in use, up to 25 µs of SQLite's time where thousands are): what is not worth that
 * has none, or one that only rare rows are in.
 */
export const logIndexes: Migration = {
  name: '0003-log-indexes',
  async up({ engine, run }) {
    const postgres = engine === 'postgres';
    await run('DROP INDEX logs_user_id');
    await run('DROP INDEX logs_created_at');
    await run('CREATE INDEX logs_created_at ON logs (created_at)');
    await run('CREATE INDEX logs_user_id ON logs (user_id, created_at)');
    await run('CREATE INDEX logs_channel_id ON logs (channel_id, created_at)');
    await run('CREATE INDEX logs_model_name ON logs (model_name, created_at)');
    await run('CREATE INDEX logs_group ON logs ("group", created_at)');
    // The dearest of them where thousands of tokens are in use at once: nearly each row dirties a page of its own.
    await run('CREATE INDEX logs_token_name ON logs (token_name, created_at)');
    // Nearly all rows are consumption without a word.
    await run('CREATE INDEX logs_note ON logs (type, created_at) WHERE type <> 2');
    // The beginning is enough to find a row by, and an index takes no longer text on PostgreSQL.
    const beginning = postgres ? 'substr(content, 1, 64) COLLATE "C"' : 'substr(content, 1, 64)';
    await run(`CREATE INDEX logs_content ON logs (${postgres ? `(${beginning})` : beginning}) WHERE content <> ''`);
    await run('CREATE INDEX audits_object ON audits (object_kind, object_id)');
    await run('CREATE INDEX audits_actor_id ON audits (actor_id)');
  },
};
