import type { Migration } from '../core/database/migrate.ts';

/** Responses that an upstream keeps: whose they are, and on which channel they lie. Two upstreams may give one id. */
export const storedResponses: Migration = {
  name: '0007-stored-responses',
  async up({ run }) {
    await run(`CREATE TABLE stored_responses (
      user_id BIGINT NOT NULL, id TEXT NOT NULL, channel_id BIGINT NOT NULL, model TEXT NOT NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (user_id, id))`);
    await run('CREATE INDEX stored_responses_created_at ON stored_responses (created_at)');
  },
};
