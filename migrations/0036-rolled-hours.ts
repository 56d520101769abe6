import type { Migration } from '../core/database/migrate.ts';

/**
 * What the rows of the log add up to, by the hour, where the hourly sums of `usage_data` do not know it: prompt, completion and cached
 * tokens of a user and model, and everything of a channel. A job writes these tables when an hour is over; `rolled_hours` has what
 * it found then, so that a reader can tell whether an hour is still complete. Servers of the former version leave them alone.
 */
export const rolledHours: Migration = {
  name: '0036-rolled-hours',
  async up({ engine, run }) {
    const withoutRowid = engine === 'sqlite' ? ' WITHOUT ROWID' : '';
    const whole = 'BIGINT NOT NULL';
    // Not rounded: rounded parts would not add up to the rounded whole.
    const parts = `prompt_tokens ${whole}, completion_tokens ${whole}, cached_tokens ${whole}, saved_quota DOUBLE PRECISION NOT NULL`;
    await run(`CREATE TABLE rolled_hours (created_at ${whole} PRIMARY KEY, calls ${whole}, quota ${whole}, known_calls ${whole},
      known_quota ${whole}, last_id ${whole})${withoutRowid}`);
    // By the hour first: an hour is written together, and a report of all users reads its hours in one piece.
    await run(`CREATE TABLE usage_parts (created_at ${whole}, user_id ${whole}, model_name TEXT NOT NULL, known_calls ${whole},
      known_quota ${whole}, ${parts}, PRIMARY KEY (created_at, user_id, model_name))${withoutRowid}`);
    await run('CREATE INDEX usage_parts_user_id ON usage_parts (user_id, created_at)');
    // A few dozen rows an hour: a single channel needs no index of its own.
    await run(`CREATE TABLE channel_hours (created_at ${whole}, channel_id ${whole}, calls ${whole}, quota ${whole}, ${parts},
      PRIMARY KEY (created_at, channel_id))${withoutRowid}`);
  },
};
