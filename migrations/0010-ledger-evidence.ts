import type { Migration } from '../core/database/migrate.ts';

/**
 * A settlement whose hold no longer exists was either booked before, or the database is an older copy of itself. So whatever
 * ends leaves evidence: its log row, or its id in `ended_calls` where no such row is written. What has none is booked in full
 * and written down in `stray_settlements`; what cannot be decided waits there. Nodes say which keys they can read.
 */
export const ledgerEvidence: Migration = {
  name: '0010-ledger-evidence',
  async up({ engine, run }) {
    const sqlite = engine === 'sqlite';
    const count = 'BIGINT NOT NULL DEFAULT 0';
    await run(
      `CREATE TABLE ended_calls (id TEXT PRIMARY KEY, ended_at BIGINT NOT NULL)${sqlite ? ' WITHOUT ROWID' : ''}`,
    );
    await run('CREATE INDEX ended_calls_ended_at ON ended_calls (ended_at)');
    await run(`CREATE TABLE stray_settlements (
      id TEXT PRIMARY KEY, user_id ${count}, token_id ${count}, channel_id ${count}, quota ${count},
      state TEXT NOT NULL, found_at BIGINT NOT NULL, content TEXT NOT NULL)`);
    await run(`ALTER TABLE ledger_owners ADD COLUMN key_ids TEXT NOT NULL DEFAULT ''`);
    // Before this moment nothing was written down of a call without a log row.
    const now = sqlite ? 'unixepoch()' : 'floor(extract(epoch FROM now()))::bigint';
    await run(`INSERT INTO ledger_marks (name, at) VALUES ('ended', ${now})`);
    if (sqlite) return;
    await run(bookStrays);
    await run(bookParked);
    await run(apply);
  },
};

const indexesOnly = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off';
const nowSeconds = 'extract(epoch FROM now())::bigint';
const evidenceSeconds = 7 * 86_400;

// A hold of nothing is made for what is booked now, and ended like any other. A node of a former version names no user: as before,
// nothing happens then.
const bookStrays = `CREATE FUNCTION ledger_book_strays(batch jsonb, ended text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  strays jsonb;
BEGIN
  WITH item AS MATERIALIZED (
    SELECT each.value AS content, item.*, coalesce(item.created_at, item.accessed_at) AS at
    FROM jsonb_array_elements(batch -> 'ends') AS each(value), jsonb_to_record(each.value) AS item(
      id text, user_id bigint, token_id bigint, channel_id bigint, actual bigint, counted int, accessed_at bigint,
      logged boolean, created_at bigint)
    WHERE item.counted = 1 AND item.user_id IS NOT NULL AND NOT item.id = ANY (ended)
  ), stray AS (
    INSERT INTO stray_settlements (id, user_id, token_id, channel_id, quota, state, found_at, content)
    SELECT id, user_id, token_id, channel_id, actual,
      CASE WHEN EXISTS (SELECT 1 FROM users WHERE users.id = item.user_id)
        AND at >= coalesce((SELECT mark.at FROM ledger_marks mark
          WHERE name = CASE WHEN logged THEN 'cleared' ELSE 'ended' END), 0)
        AND (logged OR at >= ${nowSeconds} - ${evidenceSeconds}) THEN 'booked' ELSE 'parked' END,
      ${nowSeconds}, content::text
    FROM item
    WHERE NOT EXISTS (SELECT 1 FROM logs WHERE request_id = item.id)
      AND NOT EXISTS (SELECT 1 FROM ended_calls WHERE ended_calls.id = item.id)
    ON CONFLICT (id) DO NOTHING RETURNING id, user_id, token_id, quota, state
  ), held AS (
    INSERT INTO quota_holds (id, owner, user_id, token_id, amount, parts, state, created_at)
    SELECT id, batch ->> 'owner', user_id, token_id, 0, 1, 0, ${nowSeconds} FROM stray WHERE state = 'booked'
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'quota', quota, 'state', state)), '[]')
  INTO strays FROM stray;
  PERFORM ledger_end_holds(batch);
  RETURN strays;
END $$`;

// Settlements that an administrator decided to book after all.
const bookParked = `CREATE FUNCTION ledger_book_parked(parked_id text) RETURNS boolean LANGUAGE plpgsql ${indexesOnly} AS $$
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
  END IF;
  IF jsonb_array_length(batch -> 'credits') > 0 THEN
    credited := ledger_book_credits(batch);
  END IF;
  IF jsonb_array_length(batch -> 'holds') > 0 THEN
    refused := ledger_take_holds(batch);
  END IF;
  RETURN jsonb_build_object('ended', ended, 'strays', strays, 'credited', credited, 'refused', refused);
END $$`;
