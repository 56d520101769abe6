import type { Migration } from '../core/database/migrate.ts';

/**
 * Paid jobs: the ledger inserts the row of a job with its charge, and each row says when its vendor is to be asked again.
 */
export const paidTasks: Migration = {
  name: '0015-paid-task',
  async up({ engine, run }) {
    for (const column of ['model', '"group"'])
      await run(`ALTER TABLE tasks ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`);
    await run('ALTER TABLE tasks ADD COLUMN next_poll_at BIGINT NOT NULL DEFAULT 0');
    await run('ALTER TABLE tasks ADD COLUMN polls BIGINT NOT NULL DEFAULT 0');
    // 1 = its owner deleted it; what it cost stays in the books.
    await run('ALTER TABLE tasks ADD COLUMN hidden BIGINT NOT NULL DEFAULT 0');
    await run("CREATE INDEX tasks_open ON tasks (next_poll_at) WHERE status NOT IN ('SUCCESS', 'FAILURE')");
    if (engine === 'sqlite') return;
    await run(insertTasks);
    await run(bookParked);
    await run(apply);
  },
};

const indexesOnly = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off';
const nowSeconds = 'extract(epoch FROM now())::bigint';

// A row for each end that has one and was booked now.
const insertTasks = `CREATE FUNCTION ledger_insert_tasks(ends jsonb, booked text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tasks (request_id, user_id, token_id, channel_id, quota, created_at, updated_at, platform, task_id, action,
    model, "group", status, progress, submit_time, next_poll_at, properties, data)
  SELECT item.id, item.user_id, item.token_id, item.channel_id, item.actual, item.accessed_at, item.accessed_at,
    task.platform, task.task_id, task.action, task.model, task."group", task.status, task.progress, task.submit_time,
    task.next_poll_at, task.properties, task.data
  FROM jsonb_array_elements(ends) AS each(value),
    jsonb_to_record(each.value) AS item(
      id text, user_id bigint, token_id bigint, channel_id bigint, actual bigint, accessed_at bigint),
    jsonb_to_record(each.value -> 'task') AS task(
      platform text, task_id text, action text, model text, "group" text, status text, progress text, submit_time bigint,
      next_poll_at bigint, properties text, data text)
  WHERE each.value ? 'task' AND item.id = ANY (booked)
  ON CONFLICT (request_id) DO NOTHING
$$`;

const bookParked = `CREATE OR REPLACE FUNCTION ledger_book_parked(parked_id text) RETURNS boolean LANGUAGE plpgsql ${indexesOnly} AS $$
DECLARE
  stray record;
  hour bigint;
BEGIN
  SELECT * INTO stray FROM stray_settlements WHERE id = parked_id AND state = 'parked' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM users WHERE id = stray.user_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such user or token' USING ERRCODE = 'TG404';
  END IF;
  PERFORM 1 FROM tokens WHERE id = stray.token_id FOR UPDATE;
  PERFORM 1 FROM channels WHERE id = stray.channel_id FOR UPDATE;
  INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
  VALUES (stray.id, '', stray.user_id, stray.token_id, 0, 1, 0, ${nowSeconds});
  hour := coalesce((stray.content::jsonb ->> 'created_at')::bigint, (stray.content::jsonb ->> 'hour')::bigint, 0);
  PERFORM ledger_end_holds(jsonb_build_object('ends', jsonb_build_array(stray.content::jsonb), 'mark',
    CASE WHEN (stray.content::jsonb ->> 'logged')::boolean = (stray.content::jsonb ->> 'hour' IS NOT NULL) THEN 0
      ELSE hour - hour % 3600 + 3600 END));
  PERFORM ledger_insert_tasks(jsonb_build_array(stray.content::jsonb), ARRAY[stray.id]);
  UPDATE stray_settlements SET state = 'booked' WHERE id = parked_id;
  RETURN true;
END $$`;

const apply = `CREATE OR REPLACE FUNCTION ledger_apply(batch jsonb) RETURNS jsonb LANGUAGE plpgsql ${indexesOnly} AS $$
DECLARE
  ended text[] := '{}';
  strays jsonb := '[]';
  credited text[] := '{}';
  refused jsonb := '{}';
BEGIN
  -- The order of core/database/lock-order.ts.
  PERFORM 1 FROM users WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'users')::bigint))
    ORDER BY id FOR UPDATE;
  PERFORM 1 FROM tokens WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'tokens')::bigint))
    ORDER BY id FOR UPDATE;
  PERFORM 1 FROM channels WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'channels')::bigint))
    ORDER BY id FOR UPDATE;
  IF jsonb_array_length(batch -> 'ends') > 0 THEN
    ended := ledger_end_holds(batch);
    IF coalesce((batch ->> 'unlogged')::boolean, true) THEN
      INSERT INTO ended_calls (id, ended_at)
      SELECT item.id, ${nowSeconds}
      FROM jsonb_to_recordset(batch -> 'ends') AS item(id text, counted int, logged boolean)
      WHERE item.id = ANY (ended) AND (counted = 0 OR NOT logged)
      ON CONFLICT (id) DO NOTHING;
    END IF;
    IF cardinality(ended) < jsonb_array_length(batch -> 'ends') THEN
      strays := ledger_book_strays(batch, ended);
    END IF;
    IF coalesce((batch ->> 'tasks')::boolean, false) THEN
      PERFORM ledger_insert_tasks(batch -> 'ends', ended || ARRAY(
        SELECT stray ->> 'id' FROM jsonb_array_elements(strays) AS stray WHERE stray ->> 'state' = 'booked'));
    END IF;
  END IF;
  IF jsonb_array_length(batch -> 'credits') > 0 THEN
    credited := ledger_book_credits(batch);
  END IF;
  IF jsonb_array_length(batch -> 'holds') > 0 THEN
    refused := ledger_take_holds(batch);
  END IF;
  RETURN jsonb_build_object('ended', ended, 'strays', strays, 'credited', credited, 'refused', refused);
END $$`;
