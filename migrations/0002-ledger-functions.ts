import type { Migration } from '../core/database/migrate.ts';

/**
 * The ledger's transactions as functions, so that a batch is one round trip. SQLite has no functions: there the same
 * steps are statements of the program (core/billing/sqlite-*.ts); a change here is a change there.
 */
export const ledgerFunctions: Migration = {
  name: '0002-ledger-functions',
  async up({ engine, run }) {
    if (engine === 'sqlite') return;
    await run(liveOwners);
    await run(endHolds);
    await run(bookCredits);
    await run(takeHolds);
    await run(apply);
    await run(sweep);
  },
};

// The planner cannot know how few rows a batch has; reading whole tables for 256 ids would be its choice otherwise.
const indexesOnly = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off';

const nowSeconds = 'extract(epoch FROM now())::bigint';
const liveUser = 'status = 1 AND deleted_at IS NULL';
const liveToken = `status = 1 AND deleted_at IS NULL AND (expired_time = -1 OR expired_time > ${nowSeconds})`;

const liveOwners = `CREATE VIEW ledger_live_owners AS
  SELECT id FROM ledger_owners WHERE seen_at >= extract(epoch FROM now())::bigint - 60`;

// Only what the DELETE returns is booked, so a repeat after an unanswered COMMIT books nothing twice. What an orphan held
// was given back when it was swept.
const endHolds = `CREATE FUNCTION ledger_end_holds(batch jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  ended text[];
BEGIN
  WITH item AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(batch -> 'ends') AS item(
      id text, channel_id bigint, actual bigint, counted int, accessed_at bigint, logged boolean, created_at bigint,
      content text, username text, token_name text, model_name text, prompt_tokens bigint, completion_tokens bigint,
      use_time bigint, is_stream boolean, "group" text, other text, hour bigint, hour_model text, hour_username text,
      token_used bigint)
  ), gone AS (
    DELETE FROM quota_holds hold USING item WHERE hold.id = item.id
    RETURNING item.*, hold.user_id, hold.token_id, CASE hold.state WHEN 0 THEN hold.amount ELSE 0 END AS held
  ), changed_users AS (
    UPDATE users SET quota = quota + change.back, used_quota = used_quota + change.used,
      request_count = request_count + change.calls
    FROM (SELECT user_id, sum(held - actual)::bigint AS back, sum(actual)::bigint AS used, sum(counted) AS calls
      FROM gone GROUP BY user_id) change
    WHERE users.id = change.user_id
  ), changed_tokens AS (
    UPDATE tokens SET remain_quota = remain_quota + change.back, used_quota = used_quota + change.used,
      accessed_time = greatest(accessed_time, change.seen)
    FROM (SELECT token_id, sum(held - actual)::bigint AS back, sum(actual)::bigint AS used,
        max(counted * accessed_at) AS seen
      FROM gone WHERE token_id <> 0 GROUP BY token_id) change
    WHERE tokens.id = change.token_id
  ), changed_channels AS (
    UPDATE channels SET used_quota = used_quota + change.used
    FROM (SELECT channel_id, sum(actual)::bigint AS used FROM gone WHERE counted = 1 GROUP BY channel_id) change
    WHERE channels.id = change.channel_id
  ), new_logs AS (
    INSERT INTO logs (request_id, user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, use_time, is_stream, channel_id, "group", other)
    SELECT id, user_id, created_at, 2, content, username, token_id, token_name, model_name, actual,
      prompt_tokens, completion_tokens, use_time, is_stream, channel_id, "group", other
    FROM gone WHERE logged
  ), new_hours AS (
    INSERT INTO usage_data AS known (user_id, model_name, created_at, username, token_used, count, quota)
    SELECT user_id, hour_model, hour, max(hour_username), sum(token_used)::bigint, count(*), sum(actual)::bigint
    FROM gone WHERE hour IS NOT NULL GROUP BY user_id, hour_model, hour
    ORDER BY user_id, hour_model, hour
    ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET username = excluded.username,
      token_used = known.token_used + excluded.token_used, count = known.count + excluded.count,
      quota = known.quota + excluded.quota
  ), new_unlogged AS (
    INSERT INTO unlogged_sums AS known (subject, subject_id, quota)
    SELECT subject, subject_id, sum(actual)::bigint
    FROM gone CROSS JOIN LATERAL (VALUES ('user', user_id), ('token', token_id), ('channel', channel_id))
      AS part(subject, subject_id)
    WHERE counted = 1 AND NOT logged AND actual > 0 AND subject_id <> 0
    GROUP BY subject, subject_id ORDER BY subject, subject_id
    ON CONFLICT (subject, subject_id) DO UPDATE SET quota = known.quota + excluded.quota
  )
  SELECT coalesce(array_agg(id), '{}') INTO ended FROM gone;
  IF (batch ->> 'mark')::bigint > 0 THEN
    INSERT INTO ledger_marks (name, at) VALUES ('hourly', (batch ->> 'mark')::bigint)
    ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE ledger_marks.at < excluded.at;
  END IF;
  RETURN ended;
END $$`;

const bookCredits = `CREATE FUNCTION ledger_book_credits(batch jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  one record;
  credited text[] := '{}';
BEGIN
  FOR one IN SELECT * FROM jsonb_to_recordset(batch -> 'credits') AS credit(
    key text, user_id bigint, token_id bigint, kind text, ref text, amount bigint, actor_id bigint, note text)
  LOOP
    INSERT INTO quota_entries (user_id, token_id, kind, ref, amount, actor_id, created_at, note)
    VALUES (one.user_id, one.token_id, one.kind, one.ref, one.amount, one.actor_id, ${nowSeconds},
      one.note)
    ON CONFLICT (kind, ref) DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    IF one.token_id = 0 THEN
      UPDATE users SET quota = quota + one.amount WHERE id = one.user_id;
    ELSE
      UPDATE tokens SET remain_quota = remain_quota + one.amount WHERE id = one.token_id;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no such user or token' USING ERRCODE = 'TG404';
    END IF;
    credited := credited || one.key;
  END LOOP;
  RETURN credited;
END $$`;

// All holds of a user, then of a token, at once when they fit together; else one by one in order of arrival. An unlimited
// token counts down too, below zero as well, so that its books add up like any other's.
const takeHolds = `CREATE FUNCTION ledger_take_holds(batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rows jsonb := batch -> 'holds';
  refused jsonb := '{}';
  skipped text[] := '{}';
  fit_users bigint[];
  fit_tokens bigint[];
  doubtful int[];
  one record;
BEGIN
  IF (batch ->> 'asked')::boolean THEN
    -- A part that is booked already counts as taken; one without its former part cannot be.
    SELECT coalesce(array_agg(item.id), '{}'),
      coalesce(jsonb_object_agg(item.id, 'ended') FILTER (WHERE coalesce(hold.parts, 0) < item.part - 1), '{}')
    INTO skipped, refused
    FROM jsonb_to_recordset(rows) AS item(id text, part int) LEFT JOIN quota_holds hold ON hold.id = item.id
    WHERE coalesce(hold.parts, 0) <> item.part - 1;
  END IF;

  WITH wanted AS (
    SELECT user_id, sum(amount) AS total FROM jsonb_to_recordset(rows) AS item(id text, user_id bigint, amount bigint)
    WHERE NOT id = ANY (skipped) GROUP BY user_id
  ), taken AS (
    UPDATE users SET quota = quota - wanted.total FROM wanted
    WHERE users.id = wanted.user_id AND ${liveUser} AND quota >= wanted.total RETURNING users.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO fit_users FROM taken;

  WITH wanted AS (
    SELECT token_id, sum(amount) AS total
    FROM jsonb_to_recordset(rows) AS item(id text, user_id bigint, token_id bigint, amount bigint)
    WHERE token_id <> 0 AND user_id = ANY (fit_users) AND NOT id = ANY (skipped) GROUP BY token_id
  ), taken AS (
    UPDATE tokens SET remain_quota = remain_quota - wanted.total FROM wanted
    WHERE tokens.id = wanted.token_id AND ${liveToken} AND (unlimited_quota OR remain_quota >= wanted.total)
    RETURNING tokens.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO fit_tokens FROM taken;
  fit_tokens := fit_tokens || 0::bigint;

  SELECT coalesce(array_agg(n), '{}') INTO doubtful
  FROM jsonb_to_recordset(rows) AS item(n int, id text, user_id bigint, token_id bigint)
  WHERE NOT id = ANY (skipped) AND NOT (user_id = ANY (fit_users) AND token_id = ANY (fit_tokens));

  IF cardinality(doubtful) > 0 THEN
    UPDATE users SET quota = quota + back.total
    FROM (SELECT user_id, sum(amount) AS total
      FROM jsonb_to_recordset(rows) AS item(n int, user_id bigint, amount bigint)
      WHERE n = ANY (doubtful) AND user_id = ANY (fit_users) GROUP BY user_id) back
    WHERE users.id = back.user_id;

    FOR one IN SELECT * FROM jsonb_to_recordset(rows)
        AS item(n int, id text, user_id bigint, token_id bigint, amount bigint)
      WHERE n = ANY (doubtful) ORDER BY n
    LOOP
      UPDATE users SET quota = quota - one.amount
      WHERE id = one.user_id AND ${liveUser} AND quota >= one.amount;
      IF NOT FOUND THEN
        refused := refused || jsonb_build_object(one.id, 'user');
        CONTINUE;
      END IF;
      CONTINUE WHEN one.token_id = 0;
      UPDATE tokens SET remain_quota = remain_quota - one.amount
      WHERE id = one.token_id AND ${liveToken} AND (unlimited_quota OR remain_quota >= one.amount);
      IF NOT FOUND THEN
        UPDATE users SET quota = quota + one.amount WHERE id = one.user_id;
        refused := refused || jsonb_build_object(one.id, 'token');
      END IF;
    END LOOP;
  END IF;

  INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
  SELECT id, batch ->> 'owner', user_id, token_id, amount, 1, 0, ${nowSeconds}
  FROM jsonb_to_recordset(rows) AS item(id text, user_id bigint, token_id bigint, amount bigint, part int)
  WHERE part = 1 AND NOT id = ANY (skipped) AND NOT refused ? id;

  IF (batch ->> 'asked')::boolean THEN
    -- An orphan's old amount was given back already: it lives again with the new part only.
    UPDATE quota_holds hold SET amount = item.amount + CASE hold.state WHEN 0 THEN hold.amount ELSE 0 END,
      parts = item.part, state = 0, owner = batch ->> 'owner'
    FROM jsonb_to_recordset(rows) AS item(id text, amount bigint, part int)
    WHERE hold.id = item.id AND item.part > 1 AND NOT item.id = ANY (skipped) AND NOT refused ? item.id;
  END IF;
  RETURN refused;
END $$`;

// Holds are flushed like everything else: a server that crashes and comes back would have forgotten the last of them while
// their calls run on, and a settlement that finds no hold books nothing.
const apply = `CREATE FUNCTION ledger_apply(batch jsonb) RETURNS jsonb LANGUAGE plpgsql ${indexesOnly} AS $$
DECLARE
  ended text[] := '{}';
  credited text[] := '{}';
  refused jsonb := '{}';
BEGIN
  -- Every transaction locks users, tokens and channels in this order, each by ascending id: else two of them deadlock.
  PERFORM 1 FROM users WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'users')::bigint))
    ORDER BY id FOR UPDATE;
  PERFORM 1 FROM tokens WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'tokens')::bigint))
    ORDER BY id FOR UPDATE;
  PERFORM 1 FROM channels WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(batch -> 'channels')::bigint))
    ORDER BY id FOR UPDATE;
  IF jsonb_array_length(batch -> 'ends') > 0 THEN
    ended := ledger_end_holds(batch);
  END IF;
  IF jsonb_array_length(batch -> 'credits') > 0 THEN
    credited := ledger_book_credits(batch);
  END IF;
  IF jsonb_array_length(batch -> 'holds') > 0 THEN
    refused := ledger_take_holds(batch);
  END IF;
  RETURN jsonb_build_object('ended', ended, 'credited', credited, 'refused', refused);
END $$`;

// The locks come before the holds' own, as in ledger_apply. request_id stays null in the note: it is unique, and a late
// settlement of the same call still writes its own row.
const sweep = `CREATE FUNCTION ledger_sweep(ids text[], sweeper text) RETURNS bigint LANGUAGE plpgsql ${indexesOnly} AS $$
DECLARE
  swept bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM 1 FROM users WHERE id IN (SELECT user_id FROM quota_holds WHERE quota_holds.id = ANY (ids))
    ORDER BY id FOR UPDATE;
  PERFORM 1 FROM tokens WHERE id IN (SELECT token_id FROM quota_holds WHERE quota_holds.id = ANY (ids))
    ORDER BY id FOR UPDATE;
  WITH back AS (
    UPDATE quota_holds SET state = 1
    WHERE state = 0 AND id = ANY (ids) AND owner <> sweeper AND owner NOT IN (SELECT id FROM ledger_live_owners)
    RETURNING id, user_id, token_id, amount
  ), changed_users AS (
    UPDATE users SET quota = quota + change.total
    FROM (SELECT user_id, sum(amount)::bigint AS total FROM back GROUP BY user_id) change
    WHERE users.id = change.user_id
  ), changed_tokens AS (
    UPDATE tokens SET remain_quota = remain_quota + change.total
    FROM (SELECT token_id, sum(amount)::bigint AS total FROM back GROUP BY token_id) change
    WHERE tokens.id = change.token_id
  ), notes AS (
    INSERT INTO logs (user_id, created_at, type, content, username, token_id, token_name, quota, other)
    SELECT back.user_id, ${nowSeconds}, 4,
      'Held quota ' || back.amount || ' returned after an unclean stop, request ' || back.id,
      coalesce(users.username, ''), back.token_id, coalesce(tokens.name, ''), back.amount,
      json_build_object('request_id', back.id, 'reason', 'unclean_stop')::text
    FROM back LEFT JOIN users ON users.id = back.user_id LEFT JOIN tokens ON tokens.id = back.token_id
  )
  SELECT count(*) INTO swept FROM back;
  RETURN swept;
END $$`;
