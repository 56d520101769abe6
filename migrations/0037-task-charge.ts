import type { Migration } from '../core/database/migrate.ts';

/**
 * The row of a paid job says what its charge counted in, so that all of it comes back when the job fails: its budgets, and the full hour
 * whose sums have it (0 = none). Its log row says so too, but may be cleared by then, and is not written where consumption is not
 * logged. NULL: written by a server of a former version, so the log row is asked.
 */
export const taskCharges: Migration = {
  name: '0037-task-charge',
  async up({ engine, run }) {
    await run("ALTER TABLE tasks ADD COLUMN budgets TEXT NOT NULL DEFAULT ''");
    await run('ALTER TABLE tasks ADD COLUMN summed_hour BIGINT');
    // By the hour of the charge, for sums of what went back.
    await run("CREATE INDEX tasks_failed ON tasks (summed_hour, created_at) WHERE status = 'FAILURE'");
    if (engine === 'postgres') await run(insertTasks);
  },
};

// As before, with the budgets and the hour.
const insertTasks = `CREATE OR REPLACE FUNCTION ledger_insert_tasks(ends jsonb, booked text[]) RETURNS void LANGUAGE sql AS $$
  WITH made AS (
    INSERT INTO tasks (request_id, user_id, token_id, channel_id, quota, created_at, updated_at, platform, task_id, action,
      model, "group", status, progress, submit_time, next_poll_at, properties, data, notify_url,
      channel_key, budgets, summed_hour)
    SELECT item.id, item.user_id, item.token_id, item.channel_id, item.actual, item.accessed_at, item.accessed_at,
      task.platform, task.task_id, task.action, task.model, task."group", task.status, task.progress, task.submit_time,
      task.next_poll_at, task.properties, task.data, coalesce(task.notify_url, ''),
      coalesce(task.channel_key, 0), coalesce(item.budgets, ''), coalesce(item.hour, 0)
    FROM jsonb_array_elements(ends) AS each(value),
      jsonb_to_record(each.value) AS item(
        id text, user_id bigint, token_id bigint, channel_id bigint, actual bigint, accessed_at bigint, budgets text, hour bigint),
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
