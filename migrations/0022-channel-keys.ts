import type { Migration } from '../core/database/migrate.ts';

/**
 * A channel may have several keys: how one is chosen and which are on. A task and a stored response remember which key of its channel
 * took them; 0 = the channel's only key.
 */
export const channelKeys: Migration = {
  name: '0022-channel-keys',
  async up({ engine, run }) {
    await run(`ALTER TABLE channels ADD COLUMN key_pool TEXT NOT NULL DEFAULT ''`);
    await run('ALTER TABLE tasks ADD COLUMN channel_key BIGINT NOT NULL DEFAULT 0');
    await run('ALTER TABLE stored_responses ADD COLUMN channel_key BIGINT NOT NULL DEFAULT 0');
    const event = 'AFTER UPDATE OF key_pool ON channels';
    if (engine === 'sqlite') {
      await run(`CREATE TRIGGER channels_keys_noted ${event} BEGIN
        INSERT INTO changes (subject, subject_id, created_at) VALUES ('channels', NEW.id, unixepoch()); END`);
    } else {
      await run(`CREATE TRIGGER channels_keys_noted ${event} FOR EACH ROW EXECUTE FUNCTION note_change('id')`);
      await run(insertTasks);
    }
  },
};

// As before, with the key that took the job.
const insertTasks = `CREATE OR REPLACE FUNCTION ledger_insert_tasks(ends jsonb, booked text[]) RETURNS void LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO tasks (request_id, user_id, token_id, channel_id, quota, created_at, updated_at, platform, task_id, action,
      model, "group", status, progress, submit_time, next_poll_at, properties, data, notify_url,
      channel_key)
    SELECT item.id, item.user_id, item.token_id, item.channel_id, item.actual, item.accessed_at, item.accessed_at,
      task.platform, task.task_id, task.action, task.model, task."group", task.status, task.progress, task.submit_time,
      task.next_poll_at, task.properties, task.data, coalesce(task.notify_url, ''),
      coalesce(task.channel_key, 0)
    FROM jsonb_array_elements(ends) AS each(value),
      jsonb_to_record(each.value) AS item(
        id text, user_id bigint, token_id bigint, channel_id bigint, actual bigint, accessed_at bigint),
      jsonb_to_record(each.value -> 'task') AS task(
        platform text, task_id text, action text, model text, "group" text, status text, progress text, submit_time bigint,
        next_poll_at bigint, properties text, data text, notify_url text,
        channel_key bigint)
    WHERE each.value ? 'task' AND item.id = ANY (booked)
    ON CONFLICT (request_id) DO NOTHING
    RETURNING id, user_id, task_id, status, notify_url, updated_at),
  ended AS (SELECT * FROM made WHERE status IN ('SUCCESS', 'FAILURE') AND task_id <> '')
  INSERT INTO task_notices (task, user_id, address, due_at)
  SELECT ended.id, ended.user_id, '', ended.updated_at FROM ended JOIN users ON users.id = ended.user_id
  WHERE users.setting LIKE '%"notify_task_finished":true%'
  UNION ALL
  SELECT id, user_id, notify_url, updated_at FROM ended WHERE notify_url <> ''
$$`;
