import type { Migration } from '../core/database/migrate.ts';

/** How channels serve each model, in rows of a minute and of an hour: each process has its own, and readers add them up. */
export const channelHealth: Migration = {
  name: '0023-channel-health',
  async up({ run }) {
    await run(`CREATE TABLE channel_health (
      seconds BIGINT NOT NULL, slot BIGINT NOT NULL, channel_id BIGINT NOT NULL, model TEXT NOT NULL, process TEXT NOT NULL,
      ok BIGINT NOT NULL DEFAULT 0, failed BIGINT NOT NULL DEFAULT 0,
      first_token TEXT NOT NULL DEFAULT '{}', speed TEXT NOT NULL DEFAULT '{}',
      error TEXT NOT NULL DEFAULT '', error_code TEXT NOT NULL DEFAULT '', error_at BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (seconds, slot, channel_id, model, process))`);
  },
};
