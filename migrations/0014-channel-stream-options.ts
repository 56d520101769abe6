import type { Migration } from '../core/database/migrate.ts';

/** When a channel's upstream refused `stream_options`, so that every process leaves the field out for a day. */
export const channelStreamOptions: Migration = {
  name: '0014-channel-stream-options',
  async up({ engine, run }) {
    await run('ALTER TABLE channels ADD COLUMN stream_options_refused_time BIGINT NOT NULL DEFAULT 0');
    const event = 'AFTER UPDATE OF stream_options_refused_time, max_input_tokens ON channels';
    if (engine === 'sqlite') {
      await run(`CREATE TRIGGER channels_limit_noted ${event} BEGIN
        INSERT INTO changes (subject, subject_id, created_at) VALUES ('channels', NEW.id, unixepoch()); END`);
    } else {
      await run(`CREATE TRIGGER channels_limit_noted ${event} FOR EACH ROW EXECUTE FUNCTION note_change('id')`);
    }
  },
};
